"""Our bot with a profiler on each of its threads, which counts the CPU time of that thread.

At SIGUSR1 it writes everything measured so far to the file that the environment names. It needs Python 3.11:
from 3.12 on, a process has a single profiler.
"""

import cProfile
import marshal
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

FILE = Path(os.environ["BENCH_PROFILE"])
profiles: list[Any] = []


def begin(*_: Any) -> None:
    """Profile the thread that calls this."""
    profile = cProfile.Profile(timer=time.thread_time)
    profiles.append(profile)
    profile.enable()


def write_when_told() -> None:
    """Write what each thread did, in a thread of its own that is not profiled."""
    while True:
        signal.sigwait({signal.SIGUSR1})
        found = []
        for profile in profiles:
            profile.snapshot_stats()
            found.append(profile.stats)
        written = FILE.with_suffix(".new")
        written.write_bytes(marshal.dumps(found))
        written.rename(FILE)


signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
threading.Thread(target=write_when_told, daemon=True).start()
threading.setprofile(begin)
begin()
sys.argv = ["tablekeeper", "run"]

from bot.app.cli import main  # noqa: E402  # after the profiler has begun

main()
