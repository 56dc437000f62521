"""Sets everything up and starts it: needs Python 3.11 or newer, and nothing else.

    python3 start.py play     the playground: a page on this machine, no Discord account needed
    python3 start.py test     the tests
    python3 start.py run      the bot on Discord (needs a token, see README.md)
    python3 start.py game     checks the file of a game of your own (game FILE)

Whatever follows is passed on. The first start makes the folder .venv and installs the pinned
requirements into it; later ones reuse it until those change.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
INSTALLED = VENV / "installed.txt"
OLDEST = (3, 11)
RUNTIME, DEVELOPMENT = "requirements.txt", "requirements-dev.txt"

# The pins are everything there is to install: what they need may have newer releases, but none is looked for.
PINNED = ["--no-deps", "--only-binary", ":all:", "--require-hashes"]
QUIETLY = ["--disable-pip-version-check", "--no-input", "--progress-bar", "off"]
INSTALL = ["install", *QUIETLY, "--no-user", "--retries", "3", *PINNED]
# Settings for other installations: they would install elsewhere or something else, or hide the reason.
OTHER = ("TARGET", "PREFIX", "ROOT", "CONSTRAINT", "REQUIREMENT", "DRY_RUN", "QUIET")
INTERRUPTED = 130  # as a shell has it

# The whole suite runs on several cores; what somebody asks for runs as they ask.
SIDE_BY_SIDE = ["-n", "auto", "--maxprocesses", "4", "--dist", "worksteal"]


def main(words: list[str]) -> int | str | None:
    """Set up what the command needs and become it."""
    if sys.version_info < OLDEST:
        return "Tablekeeper needs Python 3.11 or newer; this is Python {}.{}.".format(*sys.version_info[:2])
    if not words or words[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0
    command, rest = words[0], words[1:]
    try:
        trouble = set_up(DEVELOPMENT if command == "test" else RUNTIME)
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        trouble = f"{VENV} can't be set up: {error.strerror or error}."
    if trouble:
        return trouble
    if command == "test":
        os.chdir(ROOT)
        return become(["-m", "pytest", "-q", *(rest or SIDE_BY_SIDE)])
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return become(["-m", "bot", command, *rest])


def set_up(requirements: str) -> str | None:
    """Make the environment and install into it, unless that was done; say what is in the way."""
    if is_somebody_elses():
        return lack(requirements)
    if is_ready(requirements):
        return None
    with one_at_a_time():
        # Another start may have done it meanwhile.
        return None if is_ready(requirements) else install(requirements)


def is_ready(requirements: str) -> bool:
    """Whether these requirements were installed, for this Python."""
    return venv_python().exists() and fingerprint(requirements) in read(INSTALLED).split()


def is_somebody_elses() -> bool:
    """Whether the environment was made by somebody else, who wants it used as it is."""
    return VENV.is_symlink() or (VENV.is_dir() and not INSTALLED.exists() and any(VENV.iterdir()))


def lack(requirements: str) -> str | None:
    """Say what somebody else's environment lacks."""
    names = "import importlib.metadata as m; print(*(each.metadata['Name'] for each in m.distributions()))"
    try:
        listed = subprocess.run(
            [str(venv_python()), "-c", names], stdout=subprocess.PIPE, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return f"{VENV} has no Python that runs. Remove it, and start.py makes a new one."
    there = {name.lower().replace("_", "-").replace(".", "-") for name in listed.stdout.split()}
    # Pins with a marker are not for every machine.
    pinned = re.findall(r"(?m)^([\w-]+)==\S+ \\$", read(ROOT / requirements))
    missing = next((name for name in pinned if name not in there), None)
    if missing is None:
        return None
    return (
        f"{VENV}, which start.py didn't make, lacks {missing}. "
        f"Install {requirements} into it, or remove it, and start.py makes a new one."
    )


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Have other starts wait; the system ends the lock with its process."""
    waiting = "Another start is setting up .venv; waiting for it ..."
    with Path(__file__).open("rb") as file:
        if sys.platform == "win32":
            import msvcrt

            file.seek(1 << 30)  # behind its end: what is locked can't be read
            mode = msvcrt.LK_NBLCK
            while True:
                try:
                    msvcrt.locking(file.fileno(), mode, 1)
                    break
                except OSError:
                    if mode == msvcrt.LK_NBLCK:
                        say(waiting)
                    mode = msvcrt.LK_LOCK  # tries for ten seconds
        else:
            import fcntl

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say(waiting)
                fcntl.flock(file, fcntl.LOCK_EX)
        yield


def install(requirements: str) -> str | None:
    """Install into the environment, made anew unless the runtime requirements are all it has."""
    say("Setting up .venv (once, about a minute) ...")
    before = read(INSTALLED) if is_ready(RUNTIME) else ""
    VENV.mkdir(exist_ok=True)
    # Until the end it is marked as ours and unfinished: whatever stops this, the next start does it again.
    INSTALLED.write_text("unfinished\n", encoding="utf-8")
    trouble = None if before else make_environment()
    if trouble:
        return trouble
    others = {f"PIP_{name}" for name in OTHER}
    done = subprocess.run(
        [str(venv_python()), "-I", "-m", "pip", *INSTALL, "-r", str(ROOT / requirements)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        env={name: value for name, value in os.environ.items() if name.upper() not in others},
        check=False,
    )
    if done.returncode:
        # pip installs nothing before it has everything: what was there works as before.
        INSTALLED.write_text(before, encoding="utf-8")
        return reason(done.stdout, requirements)
    # The development requirements hold the runtime ones, with the same pins.
    satisfied = [RUNTIME, DEVELOPMENT] if requirements == DEVELOPMENT else [RUNTIME]
    INSTALLED.write_text("".join(f"{fingerprint(name)}\n" for name in satisfied), encoding="utf-8")
    return None


def make_environment() -> str | None:
    """Make .venv afresh; say what is missing when this Python cannot."""
    try:
        import ensurepip  # noqa: F401  # Debian leaves it out of python3
        import venv
    except ImportError:
        version = "{}.{}".format(*sys.version_info[:2])
        return f"This Python has no venv module. On Debian and Ubuntu: apt install python{version}-venv"
    for path in VENV.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path != INSTALLED:
            path.unlink()
    try:
        venv.create(VENV, symlinks=os.name != "nt", with_pip=True)
    except subprocess.CalledProcessError as error:
        return f"This Python can't install its pip: {error.output.decode(errors='replace').strip()}"
    except ValueError as error:  # a colon in the path
        return f"There can be no environment in this folder: {error}"
    return None


def reason(output: str, requirements: str) -> str:
    """Say in a sentence why pip failed."""
    # What was tried again may have gone well.
    final = re.sub(r"(?m)^.*Retry\(total=[1-9].*$", "", output)
    if re.search(r"(?i)connection|timed out|certificate", final):
        return "The package index can't be reached. Check the network and start again."
    missing = re.search(r"No matching distribution found for ([^\s=]+)==([^\s;]+)", output)
    if missing:
        python, machine = "{}.{}".format(*sys.version_info[:2]), sysconfig.get_platform()
        return (
            f"There is no wheel of {missing[1]} {missing[2]} for Python {python} on {machine}. "
            "Try another Python: 3.11 to 3.14."
        )
    if "DO NOT MATCH THE HASHES" in output:
        return "A package isn't the one that was pinned: its hash differs. It was not installed."
    say("\n".join(output.splitlines()[-10:]))
    return f"pip could not install {requirements}; its reason stands above."


def fingerprint(requirements: str) -> str:
    """The digest of the requirements and this Python."""
    digest = hashlib.sha256(f"{sys.version} {sys.base_prefix}".encode())
    digest.update((ROOT / requirements).read_bytes())
    return digest.hexdigest()


def read(path: Path) -> str:
    """The text of a file, or nothing if there is none."""
    return path.read_text(encoding="utf-8") if path.exists() else ""


def venv_python() -> Path:
    """Where the environment's Python is."""
    return VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def become(arguments: list[str]) -> int | None:
    """Hand this process over, so that signals and exit codes are the program's own."""
    command = [str(venv_python()), *arguments]
    if os.name == "nt":
        with subprocess.Popen(command) as program:
            while True:
                with contextlib.suppress(KeyboardInterrupt):  # the program has it too, and ends by itself
                    return program.wait()
    os.execv(command[0], command)
    return None


def say(line: str) -> None:
    """Tell the person what is happening."""
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
