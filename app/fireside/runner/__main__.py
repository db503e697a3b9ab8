"""Start a runner: ``python -P -m fireside.runner``; with one of a few options, a part of one alone."""

import sys

from fireside.runner.sampling.grammar_dry_run import TRY_OUT
from fireside.wire.runner_modes import (
    CHECK_RULE,
    CHECK_RUNTIME,
    KEEP_BUSY,
    LIST_DEVICES,
    MEASURE,
    SHOW_TEMPLATE,
)

if __name__ == "__main__":
    # Most parts work without llama.cpp, which takes longer to import than they take altogether.
    if sys.argv[-1] == TRY_OUT:
        from fireside.runner.sampling.grammar_dry_run import main
    elif sys.argv[-1] == SHOW_TEMPLATE:
        from fireside.runner.template_example import main
    elif sys.argv[-1] == CHECK_RULE:
        from fireside.runner.rule_check import main
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
