"""The GM's secrets: their page, one before it is revealed, and what players are shown of them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bot.rules.kernel import Choice
from bot.table.base.access import page_of
from bot.table.base.results import EntryId, Result
from bot.table.gm import gm, gm_secrets
from bot.table.journal import journal
from bot.table.play import play
from bot.ui.commands.at_desk import AtDesk, answer_there, show_page, tell_there
from bot.ui.input.answer import answer, ask_form, in_time
from bot.ui.input.presses import (
    Interaction,
    OutOfDate,
    Press,
    picture_field,
    press_id,
    table_and_request,
    uploaded_picture,
)
from bot.ui.replies.links import HERE, SECRETS, desk_button, secret_id
from bot.ui.replies.result_replies import ACCENTS, card_lines, undo_reply
from bot.ui.text.reply import (
    Accent,
    Block,
    Button,
    Divider,
    Field,
    FileField,
    Form,
    Look,
    Picture,
    Reply,
    Select,
    private_page,
)
from bot.ui.text.roll_text import LINE_LENGTH, as_written, escape, listed, plain, shorten

if TYPE_CHECKING:
    from bot.table.gm.gm_secrets import Handout, Revealed, Secret, SecretKind, SecretsPage, SecretView

LONGEST_NUMBER = 19  # digits of a number that no column of the store holds


async def on_secrets(interaction: Interaction, press: Press) -> None:
    """Handle a press on the GM's secrets, in the channel that their desk leads."""
    seat = AtDesk(interaction, press.number(1))
    table, request = seat.table, seat.request
    match press.argument(0):
        case "list":
            page = await gm_secrets.secrets_page(table, request)
            await answer(interaction, secrets_reply(page, home=seat.home))
        case "home":
            await _show_page(seat, press.number(2))
        case "open":
            kind, _, id_ = press.chosen().partition("/")
            await _show(seat, _kind(kind), id_)
        case "look":
            view = await gm_secrets.open_secret(table, request, gm_secrets.SecretKind.ROLL, press.argument(2))
            await answer(interaction, secret_reply(view, home=seat.home))
        case "all" | "known":
            await _show_all(seat, _kind(press.argument(2)), press.argument(3), press.argument(0))
        case "some" | "quiet" as how:
            only = [int(one) for one in press.values if one.isdecimal() and len(one) < LONGEST_NUMBER]
            place = (_kind(press.argument(2)), press.argument(3))
            revealed = await gm_secrets.reveal(table, request, *place, only)
            await _tell(seat, revealed, is_quiet=how == "quiet")
        case "back":
            place = (_kind(press.argument(2)), press.argument(3))
            await _tell(seat, await gm_secrets.reveal(table, request, *place, []))
        case "note" | "handout":
            await _write(seat, press)
        case "roll":
            await _roll(seat, press)
        case "edit":
            await _edit(seat, press)
        case "remove":
            removed = await gm_secrets.remove_handout(table, request, press.argument(2))
            await _show_page(seat, 0, removed.entry)
        case "undo":
            await _undo(seat, EntryId(press.number(2)))
        case _:
            raise OutOfDate


async def on_given(interaction: Interaction, press: Press) -> None:
    """Show a player what they were given."""
    table, request = table_and_request(interaction)
    match press.argument(0):
        case "list":
            found = await gm_secrets.given(table, request)
            await answer(interaction, given_reply(found, press.number(1)))
        case "open" | "note":
            id_ = press.chosen() if press.argument(0) == "open" else press.argument(1)
            handout = await gm_secrets.read_handout(table, request, id_)
            await answer(interaction, handout_reply(handout, is_private=True))
        case "roll":
            result = await gm_secrets.read_shown(table, request, EntryId(press.number(1)))
            await answer(interaction, roll_reply(result, is_private=True))
        case _:
            raise OutOfDate


def _kind(written: str) -> "SecretKind":
    try:
        return gm_secrets.SecretKind(written)
    except ValueError:
        raise OutOfDate from None


async def _show_page(seat: AtDesk, page: int, done: EntryId | None = None) -> None:
    found = await in_time(seat.interaction, gm_secrets.secrets_page(seat.table, seat.request, page))
    await show_page(seat, secrets_reply(found, done, seat.home))


async def _show(seat: AtDesk, kind: "SecretKind", id_: str, done: EntryId | None = None) -> None:
    view = await in_time(seat.interaction, gm_secrets.open_secret(seat.table, seat.request, kind, id_))
    await show_page(seat, secret_reply(view, done, seat.home))


async def _show_all(seat: AtDesk, kind: "SecretKind", id_: str, how: str) -> None:
    """Reveal something to everybody; the GM's page says so, and everybody is told."""
    table, request = seat.table, seat.request
    if kind in {gm_secrets.SecretKind.ROLL, gm_secrets.SecretKind.NOTE}:
        await _tell(seat, await gm_secrets.reveal(table, request, kind, id_))
        return
    is_known_only = how == "known"
    result = await gm_secrets.show_to_all(table, request, kind, id_, is_known_only=is_known_only)
    await _show(seat, kind, id_, result.entry)
    await tell_there(seat, result)


async def _tell(seat: AtDesk, revealed: "Revealed", *, is_quiet: bool = False) -> None:
    """Show the GM how a secret stands now, and people what they were shown; or nobody, quietly."""
    view, by = revealed.view, seat.request.person_name
    quietly = revealed.names if is_quiet else ()
    await show_page(seat, secret_reply(view, revealed.result.entry, seat.home, quietly))
    if quietly:
        return
    if view.is_out and view.roll is not None:
        await answer_there(seat, roll_reply(view.roll, by, is_private=False))
    elif view.is_out and view.handout is not None:
        await answer_there(seat, handout_reply(view.handout, is_private=False))
    elif revealed.names:
        await answer_there(seat, shown_alone_reply(by, revealed.names, view))


async def _roll(seat: AtDesk, press: Press) -> None:
    """Open the form of a secret roll, or roll and show what players would see."""
    await gm.require_gm(seat.table, seat.request)
    if DICE not in press.fields:
        await ask_form(seat.interaction, roll_form(seat.home))
        return
    about = press.fields.get(ABOUT, "")
    rolling = play.roll(seat.table, seat.request, press.fields[DICE], about, is_secret=True)
    rolled = await in_time(seat.interaction, rolling)
    await _show(seat, gm_secrets.SecretKind.ROLL, str(rolled.entry))


async def _write(seat: AtDesk, press: Press) -> None:
    """Open the form of a new note or handout, or save what was written there."""
    await gm.require_gm(seat.table, seat.request)
    if TITLE not in press.fields:
        is_handout = press.argument(0) == "handout"
        form = note_form(press_id(SECRETS, *press.arguments), has_picture=is_handout)
        await ask_form(seat.interaction, form)
        return
    await _save(seat, press)


async def _edit(seat: AtDesk, press: Press) -> None:
    """Open the form of a note or handout with what is in it, or save what was written there."""
    id_ = press.argument(2)
    await gm.require_gm(seat.table, seat.request)
    if TITLE not in press.fields:
        before = await gm_secrets.read_handout(seat.table, seat.request, id_)
        form = note_form(press_id(SECRETS, *press.arguments), has_picture=True, before=before)
        await ask_form(seat.interaction, form)
        return
    await _save(seat, press, id_)


async def _save(seat: AtDesk, press: Press, id_: str = "") -> None:
    title, text = press.fields.get(TITLE, ""), press.fields.get(TEXT, "")
    async with uploaded_picture(seat.interaction, press) as content:
        which, saved = await gm_secrets.save_handout(
            seat.table, seat.request, title, text, id_=id_, content=content
        )
    await _show(seat, gm_secrets.SecretKind.NOTE, which, saved.entry)


async def _undo(seat: AtDesk, entry: EntryId) -> None:
    """Undo what was done on the page; where something stands in the way, say so."""
    await gm.require_gm(seat.table, seat.request)
    done = await journal.undo(seat.table, seat.request, entry, is_sure=True)
    if isinstance(done, journal.Undone):
        await _show_page(seat, 0)
    else:
        await answer(seat.interaction, undo_reply(done))


# --- words ---------------------------------------------------------------------------------------

GIVEN = "given"  # the kind of press
TITLE, TEXT = "title", "text"
DICE, ABOUT = "dice", "about"
WORDS = {  # of a `SecretKind`
    "npc": "NPC",
    "roll": "Roll",
    "note": "Note",
    "countdown": "Countdown",
}
GIVEN_PAGE = 10
LONGEST_SHOWN = 3500


def secrets_reply(page: "SecretsPage", done: EntryId | None = None, home: int = HERE) -> Reply:
    """A page of what only the GM knows.

    Args:
        home: The channel that the GM's desk leads; 0 for the one it is in.
        done: The entry of what was just done, to be undone; None if nothing was.
    """
    blocks: list[Block] = [f"### Secrets · {escape(page.campaign)}"]
    blocks += ["\n".join(map(_line, page.secrets)) or "Nothing is secret here."]
    if page.secrets:
        choices = tuple(
            Choice(f"{one.kind}/{one.id}", plain(f"{_kind_word(one)}: {one.name}", 100))
            for one in page.secrets
        )
        blocks.append(Select(id=secret_id("open", home), prompt="Look at, or reveal …", choices=choices))
    blocks.append(
        (
            Button(id=secret_id("note", home), label="New note …"),
            Button(id=secret_id("handout", home), label="New handout …"),
            Button(id=secret_id("roll", home), label="Secret roll …"),
        )
    )
    last = [
        desk_button(home),
        Button(id=secret_id("home", home, page.page), label="Refresh"),
    ]
    if page.pages > 1:
        following = (page.page + 1) % page.pages
        label = f"More ({page.page + 1}/{page.pages})"
        last.append(Button(id=secret_id("home", home, following), label=label))
    blocks.append(tuple(last))
    if done is not None:
        blocks.append(_undo_button(done, home))
    return private_page(blocks)


def roll_form(home: int) -> Form:
    """The form of a roll that only GMs see until one reveals it."""
    dice = Field(key=DICE, label="Dice", note="Such as 2d6+3", longest=200)
    about = Field(key=ABOUT, label="What it is for", longest=80, is_required=False)
    return Form(id=secret_id("roll", home), title="Secret roll", fields=(dice, about))


def _kind_word(one: "Secret") -> str:
    return "Handout" if one.has_picture else WORDS[one.kind]


def _line(one: "Secret") -> str:
    line = f"{_kind_word(one)} · {one.name}"
    line += f" · known to {', '.join(one.people)}" if one.people else ""
    return escape(shorten(line, LINE_LENGTH))


def _undo_button(done: EntryId | None, home: int) -> tuple[Button, ...]:
    return () if done is None else (Button(id=secret_id("undo", home, done), label="Undo"),)


def secret_reply(
    view: "SecretView", done: EntryId | None = None, home: int = HERE, quietly: Sequence[str] = ()
) -> Reply:
    """One secret: exactly what players will see, and who is to see it.

    Args:
        home: The channel that the GM's desk leads; 0 for the one it is in.
        done: The entry of what was just done, to be undone; None if nothing was.
        quietly: Who was just shown it without a public word.
    """
    secret, place = view.secret, (view.secret.kind, view.secret.id)
    people = listed(map(escape, secret.people), ", ")
    known = f"Known to {people}." if people else "Known to nobody but you."
    head = "Everybody has seen this:" if view.is_out else f"{known} This is what they would see:"
    if quietly:
        head += f"\n-# Nobody was told: {listed(map(escape, quietly), ', ')} can read it under /log."
    blocks: list[Block] = [f"-# {head}", Divider(), *_shown(view), Divider()]
    can_choose = view.players and not view.is_out
    if can_choose:
        most = len(view.players)
        for what, prompt in (("some", "Show only to …"), ("quiet", "Show quietly to …")):
            menu = secret_id(what, home, *place)
            blocks.append(Select(id=menu, prompt=prompt, choices=view.players, most=most))
    if not view.is_out:
        label = (
            "Reveal"
            if secret.kind in {gm_secrets.SecretKind.NPC, gm_secrets.SecretKind.COUNTDOWN}
            else "Show to all"
        )
        shows = [Button(id=secret_id("all", home, *place), label=label, look=Look.MAIN)]
        if secret.kind is gm_secrets.SecretKind.COUNTDOWN and not secret.people:
            shows.append(Button(id=secret_id("known", home, *place), label="Only its name"))
        blocks.append(tuple(shows))
    changes: list[Button] = []
    if secret.kind is gm_secrets.SecretKind.NOTE:
        changes.append(Button(id=secret_id("edit", home, secret.id), label="Edit"))
        changes.append(Button(id=secret_id("remove", home, secret.id), label="Remove", look=Look.GRAVE))
    if secret.kind in {gm_secrets.SecretKind.ROLL, gm_secrets.SecretKind.NOTE} and (
        secret.people or view.is_out
    ):
        changes.append(Button(id=secret_id("back", home, *place), label="Take back"))
    blocks += [tuple(changes)] if changes else []
    back = Button(id=secret_id("home", home, 0), label="Secrets")
    blocks.append((back, desk_button(home), *_undo_button(done, home)))
    return private_page(blocks)


def _shown(view: "SecretView") -> list[Block]:
    """What players see of a secret."""
    if view.roll is not None:
        return ["\n".join(card_lines(view.roll)[0])]
    if view.handout is not None:
        return _handout_blocks(view.handout)
    return [f"**{escape(view.sentence)}**"]


def _handout_blocks(one: "Handout") -> list[Block]:
    lines = [f"**{escape(one.title)}**", *map(as_written, one.text.split("\n"))]
    blocks: list[Block] = [shorten("\n".join(lines).strip(), LONGEST_SHOWN)]
    if one.picture:
        blocks.append(Picture("handout.webp", one.picture, plain(f"Picture: {one.title}", 200)))
    return blocks


def handout_reply(one: "Handout", *, is_private: bool) -> Reply:
    """A note or handout as it is read."""
    return Reply(blocks=tuple(_handout_blocks(one)), accent=Accent.NEWS, is_private=is_private)


def roll_reply(result: Result, by: str = "", *, is_private: bool) -> Reply:
    """A revealed roll.

    Args:
        result: The roll, as everybody sees it.
        by: The GM who reveals it, where that is to be said.
        is_private: Whether only the person who asked sees it.
    """
    lines = [f"-# Revealed by {escape(by)}:"] if by else []
    verdict = result.message.verdict
    return Reply(
        text=shorten("\n".join([*lines, *card_lines(result)[0]]), LONGEST_SHOWN),
        accent=Accent.NEWS if verdict is None else ACCENTS[verdict.for_heroes],
        rows=((Button(id=press_id("details", result.entry), label="Details"),),) if result.rolls else (),
        is_private=is_private,
    )


def shown_alone_reply(by: str, names: Sequence[str], view: "SecretView") -> Reply:
    """What everybody may know of something that some were shown: not what it is."""
    what = "note" if view.handout is not None else "roll"
    button = Button(id=press_id(GIVEN, what, view.secret.id), label="Read", look=Look.MAIN)
    to = listed((f"**{escape(name)}**" for name in names), ", ")
    return Reply(text=f"**{escape(by)}** shows {to} something.", rows=((button,),))


def given_reply(found: "Sequence[Handout]", page: int) -> Reply:
    """What a person was given, to read again."""
    if not found:
        return Reply(text="You were given no notes or handouts yet.", accent=Accent.BOARD, is_private=True)
    at = page_of(found, page, GIVEN_PAGE)
    choices = tuple(Choice(one.id, plain(one.title, 100)) for one in at.shown)
    lines = ["### Notes and handouts", *(escape(shorten(one.title, LINE_LENGTH)) for one in at.shown)]
    blocks: list[Block] = ["\n".join(lines)]
    blocks.append(Select(id=press_id(GIVEN, "open"), prompt="Read …", choices=choices))
    if at.pages > 1:
        label = f"More ({at.number + 1}/{at.pages})"
        blocks.append((Button(id=press_id(GIVEN, "list", at.following), label=label),))
    return private_page(blocks)


def note_form(id_: str, *, has_picture: bool, before: "Handout | None" = None) -> Form:
    """The form in which a note or handout is written.

    Args:
        id_: The id of its submission.
        has_picture: Whether a picture can be uploaded.
        before: The one to change; None for a new one.
    """
    title, text = (before.title, before.text) if before else ("", "")
    fields: list[Field | FileField] = [
        Field(key=TITLE, label="Title", value=title, longest=gm_secrets.LONGEST_TITLE),
        Field(
            key=TEXT,
            label="Text",
            value=text,
            longest=gm_secrets.LONGEST_TEXT,
            is_required=not has_picture,
            is_long=True,
        ),
    ]
    if has_picture:
        fields.append(picture_field())
    what = "handout" if has_picture else "note"
    return Form(id=id_, title=f"Edit {what}" if before else f"New {what}", fields=tuple(fields))
