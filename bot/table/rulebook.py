"""Looking rules up, in our own words with their ledger ids."""

import re
from dataclasses import dataclass

from bot.rules.mistakes import Mistake
from bot.rules.ruleset import Choice, Ruleset, RuleText
from bot.store.boundary import Reader
from bot.table.request import Request
from bot.table.suggest import MOST, matching
from bot.table.table import Table

LONGEST_LABEL = 100


@dataclass(frozen=True, slots=True)
class Found:
    """A rule, and whose it is."""

    game: Ruleset
    rule: RuleText


async def games_here(table: Table, request: Request) -> list[Ruleset]:
    """The rulesets, the one played in this place first."""

    def query(reader: Reader) -> list[Ruleset]:
        here = reader.campaign_at(request.server, request.places)
        played = None if here is None else here.ruleset
        return sorted(table.games.values(), key=lambda game: (game.key != played, game.title))

    return await table.store.read(query)


async def titles(table: Table, request: Request, typed: str) -> list[Choice]:
    """Titles of rules that contain what was typed; those of the game played here first."""
    games = await games_here(table, request)
    labels = {_label(game, rule, games): rule for game in games for rule in game.glossary}
    return [Choice(_name(label, labels[label]), label) for label in matching(labels, typed)][:MOST]


def _name(label: str, rule: RuleText) -> str:
    """What stands for a rule: its label, or its first id where that is too long."""
    return label if len(label) <= LONGEST_LABEL else rule.ids[0]


async def look_up(table: Table, request: Request, asked: str) -> Found:
    """The rule of that title (or ledger id), or the one whose words fit best.

    Raises:
        Mistake: If nothing fits.
    """
    games = await games_here(table, request)
    wanted = asked.strip().casefold()
    everything = [Found(game, rule) for game in games for rule in game.glossary]
    for found in everything:
        names = {_label(found.game, found.rule, games).casefold(), found.rule.title.casefold()}
        if wanted in names or wanted in {id_.casefold() for id_ in found.rule.ids}:
            return found
    words = wanted.split()
    scored = [(_score(found.rule, words), found) for found in everything]
    best = max(scored, key=lambda one: one[0], default=None)
    if best is None or best[0] == 0:
        raise Mistake(
            f"I know no rule about {asked.strip()!r}.", try_this="Type a word and pick one of the titles."
        )
    return best[1]


def _label(game: Ruleset, rule: RuleText, games: list[Ruleset]) -> str:
    return rule.title if game is games[0] else f"{game.title}: {rule.title}"


def _score(rule: RuleText, words: list[str]) -> int:
    return sum(3 * _fit(word, rule.title) + _fit(word, rule.text) for word in words)


def _fit(word: str, text: str) -> int:
    """How well a word fits a text: as a word of its own, as the beginning of one, or inside of one."""
    there = re.findall(r"\w+", text.casefold())
    if word in there:
        return 3
    return 2 if any(one.startswith(word) for one in there) else int(word in text.casefold())
