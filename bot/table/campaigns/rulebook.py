"""Look rules up, in our own words with their ledger ids."""

import re
from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from bot.rules import covers
from bot.rules.kernel import Choice, RuleText
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.game_covers import Titled
from bot.table.base.access import Request, game_of
from bot.table.base.table import OWN_PREFIX, Table
from bot.table.base.turn import ReadTurn, look
from bot.table.journal.suggest import MOST, matching

LONGEST_LABEL = 100
SAME_STEM = 11  # how well words of one stem fit
SHORTEST_STEM, LONGEST_ENDING = 4, 3  # of words that are taken for the same: grapple, grappling
IDLE = frozenset(
    (
        *("a", "an", "and", "are", "at", "can", "do", "does", "for", "from", "how", "i", "if", "in", "is"),
        *("it", "my", "of", "on", "or", "the", "to", "what", "when", "where", "which", "who", "with", "you"),
    )
)  # words that say nothing of what is looked for


class Found(Struct, frozen=True):
    """A rule and its game."""

    game: Titled
    rule: RuleText
    is_here: bool = True  # whether that game is played in the place, or no game is


@look()
def _played(at: ReadTurn) -> Titled | None:
    """Return the game of the campaign in that place, or None."""
    here = at.reader.campaign_at(at.server, at.request.places)
    if here is not None and here.ruleset.startswith(OWN_PREFIX):
        return game_of(at.table, at.reader, here)
    key = None if here is None else here.ruleset
    return next((game for game in covers(at.table.games) if game.key == key), None)


def _games(table: Table, played: Titled | None) -> list[Titled]:
    """Return the rulesets, starting with the one played."""
    own = () if played is None or not played.key.startswith(OWN_PREFIX) else (played,)
    return sorted((*own, *covers(table.games)), key=lambda game: (game is not played, game.title))


async def titles(table: Table, request: Request, typed: str) -> list[Choice]:
    """Return rule titles that contain the typed text, those of the game played here first."""
    games = _games(table, await _played(table, request))
    labels = {_label(game, rule, games): rule for game in games for rule in game.glossary}
    return [Choice(_name(label, labels[label]), label) for label in matching(labels, typed)][:MOST]


def _name(label: str, rule: RuleText) -> str:
    """Return a name for a rule: its label, or its first id if that is too long."""
    return label if len(label) <= LONGEST_LABEL else rule.ids[0]


async def look_up(table: Table, request: Request, asked: str) -> Found:
    """Return the rule with that title or ledger id, or the best match in the game played here.

    Another game's rule is found only by its title with its game, or by its id.

    Raises:
        UserError: If nothing matches; names another game's match, if any.
    """
    played = await _played(table, request)
    games = _games(table, played)
    wanted = asked.strip().casefold()
    own = [Found(played, rule) for rule in played.glossary] if played else []
    every = [Found(game, rule, played in (None, game)) for game in games for rule in game.glossary]
    for found in (*own, *every):
        names = {
            _label(found.game, found.rule, games).casefold(),
            *(id_.casefold() for id_ in found.rule.ids),
        }
        if wanted in names or (found.is_here and wanted == found.rule.title.casefold()):
            return found
    best = _best(own or every, wanted)
    if best is None:
        raise _nothing(asked, played, _best(every, wanted), games)
    return best


def _best(among: Sequence[Found], wanted: str) -> Found | None:
    """Return the best match, the first of equals; None if nothing matches."""
    words = [word for word in re.findall(r"\w+", wanted) if word not in IDLE] or wanted.split()
    scored = [(_score(found.rule, words), found) for found in among]
    best = max(scored, key=lambda one: one[0], default=None)
    return None if best is None or best[0] == 0 else best[1]


def _nothing(asked: str, played: Titled | None, other: Found | None, games: list[Titled]) -> UserError:
    whose = "No game has a rule" if played is None else f"{played.title} has no rule"
    return UserError(
        f"{whose} about “{asked.strip()}”.",
        "" if other is None else f"Another game does: {_label(other.game, other.rule, games)}.",
        try_this="Type a word, then pick one of the titles.",
    )


def _label(game: Titled, rule: RuleText, games: list[Titled]) -> str:
    return rule.title if game is games[0] else f"{game.title}: {rule.title}"


def _score(rule: RuleText, words: list[str]) -> Fraction:
    """Return how well words match a rule: above all its title, and more so a short one."""
    parts = re.findall(r"\w+", rule.title.casefold())
    said = sum(max((_fit(word, part) for part in parts), default=0) for word in words)
    in_text = sum(_fit_in(word, rule.text) for word in words)
    return 2 * said + Fraction(4 * said, len(parts) or 1) + in_text


def relevance(rule: RuleText, line: str, about: str) -> int:
    """Return how much a command has to do with a rule: by its name, and by what it says it does."""
    words = [word for word in re.findall(r"\w+", rule.title.casefold()) if word not in IDLE]
    named, told = re.findall(r"\w+", line.casefold())[1:], re.findall(r"\w+", about.casefold())
    return sum(
        3 * any(_fit(word, part) >= SAME_STEM for part in named)
        + any(_fit(word, part) >= SAME_STEM for part in told)
        for word in words
    )


def _fit(word: str, part: str) -> int:
    """Return how well a word matches a title's word: equal, a prefix or same stem, or inside it."""
    if word == part:
        return 12
    shorter, longer = sorted((len(word), len(part)))
    stem = next((at for at in range(shorter) if word[at] != part[at]), shorter)
    if part.startswith(word) or stem >= max(SHORTEST_STEM, longer - LONGEST_ENDING):
        return SAME_STEM
    return 4 if word in part else 0


def _fit_in(word: str, text: str) -> int:
    """Return how well a word matches a text: as a whole word, a prefix, or inside a word."""
    there = re.findall(r"\w+", text.casefold())
    if word in there:
        return 3
    return 2 if any(one.startswith(word) for one in there) else int(word in text.casefold())
