"""Secrets in words: the GM's page of them, one of them before it is revealed, and what players were given."""

from collections.abc import Sequence

from bot.rules.kernel import Choice
from bot.table.base.paging import page_of
from bot.table.base.results import EntryId, Result
from bot.table.gm.gm_secrets import (
    LONGEST_TEXT,
    LONGEST_TITLE,
    Handout,
    Secret,
    SecretKind,
    SecretsPage,
    SecretView,
)
from bot.ui.input.presses import picture_field, press_id
from bot.ui.replies.desk_ids import HERE, desk_button
from bot.ui.replies.result_replies import ACCENTS
from bot.ui.replies.result_text import card_lines
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
from bot.ui.text.text import LINE_LENGTH, escape, listed, plain, shorten

SECRETS, GIVEN = "secrets", "given"  # the kinds of press
TITLE, TEXT = "title", "text"
DICE, ABOUT = "dice", "about"
WORDS = {
    SecretKind.NPC: "NPC",
    SecretKind.ROLL: "Roll",
    SecretKind.NOTE: "Note",
    SecretKind.COUNTDOWN: "Countdown",
}
GIVEN_PAGE = 10
LONGEST_SHOWN = 3500


def secret_id(what: str, home: int, *arguments: object) -> str:
    """The id of a button, menu or form about secrets, of a desk that leads the channel *home*."""
    return press_id(SECRETS, what, home, *arguments)


def open_secrets(home: int) -> Button:
    """The button of the desk that leads to the secrets."""
    return Button(id=secret_id("home", home, 0), label="Secrets")


def secrets_reply(page: SecretsPage, done: EntryId | None = None, home: int = HERE) -> Reply:
    """A page of what only the GM knows.

    Args:
        page: The page.
        home: The channel that the GM's desk leads; 0 for the one it is in.
        done: The entry of what was just done, to be undone; None if nothing was.
    """
    blocks: list[Block] = [f"### Secrets · {escape(page.campaign)}"]
    blocks += ["\n".join(map(_line, page.secrets)) or "Nothing is secret here."]
    if page.secrets:
        choices = tuple(
            Choice(f"{one.kind}/{one.id}", plain(f"{_kind(one)}: {one.name}", 100)) for one in page.secrets
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
        blocks.append(_undo(done, home))
    return private_page(blocks)


def show_roll_button(entry: EntryId) -> Button:
    """The button that shows a GM's secret roll to everybody, right under it."""
    return Button(id=secret_id("all", HERE, SecretKind.ROLL, entry), label="Show to all")


def roll_form(home: int) -> Form:
    """The form of a roll that only GMs see until one reveals it."""
    dice = Field(key=DICE, label="Dice", note="Such as 2d6+3", longest=200)
    about = Field(key=ABOUT, label="What it is for", longest=80, is_required=False)
    return Form(id=secret_id("roll", home), title="Secret roll", fields=(dice, about))


def _kind(one: Secret) -> str:
    return "Handout" if one.has_picture else WORDS[one.kind]


def _line(one: Secret) -> str:
    line = f"{_kind(one)} · {one.name}"
    line += f" · known to {', '.join(one.people)}" if one.people else ""
    return escape(shorten(line, LINE_LENGTH))


def _undo(done: EntryId | None, home: int) -> tuple[Button, ...]:
    return () if done is None else (Button(id=secret_id("undo", home, done), label="Undo"),)


def secret_reply(
    view: SecretView, done: EntryId | None = None, home: int = HERE, quietly: Sequence[str] = ()
) -> Reply:
    """One secret: exactly what players will see, and who is to see it.

    Args:
        view: The secret.
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
        label = "Reveal" if secret.kind in {SecretKind.NPC, SecretKind.COUNTDOWN} else "Show to all"
        shows = [Button(id=secret_id("all", home, *place), label=label, look=Look.MAIN)]
        if secret.kind is SecretKind.COUNTDOWN and not secret.people:
            shows.append(Button(id=secret_id("known", home, *place), label="Only its name"))
        blocks.append(tuple(shows))
    changes: list[Button] = []
    if secret.kind is SecretKind.NOTE:
        changes.append(Button(id=secret_id("edit", home, secret.id), label="Edit"))
        changes.append(Button(id=secret_id("remove", home, secret.id), label="Remove", look=Look.GRAVE))
    if secret.kind in {SecretKind.ROLL, SecretKind.NOTE} and (secret.people or view.is_out):
        changes.append(Button(id=secret_id("back", home, *place), label="Take back"))
    blocks += [tuple(changes)] if changes else []
    back = Button(id=secret_id("home", home, 0), label="Secrets")
    blocks.append((back, desk_button(home), *_undo(done, home)))
    return private_page(blocks)


def _shown(view: SecretView) -> list[Block]:
    """What players see of a secret."""
    if view.roll is not None:
        return ["\n".join(card_lines(view.roll)[0])]
    if view.handout is not None:
        return _handout_blocks(view.handout)
    return [f"**{escape(view.sentence)}**"]


def _handout_blocks(one: Handout) -> list[Block]:
    lines = [f"**{escape(one.title)}**", *map(escape, one.text.split("\n"))]
    blocks: list[Block] = [shorten("\n".join(lines).strip(), LONGEST_SHOWN)]
    if one.picture:
        blocks.append(Picture("handout.webp", one.picture, plain(f"Picture: {one.title}", 200)))
    return blocks


def handout_reply(one: Handout, *, is_private: bool) -> Reply:
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


def shown_alone_reply(by: str, names: Sequence[str], view: SecretView) -> Reply:
    """What everybody may know of something that some were shown: not what it is."""
    what = "note" if view.handout is not None else "roll"
    button = Button(id=press_id(GIVEN, what, view.secret.id), label="Read", look=Look.MAIN)
    to = listed((f"**{escape(name)}**" for name in names), ", ")
    return Reply(text=f"**{escape(by)}** shows {to} something.", rows=((button,),))


def given_reply(found: Sequence[Handout], page: int) -> Reply:
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


def note_form(id_: str, *, has_picture: bool, before: Handout | None = None) -> Form:
    """The form in which a note or handout is written.

    Args:
        id_: The id of its submission.
        has_picture: Whether a picture can be uploaded.
        before: The one to change; None for a new one.
    """
    title, text = (before.title, before.text) if before else ("", "")
    fields: list[Field | FileField] = [
        Field(key=TITLE, label="Title", value=title, longest=LONGEST_TITLE),
        Field(
            key=TEXT,
            label="Text",
            value=text,
            longest=LONGEST_TEXT,
            is_required=not has_picture,
            is_long=True,
        ),
    ]
    if has_picture:
        fields.append(picture_field())
    what = "handout" if has_picture else "note"
    return Form(id=id_, title=f"Edit {what}" if before else f"New {what}", fields=tuple(fields))
