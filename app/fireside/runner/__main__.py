"""Start a runner: ``python -P -m fireside.runner``."""

import sys

from fireside.runner.process import main

if __name__ == "__main__":
    sys.exit(main())
