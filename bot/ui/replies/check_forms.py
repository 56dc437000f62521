"""The form in which a GM chooses what to ask somebody's character for."""

from bot.rules.kernel import Choice
from bot.rules.kernel.errors import UserError
from bot.table.requests.check_offers import CheckOffer, OfferedCheck
from bot.table.requests.requested_checks import Wanted
from bot.ui.input.presses import Press, press_id
from bot.ui.text.reply import Field, Form, MenuField
from bot.ui.text.text import plain, shorten

KIND = "askfor"
IN_MENU = 25
MOST_MENUS = 3  # of a form's five fields
LONGEST = 100  # of a choice's value and label
BETWEEN = "|"
WHAT, DIFFICULTY, NOTE = "what", "difficulty", "note"


def check_form(offer: CheckOffer) -> Form:
    """The form for one character."""
    choices = _choices(offer.checks)
    menus = [choices[at : at + IN_MENU] for at in range(0, len(choices), IN_MENU)][:MOST_MENUS]
    fields: list[Field | MenuField] = [
        MenuField(
            key=f"{WHAT}{number}",
            label="What to ask for" if len(menus) == 1 else f"What to ask for ({number} of {len(menus)})",
            note="" if len(menus) == 1 else shorten(f"{menu[0].label} to {menu[-1].label}", LONGEST),
            choices=tuple(menu),
            least=1 if len(menus) == 1 else 0,
        )
        for number, menu in enumerate(menus, 1)
    ]
    if offer.difficulties:
        fields.append(_difficulty(offer.difficulties))
    fields.append(Field(key=NOTE, label="What it is about", longest=200, is_required=False))
    return Form(
        id=press_id(KIND, offer.character),
        title=plain(f"Ask {offer.name} for a check", 45),
        fields=tuple(fields),
    )


def _choices(checks: tuple[OfferedCheck, ...]) -> list[Choice]:
    has_several = len({one.check for one in checks}) > 1
    labels = {f"{one.check}{BETWEEN}{one.what}": _label(one, has_several=has_several) for one in checks}
    return [Choice(value, label) for value, label in labels.items() if len(value) <= LONGEST]


def _label(one: OfferedCheck, *, has_several: bool) -> str:
    parts = (one.check, one.what) if has_several else (one.what or one.check,)
    return plain(_capital(": ".join(filter(None, parts))), LONGEST)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _difficulty(difficulties: tuple[str, ...]) -> Field | MenuField:
    if len(difficulties) > IN_MENU:
        return Field(key=DIFFICULTY, label="Difficulty", is_required=False)
    choices = tuple(Choice(name, name) for name in difficulties)
    return MenuField(key=DIFFICULTY, label="Difficulty", choices=choices, least=0)


def wanted_by(press: Press) -> Wanted:
    """What a GM chose in the form.

    Raises:
        UserError: If that is no check, or more than one.
    """
    chosen = [one for key, values in press.choices.items() if key.startswith(WHAT) for one in values]
    if len(chosen) != 1:
        raise UserError("Choose one thing to ask for.", try_this="Open the form again, or use /gm ask.")
    check, _, what = chosen[0].partition(BETWEEN)
    difficulty = next(iter(press.choices.get(DIFFICULTY, ())), press.fields.get(DIFFICULTY, ""))
    return Wanted(
        check=check,
        what=what,
        difficulty=difficulty,
        who=(press.number(),),
        note=press.fields.get(NOTE, ""),
    )
