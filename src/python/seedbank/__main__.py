"""The program ``seedbank``: ``python -m seedbank``, and the command of that name."""

import signal
import sys

from ._native import main as _main


def main() -> int:
    """Runs the command that the arguments of the process name. Returns its exit status."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # The program handles Ctrl-C itself; as a child of "nohup" or of a script it may be ignored.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _main(["seedbank", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
