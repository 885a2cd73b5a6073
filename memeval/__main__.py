"""Where the program `memeval` begins, and `python -m memeval`: before anything slow is loaded."""

from __future__ import annotations

import os
import signal

_STOPPED = 130
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""What the linear algebra of numpy asks for its number of threads."""


def main() -> None:
    """Run the command line and exit; Ctrl-C while it is still being loaded is one line and exit code 130, too."""
    watches = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if watches:
        signal.signal(signal.SIGINT, _stop)
    # One thread, before numpy is loaded: the matrices are small, and threads that wait for each other on a busy machine
    # take several times as long. Whoever sets it otherwise keeps that.
    for name in THREADS:
        os.environ.setdefault(name, "1")
    from memeval.cli import main as program

    if watches:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    program()


def _stop(number: int, frame: object) -> None:
    # Nothing is open yet. An exception raised amid an import may come out as another one.
    os.write(2, b"\nmemeval: stopped by the keyboard\n")
    os._exit(_STOPPED)


if __name__ == "__main__":
    main()
