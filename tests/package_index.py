"""A package index on loopback, with tiny wheels made for a test."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import NamedTuple


class Wheel(NamedTuple):
    """A wheel that holds one module named after it, with the module's text."""

    name: str
    version: str
    requires: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()
    tag: str = "py3-none-any"
    is_yanked: bool = False
    text: str = ""

    @property
    def file_name(self) -> str:
        """The name of the file, which tells pip where it fits."""
        return f"{self.name}-{self.version}-{self.tag}.whl"

    def content(self) -> bytes:
        """The file, the same bytes each time."""
        info = f"{self.name}-{self.version}.dist-info"
        metadata = [
            "Metadata-Version: 2.1",
            f"Name: {self.name}",
            f"Version: {self.version}",
            *(f"Requires-Dist: {each}" for each in self.requires),
            *(f"Provides-Extra: {each}" for each in self.extras),
        ]
        files = {
            f"{self.name}.py": self.text,
            f"{info}/METADATA": "\n".join(metadata) + "\n",
            f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: {self.tag}\n",
        }
        files[f"{info}/RECORD"] = "".join(f"{name},,\n" for name in [*files, f"{info}/RECORD"])
        written = io.BytesIO()
        with zipfile.ZipFile(written, "w") as archive:
            for name, text in files.items():
                archive.writestr(zipfile.ZipInfo(name), text)
        return written.getvalue()

    @property
    def pin(self) -> str:
        """The line of a requirements file that asks for exactly this one."""
        return self.pinned()

    def pinned(self, marker: str = "", digest: str = "") -> str:
        """The same with an environment marker, or with the digest of something else."""
        digest = digest or hashlib.sha256(self.content()).hexdigest()
        return (
            f"{self.name}=={self.version}{f' ; {marker}' if marker else ''} \\\n    --hash=sha256:{digest}\n"
        )


class Index(NamedTuple):
    """A running index.

    Attributes:
        url: What pip is given.
        asked: Set once pip has asked for a package that is held.
        held: Packages that pip asks for in vain until `released`.
        released: Set to answer those who wait for a held package.
    """

    url: str
    asked: Event
    held: set[str]
    released: Event


@contextmanager
def package_index(wheels: tuple[Wheel, ...]) -> Iterator[Index]:
    """Serve the wheels until the end of the block."""
    files = {f"/files/{wheel.file_name}": wheel.content() for wheel in wheels}
    asked, released, held = Event(), Event(), set[str]()

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = self.path.strip("/").rpartition("/")[2]
            if name in held:
                asked.set()
                released.wait()
            content = files.get(self.path) or _page(wheels, name)
            self.send_response(200 if content else 404)
            self.send_header("Content-Type", "text/html" if self.path.endswith("/") else "application/zip")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Stay quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        try:
            yield Index(f"http://127.0.0.1:{server.server_port}/simple/", asked, held, released)
        finally:
            released.set()
            server.shutdown()


def _page(wheels: tuple[Wheel, ...], name: str) -> bytes:
    links = [
        f'<a href="/files/{wheel.file_name}"{" data-yanked" if wheel.is_yanked else ""}>{wheel.file_name}</a>'
        for wheel in wheels
        if wheel.name == name
    ]
    return "\n".join(links).encode()


def asking(index_url: str, environment: Mapping[str, str]) -> dict[str, str]:
    """The environment in which pip knows this index alone, whatever this machine's settings are."""
    ours = {name: value for name, value in environment.items() if not name.upper().startswith("PIP_")}
    return ours | {"PIP_CONFIG_FILE": "/dev/null", "PIP_INDEX_URL": index_url, "NO_PROXY": "127.0.0.1"}
