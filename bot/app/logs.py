"""Logs: one line per event on standard error, for people or for machines.

Our own lines and discord.py's go through the same renderer, and a last step removes everything that
could be used to act as the bot: its token and the tokens of interactions and webhooks.
"""

import contextvars
import logging
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import TYPE_CHECKING, TextIO, cast

from msgspec import Struct, field


@contextmanager
def _hidden(module: str) -> Iterator[None]:
    """Make a module that is not imported yet look as if it were not installed."""
    if module in sys.modules:
        yield
        return
    sys.modules[module] = None  # type: ignore[assignment]  # Python's own sign for "not there"
    try:
        yield
    finally:
        del sys.modules[module]


# Where structlog finds rich, it loads it for tracebacks that we do not use: 4 MB and 40 ms of every start.
with _hidden("rich"):
    import structlog

if TYPE_CHECKING:
    from bot.app.config import LogSettings

LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}
CONNECTION_LOGGERS = ("discord.gateway", "discord.shard")
COMMAND_LOGGER = "discord.app_commands.tree"  # tells of a completion that came too late to be shown
POOL_LOGGER, POOL_SILENCE_SECONDS = "psycopg.pool", 60
PLAIN_VALUE = re.compile(r"[^\s=\"']*")
TOKEN_IN_ADDRESS = re.compile(r"(/(?:webhooks|interactions)/\d+/)[^/\s?\"']+")


class _Enduring:
    """A stream that drops a line it can't write: no answer may wait for the log's disk."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()


def configure(settings: "LogSettings", *, secret: str = "") -> None:
    """Log every line of this process to standard error in one format.

    Args:
        settings: The minimum level, and text or JSON.
        secret: A text that is removed wherever it occurs.
    """
    level = LEVELS[settings.level]
    enduring = cast("TextIO", _Enduring(sys.stderr))
    shared: list[structlog.typing.Processor] = [
        with_course,
        structlog.processors.add_log_level,
        _with_time,
    ]
    rendering = [*_renderers(settings.format), _without_secrets(secret)]
    structlog.configure(
        processors=[*shared, *rendering],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(enduring),
        cache_logger_on_first_use=True,
    )
    foreign = logging.StreamHandler(enduring)
    foreign.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.add_logger_name, structlog.stdlib.ExtraAdder()],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *rendering],
        )
    )
    foreign.addFilter(_tell_connection_trouble_in_one_line)
    foreign.addFilter(_PoolTrouble())
    logging.basicConfig(handlers=[foreign], level=max(level, logging.INFO), force=True)
    # discord.py tells at "info" what our own lines tell; below that it writes down whole messages.
    logging.getLogger("discord").setLevel(max(level, logging.WARNING))
    logging.getLogger("aiohttp.access").setLevel(logging.WARNING)


def _tell_connection_trouble_in_one_line(record: logging.LogRecord) -> bool:
    """Replace discord.py's traceback with the reason where only the connection is to blame."""
    error = record.exc_info[1] if record.exc_info else None
    if record.name in (*CONNECTION_LOGGERS, COMMAND_LOGGER) and error is not None:
        is_refused = type(error).__module__.partition(".")[0] in ("aiohttp", "discord")
        if is_refused or (record.name in CONNECTION_LOGGERS and isinstance(error, OSError | TimeoutError)):
            record.msg, record.args = f"{record.getMessage()} ({str(error) or type(error).__name__})", ()
            record.exc_info = None
    return True


class _PoolTrouble:
    """Lets each sort of trouble through once a minute: in an outage each connection repeats it."""

    def __init__(self) -> None:
        self._told_at: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line is written."""
        if record.name != POOL_LOGGER:
            return True
        told_at = self._told_at.get(record.msg)
        if told_at is not None and record.created - told_at < POOL_SILENCE_SECONDS:
            return False
        self._told_at[record.msg] = record.created
        return True


def _renderers(form: str) -> list[structlog.typing.Processor]:
    if form == "json":
        return [structlog.processors.dict_tracebacks, structlog.processors.JSONRenderer(ensure_ascii=False)]
    if sys.stderr.isatty():
        plain = structlog.dev.plain_traceback
        return [structlog.dev.ConsoleRenderer(pad_event_to=0, sort_keys=False, exception_formatter=plain)]
    return [structlog.processors.format_exc_info, _as_text]


def _as_text(_: object, __: str, event: structlog.typing.EventDict) -> str:
    """Write a line as structlog does on a terminal, but without colours, which take most of its time."""
    head = f"{event.pop('timestamp')} [{event.pop('level'):<9}] {event.pop('event')}"
    trace = event.pop("exception", None)
    line = " ".join([head, *[f"{key}={_shown(value)}" for key, value in event.items()]])
    return line if trace is None else f"{line}\n{trace}"


def _shown(value: object) -> str:
    is_plain = isinstance(value, str) and PLAIN_VALUE.fullmatch(value)
    return str(value) if is_plain else repr(value)


def _with_time(_: object, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    event["timestamp"] = _written(int(time.time()))
    return event


@lru_cache(maxsize=1)
def _written(second: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(second))


def _without_secrets(secret: str) -> Callable[[object, str, structlog.typing.EventDict | str], str]:
    def clean(_: object, __: str, line: structlog.typing.EventDict | str) -> str:
        shown = TOKEN_IN_ADDRESS.sub(r"\1…", str(line))
        return shown.replace(secret, "…") if secret else shown

    return clean


class Course(Struct):
    """What an interaction's log lines say: whose it is, and how it ended."""

    about: Mapping[str, str | None]  # what every line says of it
    outcome: str = "answered"  # "answered" unless noted otherwise
    began: float = field(default_factory=time.perf_counter)  # when it arrived, on `time.perf_counter`'s clock
    # The time until Discord took a first answer; None if nobody measured it.
    first_answer_seconds: float | None = None


_course: contextvars.ContextVar[Course | None] = contextvars.ContextVar("course", default=None)


@contextmanager
def begun(course: Course) -> Iterator[None]:
    """Let everything that starts inside the context belong to an interaction."""
    token = _course.set(course)
    try:
        yield
    finally:
        _course.reset(token)


def with_course(_: object, __: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Say in a log line which interaction it belongs to."""
    course = _course.get()
    return event if course is None else {**course.about, **event}


def note_outcome(outcome: str) -> None:
    """Note how the current interaction ended, for its log line."""
    course = _course.get()
    if course is not None:
        course.outcome = outcome


def note_first_answer() -> None:
    """Note that Discord has taken an answer to the current interaction."""
    course = _course.get()
    if course is not None and course.first_answer_seconds is None:
        course.first_answer_seconds = time.perf_counter() - course.began
