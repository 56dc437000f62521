"""The page from which a GM asks for checks, and what came of silent ones."""

from collections.abc import Iterator

from bot.rules.kernel import Choice
from bot.rules.kernel.odds import percent
from bot.table.requests.asking_page import SEEN, AskingPage, BestAt
from bot.table.requests.requested_checks import SilentRolls
from bot.ui.input.presses import press_id
from bot.ui.replies.desk_ids import HERE, desk_button
from bot.ui.replies.result_text import card_lines
from bot.ui.text.reply import Block, Button, Look, Reply, Select, private_page
from bot.ui.text.text import escape, listed, plain, shorten

KIND = "asks"
NO_DIFFICULTY = "-"
LONGEST_LABEL = 34  # of the only button in its row
MOST_DIFFICULTIES = 24  # besides the one for none
LONGEST = 4000


def asks_id(what: str, home: int, *arguments: object) -> str:
    """The id of a button, menu or form of the page that asks in a channel; 0 for the one it stands in."""
    return press_id(KIND, what, home, *arguments)


def ask_page_reply(page: AskingPage, home: int = HERE, best: BestAt | None = None) -> Reply:
    """The page: the last requests, one press each; the scene's difficulty; who sees the results.

    Args:
        page: The page.
        home: The channel that the desk leads.
        best: Who is best at a check that the GM has just looked up, or None.
    """
    return private_page(_blocks(page, home, best))


def _blocks(page: AskingPage, home: int, best: BestAt | None) -> Iterator[Block]:
    yield f"### Ask for a check\n-# {escape(page.campaign)}"
    if best is not None:
        yield best_text(best)
    if page.difficulties:
        yield Select(
            id=asks_id("hard", home),
            prompt="The scene's difficulty",
            choices=tuple(_difficulties(page)),
            chosen=(page.difficulty or NO_DIFFICULTY,),
        )
    yield Select(
        id=asks_id("sight", home),
        prompt="Who sees the results",
        choices=tuple(Choice(sight.value, words) for sight, words in SEEN.items()),
        chosen=(page.sight.value,),
    )
    yield (
        Button(id=asks_id("form", home), label=f"Ask ({page.sight})", look=Look.MAIN),
        Button(id=asks_id("home", home), label="Refresh"),
        desk_button(home),
    )
    yield (Button(id=asks_id("seek", home), label="Best at …"),)
    if page.recent:
        yield "Ask again:"
    for one in page.recent:
        id_ = asks_id("again", home, one.entry, page.latest)
        yield (Button(id=id_, label=plain(one.label, LONGEST_LABEL)),)


def best_text(best: BestAt) -> str:
    """The three who are best at a check, in a line."""
    what = f"{best.what[:1].upper()}{best.what[1:]}{f', {best.difficulty}' if best.difficulty else ''}"
    if not best.best:
        return f"{escape(what)}: nobody has a chance to compare. Set a difficulty, or choose another check."
    people = listed((f"**{escape(one.name)}** {percent(one.chance)}" for one in best.best), ", ")
    return f"Best at {escape(what)}: {people}"


def _difficulties(page: AskingPage) -> Iterator[Choice]:
    yield Choice(NO_DIFFICULTY, "Scene's difficulty: none")
    names = page.difficulties[:MOST_DIFFICULTIES]
    if page.difficulty and page.difficulty not in names:
        names = (*names[:-1], page.difficulty)
    yield from (Choice(name, plain(f"Scene's difficulty: {name}", 100)) for name in names)


def silent_reply(rolled: SilentRolls) -> Reply:
    """What came of silent checks, for the GM alone."""
    lines = [line for one in rolled.results for line in card_lines(one)[0]]
    lines.append("-# Nobody else was told, and nothing else comes of these rolls.")
    return Reply(text=shorten("\n".join(lines), LONGEST), is_private=True)
