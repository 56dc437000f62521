"""The creation of a character as pages: questions, what is missing, and where to go next."""

from bot.rules.ruleset import Blank, Pick
from bot.table.creation import Page
from bot.ui.presses import press_id
from bot.ui.reply import Accent, Block, Button, Divider, Field, Form, Look, Reply, Select
from bot.ui.sheets import section_text
from bot.ui.text import escape, shorten

LONGEST_PREVIEW = 1500
LONGEST_ANSWER = 300
MOST_PROBLEMS = 4


def page_reply(page: Page) -> Reply:
    """One page of the wizard; only the person who makes the character sees it."""
    blocks: list[Block] = [_heading(page)]
    blocks += [_written(blank, page) for blank in page.step.blanks]
    for question in page.step.picks:
        blocks += [f"**{escape(question.prompt)}**", _select(question, page)]
    if page.beside(1) is None:
        blocks += _summary(page)
    problems = [sentence for where, sentence in page.problems if where == page.step.key]
    if problems and page.answers:
        blocks.append("\n".join(f"-# {escape(problem)}" for problem in problems[:MOST_PROBLEMS]))
    blocks += [Divider(), _ways(page)]
    return Reply(blocks=tuple(blocks), accent=Accent.BOARD, is_private=True)


def _heading(page: Page) -> str:
    place = f"{page.number} of {len(page.steps)}"
    title = f"**{escape(page.step.title)}** · new character, {escape(page.game)} · {place}"
    return f"{title}\n{escape(page.step.text)}"


def _written(blank: Blank, page: Page) -> str:
    given = "".join(page.answers.get(blank.key, ()))
    answer = f"**{shorten(escape(given), LONGEST_ANSWER)}**" if given else "–"
    return f"{escape(blank.prompt)} {answer}"


def _select(question: Pick, page: Page) -> Select | str:
    if not question.choices:
        return "-# Nothing to choose here yet: answer the steps before."
    return Select(
        id=press_id("draft", page.draft, "pick", question.key),
        prompt=question.prompt,
        choices=question.choices[:25],
        least=min(question.least, len(question.choices)),
        most=min(question.most, len(question.choices)),
        chosen=page.answers.get(question.key, ()),
    )


def _summary(page: Page) -> list[Block]:
    """The sheet as it would be, or everything that is still missing."""
    if page.preview:
        text = "\n".join(section_text(section) for section in page.preview)
        return [Divider(), shorten(text, LONGEST_PREVIEW)]
    titles = dict(page.steps)
    missing = [
        f"- {escape(titles.get(where, where))}: {escape(sentence)}"
        for where, sentence in page.problems
        if where != page.step.key
    ]
    return [Divider(), "Still to do:\n" + "\n".join(missing[:10])] if missing else []


def _ways(page: Page) -> tuple[Button, ...]:
    """Where to go from here: back, writing, on, or away."""
    back, on = page.beside(-1), page.beside(1)
    ways = []
    if back is not None:
        ways.append(Button(id=press_id("draft", page.draft, "turn", back), label="Back"))
    if page.step.blanks:
        label = "Write the name" if page.step.key == "name" else "Write"
        ways.append(
            Button(id=press_id("draft", page.draft, "write", page.step.key), label=label, look=Look.MAIN)
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
    ways.append(Button(id=press_id("draft", page.draft, "drop"), label="Throw away", look=Look.GRAVE))
    return tuple(ways)


def blanks_form(page: Page) -> Form:
    """The step's questions in writing."""
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
            )
            for blank in page.step.blanks
        ),
    )
