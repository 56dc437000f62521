"""What the bot does by itself: end sessions that are due, and press buttons whose time is up."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

import discord
import structlog
from discord.ext import commands, tasks

from bot.table import watch
from bot.table.base import live_rows
from bot.table.base.access import ServerId
from bot.table.base.live_rows import DueTask
from bot.table.base.turn import StoreUnavailable
from bot.table.play.play import Pressed
from bot.table.sessions import meetings
from bot.table.sessions.meetings import Reminder
from bot.table.watch import LinkedVoice, Watched
from bot.ui.commands.session_posts import ended_reply, post_in_thread
from bot.ui.input.answer import log_failures, post
from bot.ui.live.result_messages import post_result
from bot.ui.text.reply import Accent, Reply
from bot.ui.text.roll_text import escape

if TYPE_CHECKING:
    from bot.app.client import Tablekeeper

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

OVER = (discord.EventStatus.completed, discord.EventStatus.canceled)


class Watch(commands.Cog):
    """Checks every running session now and then, and after relevant Discord events.

    Args:
        bot: The bot; its connection tells of events and voice channels.
    """

    def __init__(self, bot: "Tablekeeper") -> None:
        self._bot = bot
        self._looking = asyncio.Lock()
        self._linked_voice = LinkedVoice(bot.table)
        self._look_after_all.change_interval(seconds=bot.pace.watch_seconds)

    async def cog_unload(self) -> None:
        """Stop the watch."""
        self._look_after_all.cancel()
        self._linked_voice.stop()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Start the watch: what came due while nobody looked after a server is handled at once."""
        if self._look_after_all.is_running():
            await self._look_after()
        else:
            self._look_after_all.start()

    @tasks.loop()
    async def _look_after_all(self) -> None:
        await self._look_after()

    @commands.Cog.listener()
    async def on_scheduled_event_update(
        self, _before: discord.ScheduledEvent, after: discord.ScheduledEvent
    ) -> None:
        """Check the sessions: an event may have ended, or moved."""
        server, starts_at = ServerId(after.guild_id), int(after.start_time.timestamp())
        if after.status not in OVER:
            await meetings.event_changed(self._bot.table, server, after.id, after.name, starts_at)
        else:
            await meetings.event_gone(self._bot.table, server, after.id)
            await self._look_after(after.guild_id, lambda session: session.event == after.id)

    @commands.Cog.listener()
    async def on_scheduled_event_delete(self, event: discord.ScheduledEvent) -> None:
        """Check the sessions: an event was deleted."""
        await meetings.event_gone(self._bot.table, ServerId(event.guild_id), event.id)
        await self._look_after(event.guild_id, lambda session: session.event == event.id)

    @commands.Cog.listener()
    async def on_voice_state_update(
        self, member: discord.Member, before: discord.VoiceState, after: discord.VoiceState
    ) -> None:
        """Check the sessions: a voice channel may be empty now, or no longer."""
        if before.channel == after.channel:
            return
        changed = {state.channel.id for state in (before, after) if state.channel is not None}
        with log_failures("sessions not looked after"):
            linked = await self._linked_voice.of(ServerId(member.guild.id))
            if not changed.isdisjoint(linked):
                await self._look_after(member.guild.id, lambda session: session.voice in changed)

    async def _look_after(
        self, server: int | None = None, concerns: Callable[[Watched], bool] = lambda _session: True
    ) -> None:
        """End due sessions, and post the recaps that are not posted yet.

        Args:
            server: In which server something happened; None to look everywhere.
            concerns: Whether it concerns a session.
        """
        table = self._bot.table
        here = None if server is None else ServerId(server)
        with log_failures("sessions not looked after"):
            async with self._looking:
                watched = await watch.watched(table, here, only_ending=here is None)
                concerned = [session for session in watched if concerns(session)]
                if here is not None and not concerned:
                    return
                for session in concerned:
                    await self._end_if_due(session)
                for task in await live_rows.due(table, live_rows.RECAP):
                    await self._tell(task)
                for kind in meetings.REMIND_SECONDS:
                    for task in await live_rows.due(table, kind):
                        await self._remind(task)

    async def _end_if_due(self, session: Watched) -> None:
        server = self._bot.get_guild(session.server)
        is_over = is_empty = False  # as long as Discord has not listed the server, nobody knows
        if server is not None and not server.unavailable:
            is_over, is_empty = _is_over(server, session), _is_empty(server, session)
            if session.voice is not None and is_empty is not session.is_empty:
                await watch.note_voice(self._bot.table, session, is_empty=is_empty)
        if not (is_over or (is_empty and session.is_empty) or session.is_quiet):
            return
        ended = await watch.end_if_due(self._bot.table, session, event_is_over=is_over)
        if ended is not None:
            log.info("session ended by itself", server=session.server, reason=ended.reason.value)

    async def _tell(self, task: DueTask) -> None:
        news = await watch.news_of(self._bot.table, task)
        if news is not None and await self._post(task, ended_reply(*news), news[0].channel):
            await live_rows.note_done(self._bot.table, task)
            await post_in_thread(self._bot, task.server, news[0].thread, news[1])

    async def _remind(self, task: DueTask) -> None:
        reminder = await meetings.reminder_of(self._bot.table, task)
        if reminder is not None:
            reply, channel = reminder_reply(reminder), reminder.meeting.channel
            if await self._post(task, reply, channel):
                await live_rows.note_done(self._bot.table, task)

    async def _post(self, task: DueTask, reply: Reply, channel: int) -> bool:
        """Post a recap or a reminder; return whether that is done or hopeless."""
        try:
            await post(self._bot.get_partial_messageable(channel, guild_id=task.server), reply)
        except (discord.Forbidden, discord.NotFound) as error:
            log.warning("not posted", server=task.server, reason=error.text)
        except (discord.HTTPException, OSError, TimeoutError) as error:
            log.warning("not posted yet", server=task.server, reason=str(error))
            return False
        return True


def _is_over(server: discord.Guild, session: Watched) -> bool:
    """Whether the linked event has ended or was deleted."""
    if session.event is None:
        return False
    event = server.get_scheduled_event(session.event)
    return event is None or event.status in OVER


def _is_empty(server: discord.Guild, session: Watched) -> bool:
    """Whether nobody is in the linked voice channel."""
    channel = None if session.voice is None else server.get_channel(session.voice)
    return not (isinstance(channel, discord.VoiceChannel | discord.StageChannel) and channel.voice_states)


def reminder_reply(reminder: Reminder) -> Reply:
    """The reminder of a planned session; it pings those who asked for it, and nobody else."""
    meeting = reminder.meeting
    people = " ".join(f"<@{person}>" for person in reminder.people)
    what = f"**{escape(meeting.name)}** ({escape(reminder.campaign)})"
    begins = f"{what} begins <t:{meeting.starts_at}:R>."
    plain = f"{begins} {people}"
    return Reply(text=f"{begins}\n{people}", accent=Accent.NEWS, pings=reminder.people, plain=plain)


class Unpressed(commands.Cog):
    """Presses due buttons and updates their messages.

    Args:
        bot: The bot; on its connection the results are posted.
    """

    def __init__(self, bot: "Tablekeeper") -> None:
        self._bot = bot
        self._looking = asyncio.Lock()
        self._is_outage_logged = False
        self._look.change_interval(seconds=bot.pace.due_tasks_seconds)

    async def cog_unload(self) -> None:
        """Stop the watch."""
        self._look.cancel()

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Start the watch: buttons that came due while the bot was offline are pressed at once."""
        if not self._look.is_running():
            self._look.start()

    @tasks.loop()
    async def _look(self) -> None:
        await self.press_due()

    async def press_due(self) -> None:
        """Press everything due, and post the results that are not posted yet."""
        with log_failures("prompts not looked after"):
            try:
                await self._press_due()
            except StoreUnavailable:
                if self._is_outage_logged:  # one line for each outage, not one for each look
                    return
                self._is_outage_logged = True
                raise
            self._is_outage_logged = False

    async def _press_due(self) -> None:
        async with self._looking:
            for task in await live_rows.due(self._bot.table, live_rows.PRESS):
                if self._bot.table.shards.has(task.server):  # it may have been given away meanwhile
                    await self._press(task)

    async def _press(self, task: DueTask) -> None:
        """Press a due button and post the result."""
        table = self._bot.table
        try:
            done = await watch.press_if_open(table, task)
            if done is None:  # it was answered by a command: its buttons go
                place = await watch.message_of(table, task)
                if place is not None:
                    self._bot.messages.refresh(place)
            elif await self._tell(task, *done):
                await live_rows.note_done(table, task)
        except StoreUnavailable:
            raise
        except Exception as error:  # it is not tried again, and does not keep the others waiting
            log.error("bug", exc_info=error)
            await live_rows.note_done(table, task)

    async def _tell(self, task: DueTask, pressed: Pressed, channel: int) -> bool:
        """Post a result, in the button's message or a new one; return whether that is done or hopeless."""
        try:
            is_shown = await self._bot.messages.show_now(pressed.place)
            if pressed.is_apart or not is_shown:
                result = pressed.result if pressed.is_apart else pressed.message
                await post_result(self._bot, task.server, channel, result)
        except (discord.Forbidden, discord.NotFound) as error:
            log.warning("press by itself not told", server=task.server, reason=error.text)
        except (discord.HTTPException, OSError, TimeoutError) as error:
            log.warning("press by itself not told yet", server=task.server, reason=str(error))
            return False
        return True


async def setup(bot: "Tablekeeper") -> None:
    """Add both to the bot."""
    await bot.add_cog(Watch(bot))
    await bot.add_cog(Unpressed(bot))
