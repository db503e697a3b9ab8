"""Entry point of the runner process, ``python -P -m fireside.runner``; an option selects a helper mode."""

import sys

from fireside.wire.runner_modes import (
    CHECK_CONSTRAINT,
    CHECK_RUNTIME,
    KEEP_BUSY,
    LIST_DEVICES,
    MEASURE,
    SHOW_TEMPLATE,
)

if __name__ == "__main__":
    # Most modes work without llama.cpp, whose import takes longer than they do altogether.
    if sys.argv[-1] == SHOW_TEMPLATE:
        from fireside.runner.template_example import main
    elif sys.argv[-1] == CHECK_CONSTRAINT:
        from fireside.runner.constraint_check import main
    elif sys.argv[-1] == MEASURE:
        from fireside.runner.dry_run import main
    elif sys.argv[-1] == LIST_DEVICES:
        from fireside.runner.device_listing import main
    elif sys.argv[-1] == CHECK_RUNTIME:
        from fireside.runner.runtime_check import main
    elif sys.argv[-1] == KEEP_BUSY:
        from fireside.runner.cpu_load import main
    else:
        from fireside.runner.process import main
    sys.exit(main())
