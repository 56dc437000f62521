"""Compression of gateway payloads."""

from __future__ import annotations

import importlib
import zlib
from typing import Any, Protocol


class Packing(Protocol):
    """Packs payload after payload in one stream."""

    def pack(self, raw: bytes) -> str | bytes:
        """The frame to send."""
        ...


class Plain:
    """No compression: one text frame a payload."""

    def pack(self, raw: bytes) -> str:
        """The payload as text."""
        return raw.decode()


class ZlibStream:
    """``compress=zlib-stream``: one context a connection, a sync flush after each payload."""

    def __init__(self) -> None:
        self._stream = zlib.compressobj()

    def pack(self, raw: bytes) -> bytes:
        """The payload's part of the stream."""
        return self._stream.compress(raw) + self._stream.flush(zlib.Z_SYNC_FLUSH)


class ZstdStream:
    """``compress=zstd-stream``: the same with Zstandard."""

    def __init__(self) -> None:
        self._stream, self._flush_block = _zstd_stream()

    def pack(self, raw: bytes) -> bytes:
        """The payload's part of the stream."""
        packed: bytes = self._stream.compress(raw) + self._stream.flush(self._flush_block)
        return packed


def _zstd_stream() -> tuple[Any, int]:
    """A Zstandard compressor of the standard library (3.14) or of the package that clients use before it."""
    try:
        standard = importlib.import_module("compression.zstd")
    except ModuleNotFoundError:
        package = importlib.import_module("zstandard")
        return package.ZstdCompressor().compressobj(), package.COMPRESSOBJ_FLUSH_BLOCK
    return standard.ZstdCompressor(), standard.ZstdCompressor.FLUSH_BLOCK


def packing_for(asked: str | None) -> Packing:
    """The packing that a client asked for in its gateway address."""
    if asked == "zlib-stream":
        return ZlibStream()
    if asked == "zstd-stream":
        return ZstdStream()
    return Plain()
