"""Hidden foes and prepared encounters, against everything that a player can read: canaries (issue 14)."""

from dataclasses import replace

import pytest

from bot.rules import rulesets
from bot.rules.kernel import tracker as keys
from bot.table.base.table import Table
from bot.table.campaigns import campaigns, prepared_encounters
from bot.table.campaigns.prepared_encounters import EncounterDraft
from bot.table.characters import characters, controls, personal_data
from bot.table.encounters import encounters, prepared_fights
from bot.table.journal import dice_stats, log, verify
from bot.table.journal.recap import chronicle, recap
from bot.table.play import play
from bot.table.sessions import endings, sessions
from bot.ui.replies.recaps import chronicle_file_reply, chronicle_reply, recap_markdown, recap_reply
from tests.table.conftest import Person

CANARY = "Zzyqx"
DRAFT = EncounterDraft(
    name=f"{CANARY} ambush",
    foes=f"{CANARY} spider x2 hidden\nBrute",
    countdowns=f"{CANARY} doom 4 hidden",
    text="The torches go out.",
)
ROLLS = {
    "rpj": ("check", {"skill": "Perception", "difficulty": "9+"}),
    "swim_class": ("roll", {"skill": "Swim", "difficulty": "6"}),
    "compare_roll": ("luck", {"difficulty": "Hard"}),
    "post_magic_maid": ("check", {"first": "Int", "second": "Str", "needed": "15"}),
    "sword_and_swarm": ("test", {"attribute": "Mallet"}),
}


async def read_all(table: Table, who: Person) -> str:
    """Everything that a person can look up: log, files, recaps, statistics, their sheet, names."""
    found = [str(line) for line in (await log.page(table, who.asks())).lines]
    found += [line async for line in verify.export_lines(table, who.asks())]
    story = await recap(table, who.asks(), whole=True)
    found += [recap_markdown(story), str(recap_reply(story))]
    sessions_ = await chronicle(table, who.asks())
    found += [str(chronicle_reply(sessions_)), str(chronicle_file_reply(sessions_))]
    found.append(str(await dice_stats.dice_stats(table, who.asks())))
    found.append((await personal_data.personal_file(table, who.asks())).decode())
    found.append(str(await controls.open_controls(table, who.asks())))
    found.append(str(await encounters.participants(table, who.asks(), "")))
    return "\n".join(found)


@pytest.mark.parametrize("key", sorted(ROLLS))
async def test_players_read_nothing_of_a_hidden_foe_or_a_prepared_encounter(
    table: Table, gm: Person, ada: Person, key: str
) -> None:
    game = replace(table, games=rulesets())
    await campaigns.create(game, gm.asks(), key, "The Yard")
    creation = game.games[key].creation
    ready = creation.ready_made or creation.offered(game.games[key].settings())
    await characters.take_ready_made(game, ada.asks(), next(iter(ready)), "Ash")
    await sessions.start(game, gm.asks())
    await prepared_encounters.write(game, gm.asks(), DRAFT)
    await prepared_fights.start(game, gm.asks(), DRAFT.name)
    procedure, given = ROLLS[key]
    await play.perform(game, gm.asks(), procedure, given, acting=f"{CANARY} spider 1", is_secret=True)
    await play.perform(game, ada.asks(), keys.JOIN, {"character": "Ash"})
    look = await encounters.fight_here(game, ada.asks())

    assert CANARY not in str(look.view)
    assert CANARY not in await read_all(game, ada)
    assert CANARY in str((await log.page(game, gm.asks())).lines)

    await play.perform(game, gm.asks(), keys.END, {"unsettled": "waive"})
    ended = await endings.end(game, gm.asks(), 1)
    assert CANARY not in str(ended)
    assert CANARY not in await read_all(game, ada)
