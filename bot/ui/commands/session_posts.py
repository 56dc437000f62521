"""What several pages tell of a campaign and its sessions: a start, an end, a thread, the journal."""

import gzip
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

import discord
import structlog
from msgspec.structs import replace

from bot.rules.kernel import Choice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.outcome import counted
from bot.table.base.access import Request
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.campaigns.campaigns import CampaignMade
from bot.table.journal import recap, verify
from bot.table.play.actions import OpenThing
from bot.table.sessions import sessions
from bot.table.sessions.sessions import Present, SessionStarted
from bot.ui.input.answer import MAKE_CHARACTER, READY_MADE, answer, post
from bot.ui.input.presses import Interaction, press_id, table_and_request
from bot.ui.replies.links import DOOR, FAIR, HERE, controls_button, desk_button, proof_button
from bot.ui.replies.recaps import (
    as_recap,
    changes_by_thing,
    fact_lines,
    facts_line,
    is_whole,
    more_button,
    previously_button,
    recap_picture,
    recap_reply,
    resets_not_told,
)
from bot.ui.text.reply import IN_MENU, Accent, Button, Look, Picture, Reply, Row, Select, rows_of
from bot.ui.text.roll_text import escape, first_short, fitting, listed, plain, shorten

if TYPE_CHECKING:
    from bot.table.journal.recap import Recap
    from bot.table.sessions.endings import AwardOffer, EndPreview, SessionAwards, SessionEnded

log: structlog.typing.FilteringBoundLogger = structlog.get_logger(__name__)

NO_THREAD = (
    "I couldn't start this session's thread: I'm missing Create Public Threads in this channel. "
    "Allow it, or turn the threads off in `/campaign settings`."
)


async def story_before(table: Table, request: Request, number: int) -> "Recap | None":
    """What happened in the session before one, or None if that is the first."""
    return await recap.recap(table, request, number - 1) if number > 1 else None


async def start_thread(interaction: Interaction, request: Request, number: int, message: int | None) -> None:
    """Start a session's thread under its first message, if the campaign wants one."""
    table, server = interaction.client.table, interaction.guild
    channel = None if server is None else server.get_channel(request.channel)
    if message is None or server is None or not isinstance(channel, discord.TextChannel):
        return
    if not await sessions.wants_thread(table, request, number):
        return
    if not channel.permissions_for(server.me).create_public_threads:
        await answer(interaction, Reply(text=NO_THREAD, accent=Accent.PARTIAL, is_private=True))
        return
    try:
        thread = await channel.create_thread(name=f"Session {number}", message=discord.Object(message))
    except discord.HTTPException as error:
        log.warning("no thread started", server=request.server, reason=error.text)
    else:
        await sessions.note_thread(table, request, number, thread.id)


async def post_in_thread(client: discord.Client, server: int, thread: int | None, told: "Recap") -> None:
    """Post a session's recap as the last post of its thread, if it has one."""
    if thread is None:
        return
    try:
        await post(
            client.get_partial_messageable(thread, guild_id=server), recap_reply(told, is_private=False)
        )
    except discord.HTTPException as error:
        log.warning("recap not posted in its thread", server=server, reason=error.text)


# --- words ---------------------------------------------------------------------------------------

AWARD = "award"  # the kind of press
MOST_NAMES = 6
PREVIEW, PAGE = "end", "page"  # where the buttons stand


def award_lines(awards: "SessionAwards") -> list[str]:
    """Who is present, and what has been awarded."""
    if not awards.offers or not awards.characters:
        return []
    names = [escape(name) for name in awards.names]
    more = len(names) - MOST_NAMES
    present = listed([*names[:MOST_NAMES], f"{more} more" if more > 0 else ""], ", ")
    lines = [f"Present: {present or 'nobody'}"]
    for offer in awards.offers:
        given = "; ".join(map(escape, offer.given))
        lines.append(f"{offer.title}: {given or 'none awarded yet'}")
    return lines


def award_rows(awards: "SessionAwards", where: str, home: int = HERE) -> tuple[tuple[Button, ...], ...]:
    """A button for each usual amount that has not been awarded yet, and one for anything else."""
    if not awards.offers or not awards.characters:
        return ()
    buttons = [
        _give(awards.number, where, offer, amount, home)
        for offer in awards.offers
        if not offer.given and awards.present
        for amount in offer.usual
    ]
    choose = Button(id=press_id(AWARD, awards.number, where, "form", home), label="Award …")
    buttons.append(choose)
    return tuple(rows_of(buttons))


def _give(number: int, where: str, offer: "AwardOffer", amount: int, home: int) -> Button:
    id_ = press_id(AWARD, number, where, "give", offer.key, amount, home)
    return Button(id=id_, label=counted(amount, offer.unit), look=Look.GOOD)


def open_award_button(number: int) -> Button:
    """The button that shows a GM the awards of a session."""
    return Button(id=press_id(AWARD, number, PAGE, "open"), label="Award …")


MOST_OPEN = 6
LONGEST = 4000
NOTHING_WAS_RESET = "Nothing needed a reset."
WHY = {  # by `endings.Reason`
    "said": "",
    "idle": "It ended automatically: nothing had happened for a long time.",
    "event": "It ended automatically: the linked event is over.",
    "voice": "It ended automatically: the linked voice channel was empty.",
}


def made_reply(made: CampaignMade) -> Reply:
    """The reply to the creation of a campaign: what is played and who leads it, and the ways in."""
    gms = ", ".join(f"<@{person}>" for person in made.gms)
    where = "" if made.is_default else "-# Played in this channel."
    gms = ", ".join(f"<@{person}>" for person in made.gms)
    lines = [f"**{escape(made.name)}** · {escape(made.title)}", f"GM: {gms}", where, FAIR]
    set_up = Button(id=press_id(DOOR, "setup", made.campaign), label="Set up …")
    return Reply(
        blocks=(
            "\n".join(filter(None, lines)),
            *rows_of([READY_MADE, MAKE_CHARACTER]),
            (desk_button(), set_up, proof_button()),
        ),
        accent=Accent.NEWS,
    )


def _offered(result: Result) -> tuple[Button, ...]:
    """What the game offers where a session starts or ends, such as dice of a reset."""
    return tuple(
        Button(id=press_id("do", one.id), label=one.follow_up.label) for one in result.follow_ups[:2]
    )


def started_reply(started: SessionStarted, before: "Recap | None" = None) -> Reply:
    """The reply to a session's start: who plays, and the ways on; what was before is folded."""
    lines = first_short(_started_versions(started))
    more = [*_offered(started.result)]
    more += [] if before is None else [previously_button(before.number)]
    if started.result.can_undo:
        more.append(Button(id=press_id("undo", started.result.entry), label="Undo the reset"))
    return Reply(
        blocks=(
            shorten("\n".join([*lines, FAIR]), LONGEST),
            (replace(controls_button(), look=Look.MAIN), desk_button(), proof_button()),
            *rows_of(more),
        ),
        accent=Accent.NEWS,
    )


def _started_versions(started: SessionStarted) -> Iterator[list[str]]:
    """Ever shorter versions of a session's start."""
    top, message = f"**Session {started.number} started** · ", started.result.message
    news = [*changes_by_thing(message.changes), *map(escape, message.notes)]
    yield [top + present_text(started.present), *news]
    top += present_text(started.present, with_people=False)
    yield [top, *news]
    log = "-# The rest is in /log."
    yield [top, *fitting([top, log], news), log]


def present_text(present: tuple[Present, ...], *, with_people: bool = True) -> str:
    """Who plays whom."""
    if not present:
        return "nobody has a character yet"
    shown = [
        f"**{escape(one.character)}**" + (f" (<@{one.person}>)" if with_people else "")
        for one in present[:12]
    ]
    more = len(present) - len(shown)
    return listed([*shown, f"{more} more" if more else ""], ", ")


def preview_reply(preview: "EndPreview", warnings: tuple[str, ...] = (), home: int = HERE) -> Reply:
    """A preview of the session's end with its button.

    Args:
        warnings: What will not be posted.
        home: The channel that the GM's desk leads; 0 for the one it is in.
    """
    resets = [f"- {line}" for line in changes_by_thing(preview.changes)]
    lines = [f"**Ending session {preview.number}** resets{':' if resets else ' nothing.'}", *resets]
    lines += map(escape, preview.notes)
    closing = [escape(name) for _id, name in preview.countdowns]
    lines += [f"Short countdowns that will be closed: {listed(closing, ', ')}"] if closing else []
    lines += _fight_lines(preview)
    lines += _open_lines(preview)
    awards = preview.awards
    lines += award_lines(awards) if awards is not None else []
    lines += ["The dice seed is revealed and the recap is posted. You can undo this."]
    lines += map(escape, warnings)
    buttons = (
        *_ending_buttons(preview, home),
        *_closing_buttons(preview, home),
        Button(id=press_id("session", "stay", preview.number), label="Not yet"),
    )
    giving = award_rows(awards, PREVIEW, home) if awards is not None else ()
    rows: tuple[Row, ...] = (*_keeping(preview, home), *giving, buttons)
    return Reply(text=shorten("\n".join(lines), LONGEST), accent=Accent.NEWS, rows=rows, is_private=True)


def _fight_lines(preview: "EndPreview") -> list[str]:
    """The fights that run, and that the GM chooses what becomes of them."""
    fights = preview.fights
    if not fights:
        return []
    shown = [
        f"<#{one.channel}> ({f'round {one.round}' if one.round else 'not begun'})"
        for one in fights[:MOST_OPEN]
    ]
    more = len(fights) - len(shown)
    where = listed([*shown, f"{more} more" if more else ""], ", ")
    running, it = ("A fight is", "it") if len(fights) == 1 else (f"{len(fights)} fights are", "them")
    return [f"**{running} running** in {where}. End {it} with the session, or keep {it} for next time?"]


def _ending_buttons(preview: "EndPreview", home: int) -> tuple[Button, ...]:
    """The button that ends the session; two if a fight runs."""

    def button(what: str, label: str, look: Look) -> Button:
        return Button(id=press_id("session", what, preview.number, home), label=label, look=look)

    if not preview.fights:
        return (button("end", "End the session", Look.GRAVE),)
    is_one = len(preview.fights) == 1
    return (
        button("both", "End both" if is_one else "End everything", Look.GRAVE),
        button("keep", "Keep the fight" if is_one else "Keep the fights", Look.PLAIN),
    )


def _open_lines(preview: "EndPreview") -> list[str]:
    """What is unsettled, where, and what the end of the session does about it."""
    if not preview.open:
        return []
    shown = preview.open[:MOST_OPEN]
    lines = [f"**{counted(len(preview.open), 'thing is', 'things are')} open:**"]
    lines += [f"- {_open_line(one, is_fighting=bool(preview.fights))}" for one in shown]
    more = len(preview.open) - len(shown)
    return [*lines, f"- and {more} more"] if more else lines


def _open_line(one: OpenThing, *, is_fighting: bool) -> str:
    where = "" if one.channel is None else f" in <#{one.channel}>"
    stays = "stays open unless its fight ends" if is_fighting else "stays open"  # which settles it
    open_ = "the GM decides; stays open until then" if one.is_gms else stays
    then = "settled when the session ends" if one.lapses else open_
    hidden = " (visible only to you)" if one.is_hidden else ""
    return f"{escape(one.what)}{where}{hidden}: {then}"


def _closing_buttons(preview: "EndPreview", home: int) -> tuple[Button, ...]:
    """Buttons to settle or waive what is open."""
    found = [one for one in preview.open if not one.is_gms]
    if not found:
        return ()
    count = "it" if len(preview.open) == 1 else f"all {len(found)}"
    return (
        Button(id=press_id("session", "settle", preview.number, home), label=f"Settle {count} first"),
        Button(id=press_id("session", "waive", preview.number, home), label=f"Waive {count}"),
    )


def _still_open(open_: tuple[str, ...]) -> str:
    """What stays unsettled after the session."""
    shown = [escape(one) for one in open_[:MOST_OPEN]]
    more = len(open_) - len(shown)
    return f"Still open for next time: {listed([*shown, f'{more} more' if more else ''], '; ')}"


def _keeping(preview: "EndPreview", home: int) -> tuple[Select, ...]:
    """The menu of countdowns to keep running."""
    choices = tuple(Choice(str(id_), plain(name, 100)) for id_, name in preview.countdowns[:IN_MENU])
    if not choices:
        return ()
    menu = press_id("countkeep", preview.number, home)
    return (Select(id=menu, prompt="Keep countdowns …", choices=choices, most=len(choices)),)


def ended_reply(ended: "SessionEnded", recap: "Recap") -> Reply:
    """The reply to a session's end: its picture, what was reset and the recap; the seed is behind *Proof*."""
    reset = ended.result.message.changes
    changes = list(changes_by_thing(resets_not_told(reset, recap.heroes)))
    changes += [] if reset or recap.fights else [NOTHING_WAS_RESET]  # a fight's end resets, too
    top = [f"**Session {ended.number} ended** · {facts_line(recap)}", WHY[ended.reason], *changes]
    news = [_still_open(ended.open)] if ended.open else []
    news += [*map(escape, ended.result.message.notes), *fact_lines(recap)]
    news += [escape(note) for note in ended.settled[:MOST_OPEN]]
    top = list(filter(None, top))
    is_short = is_whole(top, news, [])  # else what is behind More can be downloaded there
    download = Button(id=press_id("session", "file", ended.number), label="Download recap")
    buttons = [
        download if is_short else more_button(ended.number),
        Button(id=press_id("fair", "show"), label="Proof"),
        Button(id=press_id("undo", ended.result.entry), label="Undo the reset"),
    ]
    buttons += [open_award_button(ended.number)] if ended.may_award else []
    return Reply(
        text=shorten("\n".join(as_recap(top, news, [])), LONGEST),
        accent=Accent.NEWS,
        rows=tuple(filter(None, (tuple(buttons), _offered(ended.result)))),
        files=(recap_picture(recap),) if recap.heroes else (),
        is_pictured=True,
    )


PLAIN_BYTES = 2_000_000
MOST_BYTES = 9_500_000  # Discord takes ten megabytes


async def give_journal(interaction: Interaction, session: int | None = None) -> None:
    """Answer with the journal as a file (compressed if large), limited to what the person may read.

    Raises:
        UserError: If it is too large for Discord.
    """
    await interaction.response.defer(ephemeral=True, thinking=True)
    plain = io.BytesIO()
    packed: gzip.GzipFile | None = None
    async for line in verify.export_lines(*table_and_request(interaction), session):
        if packed is None and plain.tell() > PLAIN_BYTES:
            plain, packed = _packing(plain)
        (packed or plain).write(line.encode())
        if plain.tell() > MOST_BYTES:
            raise UserError("The journal is too big for one file.", try_this="Export it session by session.")
    if packed is not None:
        packed.close()
    name = f"journal-{session}" if session is not None else "journal"
    suffix = ".jsonl" if packed is None else ".jsonl.gz"
    await answer(interaction, journal_reply(f"{name}{suffix}", plain.getvalue()))


def _packing(plain: io.BytesIO) -> tuple[io.BytesIO, gzip.GzipFile]:
    """A compressed file in memory and the writer that fills it."""
    content = io.BytesIO()
    packed = gzip.GzipFile(fileobj=content, mode="wb", mtime=0)
    packed.write(plain.getvalue())
    return content, packed


def journal_reply(name: str, content: bytes) -> Reply:
    """The journal as a file."""
    file = Picture(name=name, content=content)
    text = "The journal, as far as you are allowed to read it. Check it with `tablekeeper verify FILE`."
    return Reply(text=text, files=(file,), is_private=True)
