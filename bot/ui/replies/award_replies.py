"""Awards at a session's end: buttons for everybody present, and a form for anything else."""

from bot.rules.kernel import Choice
from bot.rules.kernel.wording import counted
from bot.table.sessions.awards import AwardOffer, SessionAwards
from bot.ui.input.presses import press_id
from bot.ui.replies.desk_ids import HERE, desk_button
from bot.ui.text.reply import IN_MENU, Accent, Button, Field, Form, Look, MenuField, Reply, rows_of
from bot.ui.text.text import escape, listed, plain, shorten

AWARD = "award"  # the kind of press
MOST_NAMES = 6
PREVIEW, PAGE = "end", "page"  # where the buttons stand


def award_lines(awards: SessionAwards) -> list[str]:
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


def award_rows(awards: SessionAwards, where: str, home: int = HERE) -> tuple[tuple[Button, ...], ...]:
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


def _give(number: int, where: str, offer: AwardOffer, amount: int, home: int) -> Button:
    id_ = press_id(AWARD, number, where, "give", offer.key, amount, home)
    return Button(id=id_, label=counted(amount, offer.unit), look=Look.GOOD)


def open_award_button(number: int) -> Button:
    """The button that shows a GM the awards of a session."""
    return Button(id=press_id(AWARD, number, PAGE, "open"), label="Award …")


def awards_reply(awards: SessionAwards) -> Reply:
    """The page of a session's awards, for a GM only."""
    lines = [f"**Awards for session {awards.number}** · each character present gets it"]
    lines += award_lines(awards) or ["No player has a character here."]
    text = shorten("\n".join(lines), 4000)
    rows = (*award_rows(awards, PAGE), (desk_button(),))
    return Reply(text=text, accent=Accent.NEWS, rows=rows, is_private=True)


def award_form(awards: SessionAwards, where: str, home: int = HERE) -> Form:
    """The form in which a GM chooses who gets how much of what."""
    characters = tuple(Choice(str(id_), plain(name, 100)) for id_, name in awards.characters[:IN_MENU])
    who = MenuField(
        key="who",
        label="Who",
        choices=characters,
        most=len(characters),
        chosen=tuple(map(str, awards.present)),
    )
    what = MenuField(
        key="what",
        label="What",
        choices=tuple(Choice(offer.key, offer.title) for offer in awards.offers),
        chosen=(awards.offers[0].key,),
        is_open=True,
    )
    amount = Field(
        key="amount", label="How many each", value=str(awards.offers[0].usual[0]), longest=6, is_required=True
    )
    fields = (who, what, amount) if len(awards.offers) > 1 else (who, amount)
    return Form(id=press_id(AWARD, awards.number, where, "sent", home), title="Award", fields=fields)
