"""Start a runner: ``python -P -m fireside.runner``; with one of two options, a part of one alone."""

import sys

from fireside.runner.sampling.trial import TRY_OUT
from fireside.wire.template_example import SHOW_TEMPLATE

if __name__ == "__main__":
    # The parts work without llama.cpp, which takes longer to import than they take altogether.
    if sys.argv[-1] == TRY_OUT:
        from fireside.runner.sampling.trial import main
    elif sys.argv[-1] == SHOW_TEMPLATE:
        from fireside.runner.template_example import main
    else:
        from fireside.runner.process import main
    sys.exit(main())
