"""The pages of the character wizard: questions, missing answers and navigation."""

from collections.abc import Sequence

from bot.rules.kernel import Choice, Question, TextField
from bot.table.characters.creation_pages import WizardPage, leaves
from bot.ui.input.presses import press_id
from bot.ui.replies.sheets import section_text
from bot.ui.text.reply import (
    IN_ROW,
    Block,
    Button,
    ButtonBeside,
    Divider,
    Field,
    Form,
    Look,
    Reply,
    Select,
    private_page,
    rows_of,
)
from bot.ui.text.roll_text import roll_line
from bot.ui.text.text import escape, plain, shorten

LONGEST_PREVIEW = 1500
LONGEST_ANSWER = 300
MOST_PROBLEMS = 4
MOST_MISSING = 6  # steps
LONGEST_LEAF_NAME = 14


def page_reply(page: WizardPage, key: str = "", leaf: int = 0) -> Reply:
    """One private page of the wizard.

    Args:
        page: The page.
        key: A question whose choices take several menus.
        leaf: Which of them is open.
    """
    blocks: list[Block] = [_heading(page)]
    blocks += [_listed(page.gone)] if page.gone else []
    blocks += [_written(blank, page) for blank in page.step.blanks]
    for question in page.step.picks:
        blocks += _asked(question, page, leaf if question.key == key else None)
    blocks += _dice(page)
    if page.beside(1) is None:
        blocks += _summary(page)
    problems = [sentence for where, sentence in page.problems if where == page.step.key]
    if problems and page.answers:
        blocks.append(_listed(problems[:MOST_PROBLEMS]))
    blocks += [Divider(), _ways(page)]
    return private_page(blocks)


def _heading(page: WizardPage) -> str:
    place = f"{page.number} of {len(page.steps)}"
    title = f"**{escape(page.step.title)}** · new character, {escape(page.game)} · {place}"
    return "\n".join([title, *(escape(line) for line in page.step.text.split("\n"))])


def _written(blank: TextField, page: WizardPage) -> str:
    given = "".join(page.answers.get(blank.key, ()))
    missing = "–" if blank.is_required else "· optional"
    answer = f"**{shorten(escape(given), LONGEST_ANSWER)}**" if given else missing
    return f"{escape(blank.prompt)} {answer}"


def _listed(sentences: Sequence[str]) -> str:
    return "\n".join(f"-# {escape(one)}" for one in sentences)


def _dice(page: WizardPage) -> list[Block]:
    """The dice rolled so far, and buttons for the others."""
    thrown = [(throw, page.thrown.get(throw.key)) for throw in page.step.throws]
    blocks: list[Block] = [
        f"{roll_line(roll)} · **{escape(roll.verdict.title)}**" for _throw, roll in thrown if roll is not None
    ]
    buttons = tuple(
        Button(id=press_id("draft", page.draft, "throw", throw.key), label=throw.label, look=Look.MAIN)
        for throw, roll in thrown
        if roll is None
    )
    if buttons:
        blocks += ["-# You roll once, in public, and keep the result.", buttons]
    return blocks


def _asked(question: Question, page: WizardPage, leaf: int | None) -> list[Block]:
    """A question with its menu, and buttons to its other menus if it has several."""
    chosen = page.answers.get(question.key, ())
    labels = {choice.value: choice.label for choice in question.choices}
    if question.key in page.settled:
        given = ", ".join(labels.get(value, value) for value in chosen)
        return [f"**{escape(question.prompt)}** {escape(given)}\n-# Already rolled, so this can't change."]
    if not question.choices:
        return [f"**{escape(question.prompt)}**", *_not_yet(page)]
    menus = leaves(question.choices)
    if leaf is None or leaf >= len(menus):
        leaf = _leaf_of(menus, chosen)
    title = f"**{escape(question.prompt)}**"
    if len(menus) > 1 and chosen:
        title += shorten(
            f" {escape(', '.join(labels.get(value, value) for value in chosen))}", LONGEST_ANSWER
        )
    titles = [] if title == f"**{escape(page.step.title)}**" else [title]  # the page's own title says it
    return [*titles, _select(question, page, menus, leaf), *_turns(question, page, menus, leaf)]


def _not_yet(page: WizardPage) -> list[Block]:
    """Why a question has no choices yet, and a button to the step that is missing an answer.

    A question has no choices only where an earlier answer is to give them.
    """
    keys = [key for key, _title in page.steps]
    wanted = [one for one in page.problems if one[0] in keys[: page.number - 1]]
    if not wanted:
        return ["-# Nothing to choose here."]
    where, sentence = min(wanted, key=lambda one: keys.index(one[0]))
    title = dict(page.steps)[where]
    way = Button(id=_way_to(page, where), label=f"Go to {title}", look=Look.MAIN)
    return [f"-# Nothing to choose here yet. First, {escape(title)}: {escape(sentence)}", (way,)]


def _way_to(page: WizardPage, step: str) -> str:
    """The id of a button to a step; "Back" may lead there too, and has another id."""
    return press_id("draft", page.draft, "turn", step, "go")


def _leaf_of(menus: "list[Sequence[Choice]]", chosen: tuple[str, ...]) -> int:
    """The first menu that contains a chosen answer."""
    holding = (at for at, menu in enumerate(menus) if any(choice.value in chosen for choice in menu))
    return next(holding, 0)


def _select(question: Question, page: WizardPage, menus: "list[Sequence[Choice]]", leaf: int) -> Select:
    choices = tuple(menus[leaf])
    return Select(
        id=press_id("draft", page.draft, "pick", question.key, leaf),
        prompt=question.prompt,
        choices=choices,
        least=min(question.least, len(choices)) if len(menus) == 1 or question.most == 1 else 0,
        most=min(question.most, len(choices)),
        chosen=page.answers.get(question.key, ()),
    )


def _turns(
    question: Question, page: WizardPage, menus: "list[Sequence[Choice]]", leaf: int
) -> list[tuple[Button, ...]]:
    """Buttons that open a question's other menus, named after their first entries."""
    if len(menus) == 1:
        return []
    buttons = [
        Button(
            id=press_id("draft", page.draft, "leaf", question.key, at),
            label=f"{menu[0].label[:LONGEST_LEAF_NAME].rstrip()} …",
            is_off=at == leaf,
        )
        for at, menu in enumerate(menus)
    ]
    return rows_of(buttons, IN_ROW)


def _summary(page: WizardPage) -> list[Block]:
    """A preview of the sheet, or everything that is still missing."""
    if page.preview:
        text = "\n".join(section_text(section) for section in page.preview)
        return [Divider(), shorten(text, LONGEST_PREVIEW)]
    blocks: list[Block] = []
    for key, title in page.steps:
        missing = [sentence for where, sentence in page.problems if where == key != page.step.key]
        if missing:
            text = shorten(f"{escape(title)}: {escape(' '.join(missing[:MOST_PROBLEMS]))}", LONGEST_ANSWER)
            button = Button(id=_way_to(page, key), label="Go there")
            blocks.append(ButtonBeside(text, button))
    return [Divider(), "Still to do:", *blocks[:MOST_MISSING]] if blocks else []


def _ways(page: WizardPage) -> tuple[Button, ...]:
    """The navigation buttons: back, write, next and discard."""
    back, on = page.beside(-1), page.beside(1)
    ways = []
    if back is not None:
        ways.append(Button(id=press_id("draft", page.draft, "turn", back), label="Back"))
    if page.step.blanks:
        id_ = press_id("draft", page.draft, "write", page.step.key)
        ways.append(
            Button(id=id_, label=page.step.writes or plain(f"Write: {page.step.title}", 80), look=Look.MAIN)
        )
    if on is not None:
        ways.append(Button(id=press_id("draft", page.draft, "turn", on), label="Next", look=Look.MAIN))
    else:
        ways.append(
            Button(
                id=press_id("draft", page.draft, "finish"),
                label="Finish",
                look=Look.GOOD,
                is_off=bool(page.problems),
            )
        )
    ways.append(Button(id=press_id("draft", page.draft, "drop"), label="Discard", look=Look.GRAVE))
    return tuple(ways)


def blanks_form(page: WizardPage) -> Form:
    """The form with the step's text fields."""
    return Form(
        id=press_id("draft", page.draft, "wrote", page.step.key),
        title=page.step.title,
        fields=tuple(
            Field(
                key=blank.key,
                label=blank.prompt,
                value="".join(page.answers.get(blank.key, ())),
                longest=blank.longest,
                is_required=blank.is_required,
                is_long=blank.is_long,
            )
            for blank in page.step.blanks
        ),
    )
