"""Makes a picture that somebody uploaded small, and writes it anew without metadata.

It runs as a process of its own, which reads the picture, writes the answer and gives all memory back:
``python -m bot.table.base.small_picture SIDE BYTES``. It loads nothing else of the bot.
"""

import io
import sys
from typing import TYPE_CHECKING

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
