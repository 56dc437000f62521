"""Sets everything up and starts it: needs Python 3.11 or newer, and nothing else.

    python3 start.py play     the playground: a page on this machine, no Discord account needed
    python3 start.py test     the tests
    python3 start.py run      the bot on Discord (needs a token, see README.md)

Whatever follows is passed on. The first start makes the folder .venv and installs the pinned
requirements into it; later ones reuse it until those change.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
INSTALLED = VENV / "installed.txt"
OLDEST = (3, 11)
RUNTIME, DEVELOPMENT = "requirements.txt", "requirements-dev.txt"

# The pins are everything there is to install: what they need may have newer releases, but none is looked for.
PINNED = ["--no-deps", "--only-binary", ":all:", "--require-hashes"]
INSTALL = ["install", "--quiet", "--disable-pip-version-check", "--no-input", *PINNED]

# The whole suite runs on several cores; what somebody asks for runs as they ask.
SIDE_BY_SIDE = ["-n", "auto", "--maxprocesses", "4", "--dist", "loadfile"]


def main(words: list[str]) -> int | str | None:
    """Set up what the command needs and become it."""
    if sys.version_info < OLDEST:
        return "Tablekeeper needs Python 3.11 or newer; this is Python {}.{}.".format(*sys.version_info[:2])
    if not words or words[0] in ("-h", "--help"):
        print(__doc__.strip())
        return 0
    command, rest = words[0], words[1:]
    trouble = set_up(DEVELOPMENT if command == "test" else RUNTIME)
    if trouble:
        return trouble
    if command == "test":
        os.chdir(ROOT)
        return become(["-m", "pytest", "-q", *(rest or SIDE_BY_SIDE)])
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return become(["-m", "bot", command, *rest])


def set_up(requirements: str) -> str | None:
    """Make the environment and install into it, unless that was done; say what is in the way."""
    python = venv_python()
    wanted = fingerprint(requirements)
    if python.exists() and wanted in read(INSTALLED).split():
        return None
    say("Setting up .venv (once, about a minute) ...")
    # An environment made by somebody else is used as it is; one of ours for another Python is made anew.
    if not python.exists() or (INSTALLED.exists() and fingerprint() not in read(INSTALLED).split()):
        trouble = make_environment()
        if trouble:
            return trouble
    done = subprocess.run([str(python), "-m", "pip", *INSTALL, "-r", str(ROOT / requirements)], check=False)
    if done.returncode:
        return f"pip could not install {requirements}; its reason stands above."
    # The development requirements hold the runtime ones, with the same pins.
    satisfied = [RUNTIME, DEVELOPMENT] if requirements == DEVELOPMENT else [RUNTIME]
    lines = [fingerprint(), *(fingerprint(name) for name in satisfied)]
    INSTALLED.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return None


def make_environment() -> str | None:
    """Make .venv afresh; say what is missing when this Python cannot."""
    try:
        import ensurepip  # noqa: F401  # Debian leaves it out of python3
        import venv
    except ImportError:
        version = "{}.{}".format(*sys.version_info[:2])
        return f"This Python has no venv module. On Debian and Ubuntu: apt install python{version}-venv"
    venv.create(VENV, clear=True, with_pip=True)
    return None


def fingerprint(requirements: str | None = None) -> str:
    """The digest of this Python, and of the requirements if they are named."""
    digest = hashlib.sha256(f"{sys.version} {sys.base_prefix}".encode())
    if requirements:
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
        return subprocess.run(command, check=False).returncode
    os.execv(command[0], command)
    return None


def say(line: str) -> None:
    """Tell the person what is happening."""
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
