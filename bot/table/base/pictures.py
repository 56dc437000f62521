"""Pictures as people upload them: made small, one at a time, each by a short process of its own."""

import asyncio
import io
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from bot.rules.kernel.errors import UserError

if TYPE_CHECKING:
    from PIL import Image


MOST_PIXELS = 24_000_000  # of an upload: what today's phones make
LONGEST_SIDE = 6000  # pixels of an upload
MOST_RATIO = 20  # of its longer side to the shorter one
QUALITIES = (82, 60, 35, 10)  # tried in order until the picture is small enough
FORMATS = ("PNG", "JPEG", "WEBP", "GIF")

MOST_MEMORY = 512 * 1024 * 1024  # bytes of addresses; about half are in use
MOST_SECONDS = 20  # of computing

SMALL, TOO_LARGE, UNREADABLE = b"s", b"l", b"u"  # how an answer begins


class TooManyPixels(Exception):
    """The picture is larger than is read, or far longer than it is wide.

    Attributes:
        size: Its width and height; 0 if they aren't known.
    """

    def __init__(self, size: tuple[int, int] = (0, 0)) -> None:
        super().__init__(size)
        self.size = size


class UnreadablePicture(Exception):
    """It is no picture, or a broken one."""


def small_picture(content: bytes, side: int, largest: int) -> bytes:
    """Return a picture made small (WebP); of a moving one the first frame.

    Args:
        content: The uploaded file.
        side: The most pixels of its longer side.
        largest: The most bytes.

    Raises:
        TooManyPixels: If it is too large; nothing is decoded then.
        UnreadablePicture: If it can't be read.
    """
    from PIL import Image, ImageOps  # loaded when the first picture is drawn: it costs memory

    try:
        with Image.open(io.BytesIO(content), formats=FORMATS) as opened:
            size = opened.size
            if not _is_too_large(*size):
                image = ImageOps.exif_transpose(_reduced(opened, side))
                return _written(Image.frombytes("RGBA", image.size, image.tobytes()), largest)
    except Image.DecompressionBombError:
        raise TooManyPixels from None
    except Exception:  # a broken file can make its reader fail in any way
        raise UnreadablePicture from None
    raise TooManyPixels(size)


def _is_too_large(width: int, height: int) -> bool:
    longer, shorter = max(width, height), min(width, height)
    return width * height > MOST_PIXELS or longer > LONGEST_SIDE or longer > MOST_RATIO * shorter


def _reduced(opened: "Image.Image", side: int) -> "Image.Image":
    """The picture with sides of at most *side* pixels; a copy in full size is never made of most."""
    from PIL import Image

    opened.draft("RGB", (2 * side, 2 * side))  # a large JPEG is read at a fraction of its size
    factor = max(opened.size) // (2 * side)
    image = opened
    if factor > 1 and opened.mode in ("L", "LA", "RGB", "RGBA"):
        image = opened.reduce(factor)
        image.info = opened.info
        opened.close()
    image = image.convert("RGBA")
    image.thumbnail((side, side), Image.Resampling.LANCZOS)
    return image


def _written(image: "Image.Image", largest: int) -> bytes:
    """The picture as a file, in the best quality that is small enough."""
    content = b""
    for quality in QUALITIES:
        file = io.BytesIO()
        image.save(file, "WEBP", quality=quality, method=4)
        content = file.getvalue()
        if len(content) <= largest:
            break
    return content


def _limit() -> None:
    """Bound what this process may take, where the system can."""
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))


def main() -> None:
    """Answer one question."""
    side, largest = map(int, sys.argv[1:])
    _limit()
    try:
        answer = SMALL + small_picture(sys.stdin.buffer.read(), side, largest)
    except TooManyPixels as error:
        width, height = error.size
        answer = TOO_LARGE + f"{width} {height}".encode()
    except (UnreadablePicture, MemoryError):
        answer = UNREADABLE
    sys.stdout.buffer.write(answer)


if __name__ == "__main__":
    main()


LARGEST_FILE = 8 * 1024 * 1024  # bytes of an upload
KINDS = "PNG, JPEG, WebP or GIF"
LATEST_SECONDS = 30.0  # so long one picture may take
MOST_UPLOADS = 2  # downloaded at once
READER = "bot.table.base.pictures"
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
