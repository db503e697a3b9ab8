"""Start a runner: ``python -P -m fireside.runner``; with ``--try-constraint``, its compiler alone."""

import sys

from fireside.runner.sampling.trial import TRY_OUT

if __name__ == "__main__":
    if sys.argv[-1] == TRY_OUT:  # without llama.cpp, which takes longer to import than a trial
        from fireside.runner.sampling.trial import main
    else:
        from fireside.runner.process import main
    sys.exit(main())
