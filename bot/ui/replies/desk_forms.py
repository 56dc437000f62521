"""The forms of the GM's desk."""

from collections.abc import Sequence

from bot.rules.kernel import Choice, FighterLine
from bot.table.gm.desk import Desk
from bot.table.gm.gm import ClockView, PurgePreview
from bot.ui.input.presses import press_id
from bot.ui.replies.desk_ids import desk_id
from bot.ui.text.reply import IN_MENU, Accent, Button, Field, Form, Look, MenuField, Reply
from bot.ui.text.text import escape, plain, shorten

LAST = "-"  # where somebody acts who acts after everybody else
UNITS = ("minutes", "hours", "days", "seconds")


def time_form(home: int) -> Form:
    """How much game time passes."""
    choices = tuple(Choice(unit, unit.capitalize()) for unit in UNITS)
    amount = Field(key="amount", label="How much", value="10", longest=6)
    unit = MenuField(key="unit", label="Unit", choices=choices, chosen=("minutes",), is_open=True)
    return Form(id=desk_id("time", home), title="Let time pass", fields=(amount, unit))


def rest_form(desk: Desk, home: int) -> Form:
    """How long who rests."""
    hours = Field(key="hours", label="How many hours", value="8", longest=4)
    everybody = tuple(Choice(one.name, plain(one.name, 100)) for one in desk.party[:IN_MENU])
    fields: list[Field | MenuField] = [hours]
    if everybody:
        chosen = tuple(one.value for one in everybody)
        fields.append(
            MenuField(key="who", label="Who", choices=everybody, least=0, most=len(everybody), chosen=chosen)
        )
    when = (Choice("now", "Rest at once"), Choice("ask", "Let others join first"))
    fields.append(MenuField(key="when", label="When", choices=when, chosen=("now",), is_open=True))
    return Form(id=desk_id("rest", home), title="Call for a rest", fields=tuple(fields))


def fight_form(desk: Desk, home: int) -> Form:
    """Who fights."""
    choices = tuple(Choice(name, plain(name, 100)) for name in desk.fighters[:IN_MENU])
    people = {one.name for one in desk.party}
    chosen = tuple(one.value for one in choices if one.value in people)
    who = MenuField(key="who", label="Who fights", choices=choices, most=len(choices), chosen=chosen)
    return Form(id=desk_id("battle", home), title="Start a fight", fields=(who,))


def award_form(desk: Desk, resources: Sequence[Choice], home: int) -> Form:
    """What is awarded to whom."""
    everybody = tuple(Choice(one.name, plain(one.name, 100)) for one in desk.party[:IN_MENU])
    chosen = tuple(one.value for one in everybody)
    return Form(
        id=desk_id("award", home),
        title="Award",
        fields=(
            MenuField(key="resource", label="What", choices=tuple(resources[:IN_MENU])),
            Field(key="amount", label="How much", note="Less than 0 takes away", value="1", longest=6),
            MenuField(key="who", label="Who", choices=everybody, most=len(everybody), chosen=chosen),
        ),
    )


def order_form(lines: Sequence[FighterLine], home: int) -> Form:
    """Who acts at another time in a fight, and before whom."""
    everybody = tuple(Choice(str(one.character), plain(one.name, 100)) for one in lines)
    who = MenuField(key="who", label="Who acts at another time", choices=everybody[:IN_MENU])
    places = (*everybody[: IN_MENU - 1], Choice(LAST, "Nobody: last of all"))
    before = MenuField(key="before", label="Before whom", choices=places)
    return Form(id=desk_id("order", home), title="Change the order", fields=(who, before))


def in_new_order(lines: Sequence[FighterLine], who: str, before: str) -> list[str]:
    """The names of a fight in the order that such a form asks for; none if it can't be had."""
    names = {str(one.character): one.name for one in lines}
    if who == before or who not in names or before not in {*names, LAST}:
        return []
    rest = [one for one in names if one != who]
    at = len(rest) if before == LAST else rest.index(before)
    return [names[one] for one in (*rest[:at], who, *rest[at:])]


LONGEST = 4000


def purge_reply(preview: PurgePreview) -> Reply:
    """A preview of what a purge removes, with the button that does it."""
    campaigns = f"{preview.campaigns} campaign{'' if preview.campaigns == 1 else 's'}"
    characters = f"{preview.characters} character{'' if preview.characters == 1 else 's'}"
    lines = [
        f"**This deletes everything I store about this server**: {campaigns}, "
        f"{characters}, every session, the whole journal and all seeds.",
        "This can't be undone. Download the journal with /gm export first.",
    ]
    buttons = (
        Button(id=press_id("purge", "yes"), label="Delete everything", look=Look.GRAVE),
        Button(id=press_id("purge", "no"), label="Keep it"),
    )
    return Reply(text="\n".join(lines), accent=Accent.FAILURE, rows=(buttons,), is_private=True)


def purged_reply(*, is_purged: bool) -> Reply:
    """The text that replaces the purge question once it is answered."""
    text = "Everything about this server has been deleted." if is_purged else "Nothing was deleted."
    return Reply(text=text, is_private=True)


def clock_reply(view: ClockView) -> Reply:
    """The game clock and the running timers."""
    waiting = [f"- {escape(line)}" for line in view.waiting] or ["No timers are running."]
    return Reply(text=shorten("\n".join([f"It is **{view.moment}**.", *waiting]), LONGEST), is_private=True)
