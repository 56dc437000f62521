"""discord.py's connection state: the bot is ready in time, and interactions are counted and logged.

discord.py alone does not count the servers that Discord announced: it waits until none has come for two
seconds. And it starts a task for each command, autocompletion, button, select and modal, from one method,
and reports nothing when the task ends. This is the one place that sees them all.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

import discord
import structlog
from discord.state import AutoShardedConnectionState
from msgspec import Struct

from bot.app.logs import Course, begun


class AnnouncedServers(asyncio.Queue[discord.Guild]):
    """A shard's servers as Discord sends them; once all it announced are there, nobody waits for more."""

    def __init__(self, announced: set[int]) -> None:
        super().__init__()
        self.announced = announced

    async def get(self) -> discord.Guild:
        """Return the next server.

        Raises:
            TimeoutError: If there is none to come; discord.py otherwise learns that only by waiting.
        """
        if self.empty() and not self.announced:
            raise TimeoutError
        server = await super().get()
        self.announced.discard(server.id)
        return server


class ReadyState(AutoShardedConnectionState[Any]):
    """discord.py's connection state, which counts the servers."""

    def parse_ready(self, data: Any) -> None:
        """Note which servers a shard has, so that the bot is ready as soon as Discord has sent them."""
        shard, announced = data["shard"][0], {int(server["id"]) for server in data["guilds"]}
        waiting = self._ready_states.get(shard)
        if isinstance(waiting, AnnouncedServers):
            waiting.announced = announced
        else:
            self._ready_states[shard] = AnnouncedServers(announced)
        super().parse_ready(data)


log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL = 2, 3, 4, 5
# The keys of an interaction's payload are Discord's, of many shapes; this is an edge where JSON enters.
Payload = Mapping[str, Any]


class Passed(Struct, frozen=True):
    """One interaction that is over."""

    name: str  # the command, or the kind of control
    kind: int  # discord's number for it
    outcome: str  # how it ended
    seconds: float  # the time from its arrival to the end of its answer
    # The time until Discord took a first answer; None if there was none, or if nobody measures it.
    first_answer_seconds: float | None = None


class Traffic:
    """The interactions in progress, and whether new ones are accepted."""

    def __init__(self, on_passed: Callable[[Passed], None] | None = None) -> None:
        self.is_open = True
        self._under_way: set[asyncio.Task[Any]] = set()
        self._on_passed = on_passed

    def __len__(self) -> int:
        return len(self._under_way)

    def admit(self, data: Payload, parse: Callable[[], object]) -> None:
        """Let discord.py start its tasks for an interaction, within its log context.

        Args:
            data: The interaction as Discord sent it.
            parse: Starts the tasks.
        """
        course = Course({"interaction": data["id"], "server": data.get("guild_id"), "person": _person(data)})
        with begun(course):
            self._follow(_tasks_started_by(parse), data, course)

    async def drained(self, timeout_seconds: float) -> bool:
        """Accept no new interactions, and wait for those in progress.

        Returns:
            Whether all of them ended in time.
        """
        self.is_open = False
        await self.settled(timeout_seconds)
        return not self._under_way

    async def settled(self, timeout_seconds: float) -> None:
        """Wait for the interactions that are in progress now, but no longer than a given time."""
        if self._under_way:
            await asyncio.wait(set(self._under_way), timeout=timeout_seconds)

    def _follow(self, tasks: list[asyncio.Task[Any]], data: Payload, course: Course) -> None:
        left = len(tasks)

        def over(task: asyncio.Task[Any]) -> None:
            nonlocal left
            left -= 1
            self._under_way.discard(task)
            if task.cancelled():
                course.outcome = "cancelled"
            if not left:
                self._tell(data, course)

        for task in tasks:
            self._under_way.add(task)
            task.add_done_callback(over)

    def _tell(self, data: Payload, course: Course) -> None:
        name, seconds = _name(data), time.perf_counter() - course.began
        level = log.debug if data["type"] == AUTOCOMPLETE else log.info
        level("interaction", command=name, milliseconds=round(seconds * 1000, 1), outcome=course.outcome)
        if self._on_passed is not None:
            first = course.first_answer_seconds
            self._on_passed(Passed(name, data["type"], course.outcome, seconds, first))


class TrafficState(ReadyState):
    """discord.py's connection state, with its interactions going through `Traffic`."""

    traffic: Traffic
    answer_press: Callable[[discord.Interaction[Any]], Coroutine[Any, Any, None]]
    serves: Callable[[int], bool] | None = None

    def parse_interaction_create(self, data: Any) -> None:
        """Start answering an interaction; while closing, leave it to Discord's own notice.

        That of a server whose shard another process may hold by now is left to that one.
        """
        if not self.traffic.is_open:
            return
        if self.serves is not None and not self.serves(int(data.get("guild_id") or 0)):
            return
        if data["type"] in (COMPONENT, MODAL):  # discord.py knows no control of ours
            answering = self.answer_press(discord.Interaction(data=data, state=self))
            self.traffic.admit(data, lambda: asyncio.create_task(answering))
        else:
            self.traffic.admit(data, lambda: super(TrafficState, self).parse_interaction_create(data))


def _tasks_started_by(parse: Callable[[], object]) -> list[asyncio.Task[Any]]:
    """Run *parse* and return every task that it created."""
    loop = asyncio.get_running_loop()
    usual = loop.get_task_factory()
    tasks: list[asyncio.Task[Any]] = []

    def create(loop: asyncio.AbstractEventLoop, coro: Any, **named: Any) -> Any:
        task = asyncio.Task(coro, loop=loop, **named) if usual is None else usual(loop, coro, **named)
        tasks.append(task)  # type: ignore[arg-type]  # a factory may return any future; asyncio's own are tasks
        return task

    loop.set_task_factory(create)
    try:
        parse()
    finally:
        loop.set_task_factory(usual)
    return tasks


def _person(data: Payload) -> str | None:
    member: Payload = data.get("member") or data
    person: Payload = member.get("user") or {}
    return person.get("id")


def _name(data: Payload) -> str:
    """Return a name for an interaction: the command with its subcommands, or the control's kind."""
    inner: Payload = data.get("data") or {}
    if data["type"] in (COMPONENT, MODAL):
        return str(inner.get("custom_id", "")).partition(":")[0][:40]
    words, options = [f"/{inner.get('name', '')}"], inner.get("options") or []
    while options and options[0].get("type") in (1, 2):
        words.append(options[0]["name"])
        options = options[0].get("options") or []
    return " ".join(words)
