"""Run another Python program that ends with its parent, even if the parent is killed.

Without it a killed playground would leave its bot behind, at the same database as the next one's.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Tie this process to its parent (where the system can) and become ``python ARGUMENTS``."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    os.execv(sys.executable, [sys.executable, *sys.argv[1:]])  # noqa: S606 the same Python, no shell


if __name__ == "__main__":
    main()
