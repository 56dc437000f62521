"""Pictures as people upload them: made small, one at a time, each by a short process of its own."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.rules.kernel.errors import UserError
from bot.table.base.small_picture import (
    LONGEST_SIDE,
    MOST_PIXELS,
    MOST_RATIO,
    SMALL,
    TOO_LARGE,
    UNREADABLE,
)

LARGEST_FILE = 8 * 1024 * 1024  # bytes of an upload
KINDS = "PNG, JPEG, WebP or GIF"
LATEST_SECONDS = 30.0  # so long one picture may take
MOST_UPLOADS = 2  # downloaded at once
READER = "bot.table.base.small_picture"
NEEDED = ("PATH", "SYSTEMROOT", "LD_LIBRARY_PATH", "HOME")  # by a Python that is started; no secrets


class Pictures:
    """Reads pictures; however many come, only one takes memory at a time."""

    def __init__(self) -> None:
        self._reading = asyncio.Lock()
        self._uploads = asyncio.Semaphore(MOST_UPLOADS)
        self._people: set[int] = set()

    @asynccontextmanager
    async def upload_of(self, person: int) -> AsyncIterator[None]:
        """Hold the one upload that a person may have at a time, from its download until it is saved.

        Raises:
            UserError: If they have one already.
        """
        if person in self._people:
            raise UserError("I'm still reading your last picture.", "Upload this one when that is done.")
        self._people.add(person)
        try:
            async with self._uploads:
                yield
        finally:
            self._people.discard(person)

    async def small(self, content: bytes, side: int, largest: int) -> bytes:
        """Return a picture that somebody uploaded, made small (WebP); of a moving one the first frame.

        Args:
            content: The uploaded file.
            side: The most pixels of its longer side.
            largest: The most bytes.

        Raises:
            UserError: If it is no picture, or too large.
        """
        if len(content) > LARGEST_FILE:
            raise too_large(len(content))
        async with self._reading:
            answer = await _answer(content, side, largest)
        if answer.startswith(SMALL):
            return answer.removeprefix(SMALL)
        if answer.startswith(TOO_LARGE):
            raise _too_many_pixels(*map(int, answer.removeprefix(TOO_LARGE).split()))
        raise UserError("I can't read this picture.", f"Use a {KINDS} file.")


def too_large(size: int) -> UserError:
    """Return the error about an upload of so many bytes."""
    return UserError(
        f"This picture is too large ({size / 1024 / 1024:.1f} MiB).",
        f"The limit is {LARGEST_FILE // 1024 // 1024} MiB.",
    )


def _too_many_pixels(width: int, height: int) -> UserError:
    size = f" ({width} × {height} pixels)" if width else ""
    if width * height > MOST_PIXELS or not width:
        what, limit = "has too many pixels", f"The limit is {MOST_PIXELS // 1_000_000} megapixels."
    elif max(width, height) > LONGEST_SIDE:
        what, limit = "is too long", f"No side may be longer than {LONGEST_SIDE} pixels."
    else:
        what, limit = "is too thin", f"One side may be {MOST_RATIO} times as long as the other."
    return UserError(f"This picture {what}{size}.", limit)


async def _answer(content: bytes, side: int, largest: int) -> bytes:
    """What the process makes of a picture; nothing readable if it takes too much time or memory."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        READER,
        str(side),
        str(largest),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={
            **{name: os.environ[name] for name in NEEDED if name in os.environ},
            "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path),
            "PYTHONSAFEPATH": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        },
    )
    try:
        async with asyncio.timeout(LATEST_SECONDS):
            answer, _ = await process.communicate(content)
    except TimeoutError:
        return UNREADABLE
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return answer
