"""F-REL-15: no procedure of any game tells the players about a hidden foe, whoever does it."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import replace

from bot.rules import rulesets
from bot.rules.kernel import Procedure, Ruleset, tracker
from bot.rules.kernel.errors import UserError
from bot.store.database_files import path_of
from bot.store.records import JsonObject
from bot.store.sqlite import open_store
from bot.store.transaction import Transaction
from bot.table.base.access import access_here, find_character
from bot.table.base.results import Message, Result
from bot.table.base.table import Table
from bot.table.base.turn import record
from bot.table.campaigns import campaign_settings, campaigns
from bot.table.characters import characters
from bot.table.encounters import encounters
from bot.table.gm import gm
from bot.table.journal import suggest
from bot.table.play import play
from bot.table.sessions import sessions
from bot.ui.replies.result_replies import result_reply
from tests.cogs.desk import open_desk
from tests.cogs.sweeping import Sweep, parts_of
from tests.databases import prepared_file
from tests.table.conftest import Clock, Interactions, Person, Secrets
from tests.table.encounters.test_encounters import read_all

GAMES = rulesets()
CANARY = "CANARY"
LURKER, PROWLER = f"{CANARY} Lurker", f"{CANARY} Prowler"
PACKS = (
    *("conditions", "fire_and_movement", "mass_combat", "cinematic_combat", "structured_magic"),
    *("wild_magic", "money", "inventory", "maneuvers", "acquisition_checks"),
)
ENCOUNTER_KEYS = (tracker.START, tracker.ADD, tracker.END, tracker.REVEAL, tracker.LEAVE, tracker.ORDER)
# How the GM's characters become opponents, where a game tells the two apart.
OPPONENTS: dict[str, tuple[str, JsonObject]] = {
    "compare_roll": ("foe", {"hp": 20, "rating": 2, "attack": 2, "weapon": "Pistol"}),
}
REVEALS = {"rpj": {"fight.reveal"}}  # what shows a hidden foe to everybody, as its purpose
FEWEST_DONE = {  # procedures that the sweep gets to do, so that it keeps looking at something
    "compare_roll": 20,
    "post_magic_maid": 15,
    "rpj": 65,
    "swim_class": 45,
    "sword_and_swarm": 15,
}
AT_ONE_TABLE = 8  # procedures that are tried before the table is laid anew


@dataclass
class Ambush:
    """A fight with two players and an orc, in which two foes lurk.

    Attributes:
        sweep: Tries procedures.
        gwen: The GM.
        alice: A player.
        bob: Another player.
        leaks: What the players were told of the hidden foes.
    """

    sweep: Sweep
    gwen: Person
    alice: Person
    bob: Person
    leaks: list[str]

    def note(self, result: Result | None, who: Person) -> None:
        """Take down what a result tells those who are no GM."""
        if result is not None and (who is not self.gwen or result.message.is_public):
            reply = result_reply(result)
            if CANARY in str(reply):
                self.leaks.append(f"{who.name}, {result.message.sentence}: {reply.text}")

    async def tries(self, key: str, who: Person, target: str, acting: str | None = None) -> None:
        """Do a procedure, and press everything that it offers."""
        result = await self.sweep.perform(who, key, target, acting)
        self.note(result, who)
        if result is None:
            return
        for one in parts_of(result):
            for person in (self.alice, self.bob, self.gwen):
                pressed = await self.sweep.press(person, one)
                self.note(pressed, person)
                if pressed is not None:
                    break
        if who is self.gwen:
            for answer in self.answers:
                self.note(await self.sweep.perform(self.alice, answer, "Orc"), self.alice)

    @property
    def answers(self) -> Iterator[str]:
        """What players can do about an attack."""
        return (key for key in ("defend", "fight.defend", "oppose", "soak", "save") if key in self.procedures)

    @property
    def procedures(self) -> dict[str, Procedure]:
        """Every procedure but those that only lay the table."""
        found = self.sweep.game.procedures
        return {key: one for key, one in found.items() if key not in ENCOUNTER_KEYS}

    async def reads(self, who: Person) -> str:
        """Everything that a person can look up or is offered while typing."""
        table, game = self.sweep.table, self.sweep.game
        found = [await read_all(table, who)]
        for kind in (*game.suggestions, *game.named):
            found += [str(one) for one in await suggest.things(table, who.asks(), kind, "")]
        found += [str(one) for one in await suggest.characters(table, who.asks(), CANARY)]
        found.append(str((await encounters.fight_here(table, who.asks())).view))
        return "\n".join(found)


LATER = 5000  # requests and secrets after those with which it was laid
LAID: dict[str, bytes] = {}  # the database of an ambush in each game, made once


async def lay(game: Ruleset, folder: Path) -> Ambush:
    """A table in the second turn of an ambush."""
    url = prepared_file(folder)
    if game.key not in LAID:
        first = await seated(game, url, Interactions(), Secrets())
        await prepare(first)
        await first.sweep.table.store.close()
        LAID[game.key] = path_of(url).read_bytes()
    path_of(url).write_bytes(LAID[game.key])
    return await seated(game, url, Interactions(LATER), Secrets(LATER))


async def seated(game: Ruleset, url: str, numbers: Interactions, secrets: Secrets) -> Ambush:
    """Everybody at a table with a database."""
    table = Table(store=await open_store(url), games={game.key: game}, now=Clock(), new_secret=secrets)
    gwen = Person(1, "Gwen", numbers, manages_server=True)
    return Ambush(Sweep(table, game), gwen, Person(2, "Alice", numbers), Person(3, "Bob", numbers), [])


async def prepare(ambush: Ambush) -> None:
    """Begin the campaign and the fight."""
    table, game = ambush.sweep.table, ambush.sweep.game
    gwen, alice, bob = ambush.gwen, ambush.alice, ambush.bob
    await campaigns.create(table, gwen.asks(), game.key, "The Pit")
    ready = list(game.creation.offered(game.settings()))
    for pack in PACKS if game.key == "rpj" else ():
        await campaign_settings.change_setting(table, gwen.asks(), pack, "yes")
    await characters.take_ready_made(table, alice.asks(), ready[0], "Ann")
    await characters.take_ready_made(table, bob.asks(), ready[-1], "Ben")
    for name in ("Orc", LURKER, PROWLER):
        await gm.make_npc(table, gwen.asks(), name, is_hidden=name != "Orc")
    await table.store.run(lambda tx: arm(table, tx, gwen))
    if game.key in OPPONENTS:
        procedure, given = OPPONENTS[game.key]
        for name in ("Orc", LURKER, PROWLER):
            await play.perform(table, gwen.asks(), procedure, {"target": name, **given})
    await sessions.start(table, gwen.asks())
    with suppress(UserError):  # a game without fights
        await play.perform(table, gwen.asks(), tracker.START, {"others": ["Ann", "Ben", "Orc"]})
        hidden: JsonObject = {"characters": [LURKER, PROWLER], "hidden": True}
        await play.perform(table, gwen.asks(), tracker.ADD, hidden)
        await play.perform(table, gwen.asks(), tracker.NEXT, {})
        await play.perform(table, gwen.asks(), tracker.NEXT, {})


def arm(table: Table, tx: Transaction, gwen: Person) -> None:
    """Give the GM's characters what the first player's has."""
    access = access_here(table, tx, gwen.asks())
    ann = find_character(tx, access, "Ann")
    for name in ("Orc", LURKER, PROWLER):
        found = find_character(tx, access, name)
        tx.save_character(replace(found, sheet=ann.sheet, resources=ann.resources, wounds=ann.wounds))
    record(table, tx, access, "gm.set", Message(who=gwen.name, headline="arms the foes"), is_secret=True)


@pytest.mark.parametrize("key", sorted(GAMES))
async def test_f_rel_15_no_procedure_tells_players_of_a_hidden_foe(key: str, tmp_path: Path) -> None:
    game = GAMES[key]
    done: set[str] = set()
    every = list(game.procedures)
    for number in range(0, len(every), AT_ONE_TABLE):
        keys = every[number : number + AT_ONE_TABLE]
        (folder := tmp_path / str(number)).mkdir()
        ambush = await lay(game, folder)
        for one in keys:
            if one in ENCOUNTER_KEYS or one in REVEALS.get(key, ()):
                continue
            await ambush.tries(one, ambush.gwen, "Ann", LURKER)
            await ambush.tries(one, ambush.gwen, PROWLER, LURKER)
            await ambush.tries(one, ambush.gwen, PROWLER)
            if not game.procedures[one].gm_only:
                await ambush.tries(one, ambush.alice, "Orc")
                await ambush.tries(one, ambush.alice, "Ben")
        for person in (ambush.alice, ambush.bob):
            assert CANARY not in await ambush.reads(person)
        assert ambush.leaks == []
        done |= ambush.sweep.done
        await ambush.sweep.table.store.close()
    assert len(done) >= FEWEST_DONE[key], sorted({*game.procedures} - done)


@pytest.mark.parametrize(("key", "command"), [("compare_roll", "/compare"), ("swim_class", "/swim")])
async def test_f_rel_15_a_defender_is_not_told_who_attacks_from_hiding(
    key: str, command: str, tmp_path: Path
) -> None:
    ambush = await lay(GAMES[key], tmp_path)
    desk = await open_desk(ambush.sweep.table)
    turns = 0
    while await ambush.sweep.perform(ambush.gwen, "attack", "Ann", LURKER) is None:
        await play.perform(ambush.sweep.table, ambush.gwen.asks(), tracker.NEXT, {})
        assert (turns := turns + 1) < 4

    (told,) = await desk.type(ambush.alice, f"{command} defend")
    (log,) = await desk.type(ambush.bob, "/log")

    assert told.is_private
    assert "defends against someone hidden" in told.text
    assert CANARY not in f"{told.body} {log.body} {await ambush.reads(ambush.alice)}"
    (gms,) = await desk.type(ambush.gwen, "/log")
    assert CANARY in str(gms.body)
    await desk.bot.close()
    await ambush.sweep.table.store.close()
