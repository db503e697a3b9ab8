# Two commands: `make run` and `make test`. Each sets up by itself what is missing.
# Without make: python3 installer/bootstrap.py run (on Windows: py installer\bootstrap.py run)

PYTHON ?= python3
BOOTSTRAP = $(PYTHON) installer/bootstrap.py

.PHONY: help run setup test test-vulkan test-clients test-llama-server test-cluster test-tools test-documents installers test-installers check bench abuse screenshots translations associate lock update-binding clean

help:
	@echo "make run [ARGS='...']    start Fireside; the first time llama.cpp is compiled behind the window"
	@echo "make test [ARGS='...']   every check and every test, or pytest with your arguments"
	@echo "make test-vulkan         build the Vulkan runtime and try it on Mesa's software device"
	@echo "make test-clients        try the local API with clients of other makers"
	@echo "make test-llama-server   try the local API with llama.cpp's tests of its own server"
	@echo "make test-cluster        try a router with real servers"
	@echo "make test-tools          try MCP servers of other makers, and kill the tool host many times"
	@echo "make test-documents      try the readers of documents with files of other makers"
	@echo "make installers          build what users install, into build/installers; compiles llama.cpp once"
	@echo "make test-installers     build it and try it as a user would"
	@echo "make check               format, lint, types, imports, unit tests"
	@echo "make bench               speed against the bare library"
	@echo "make abuse               bad input and faults, many times over"
	@echo "make screenshots         take the README's pictures anew (ARGS=FOLDER: every state, in every look)"
	@echo "make translations        collect the texts for translators, compile their files"
	@echo "make associate           open .gguf files with Fireside by a double click (ARGS=off takes it back)"
	@echo "make update-binding ARGS=VERSION   move to another version of llama-cpp-python, alone, and test it"
	@echo "make setup | lock | clean"

run setup test test-vulkan test-clients test-llama-server test-cluster test-tools test-documents installers test-installers check bench abuse screenshots translations associate lock update-binding clean:
	@$(BOOTSTRAP) $@ -- $(ARGS)
