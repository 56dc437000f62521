"""Pictures as people upload them: checked, made small, and written anew without metadata."""

import io
from threading import Lock
from typing import TYPE_CHECKING

from bot.rules.kernel.errors import UserError

if TYPE_CHECKING:
    from PIL import Image

LARGEST_FILE = 8 * 1024 * 1024  # bytes of an upload
MOST_PIXELS = 24_000_000  # of an upload: what today's phones make
SIDE = 512  # pixels of a portrait, at most
LARGEST_PORTRAIT = 96 * 1024  # bytes
HANDOUT_SIDE = 1600  # pixels of a handout's picture, at most
LARGEST_HANDOUT = 1024 * 1024  # bytes
QUALITIES = (82, 60, 35, 10)  # tried in order until the portrait is small enough
FORMATS = ("PNG", "JPEG", "WEBP", "GIF")
KINDS = "PNG, JPEG, WebP or GIF"
_one_at_a_time = Lock()  # large pictures take a lot of memory


def portrait_of(content: bytes) -> bytes:
    """Return a picture that somebody uploaded as a portrait; see `picture_of`."""
    return picture_of(content, SIDE, LARGEST_PORTRAIT)


def picture_of(content: bytes, side: int, largest: int) -> bytes:
    """Return a picture that somebody uploaded, made small (WebP); of a moving one the first frame.

    Args:
        content: The uploaded file.
        side: The most pixels of its longer side.
        largest: The most bytes.

    Takes up to a second: call it in a thread.

    Raises:
        UserError: If it is no picture, or too large.
    """
    if len(content) > LARGEST_FILE:
        raise too_large(len(content))
    with _one_at_a_time:
        return _picture_of(content, side, largest)


def too_large(size: int) -> UserError:
    """Return the error about an upload of so many bytes."""
    return UserError(
        f"This picture is too large ({size / 1024 / 1024:.1f} MiB).",
        f"The limit is {LARGEST_FILE // 1024 // 1024} MiB.",
    )


def _picture_of(content: bytes, side: int, largest: int) -> bytes:
    from PIL import Image, ImageOps  # loaded when the first picture is drawn: it costs memory

    try:
        with Image.open(io.BytesIO(content), formats=FORMATS) as opened:
            width, height = opened.size
            if width * height <= MOST_PIXELS:
                opened.draft("RGB", (2 * side, 2 * side))  # a large JPEG is read at a fraction of its size
                image = opened.convert("RGBA")
                image.thumbnail((side, side), Image.Resampling.LANCZOS)
                image = ImageOps.exif_transpose(image)
                return _written(Image.frombytes("RGBA", image.size, image.tobytes()), largest)
    except Image.DecompressionBombError:
        width, height = 0, 0
    except Exception:  # a broken file can make its reader fail in any way
        raise UserError("I can't read this picture.", f"Use a {KINDS} file.") from None
    size = f" ({width} × {height} pixels)" if width else ""
    raise UserError(
        f"This picture has too many pixels{size}.", f"The limit is {MOST_PIXELS // 1_000_000} megapixels."
    )


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
