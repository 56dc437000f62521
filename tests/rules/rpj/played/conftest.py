"""A table on a real SQLite file that plays RPJ Core: Laeniel is Alice's, Ug is Bob's, Gwen is the GM."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bot.rules.kernel.dice import Fall
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.sheet import RpjSheet
from bot.rules.rpj.module.defense_layers import Out
from bot.store.records import CharacterRecord, FollowUpId
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.campaigns import campaign_settings, campaigns
from bot.table.characters import characters
from bot.table.gm import gm
from bot.table.gm import gm as game_clock
from bot.table.play import play
from bot.table.play.play import Pressed
from bot.table.sessions import sessions
from tests.databases import NewDatabase, opened
from tests.dice import fair_interaction
from tests.rules.rpj.table import LAENIEL, UG
from tests.table.conftest import Clock, Interactions, Person, Secrets

SECRET = Secrets()()
ARMORED_UG = UG.model_copy(update={"belongings": ("leather",)})  # 5+/5+ outside 7+/7+/7+
PLAYED = replace(
    RULESET,
    creation=replace(
        RULESET.creation, ready_made_in=lambda _settings: {"Laeniel": LAENIEL, "Ug": ARMORED_UG}
    ),
)


@dataclass
class Played:
    """A table at which the dice fall as told.

    Attributes:
        table: The table.
        gwen: The GM.
        alice: Plays Laeniel.
        bob: Plays Ug.
        used: Interactions that have been used for dice.
    """

    table: Table
    gwen: Person
    alice: Person
    bob: Person
    used: set[str] = field(default_factory=set)

    def interaction(self, *faces: int) -> str:
        """The id of an interaction whose d6 fall so under the campaign's seed."""
        return fair_interaction(SECRET, tuple(Fall(6, face) for face in faces), self.used)

    async def do(self, who: Person, procedure: str, /, *faces: int, **given: Any) -> Result:
        """Do something while the dice fall as told."""
        acting, countdown = given.pop("acting", None), given.pop("countdown", None)
        request = who.asks(self.interaction(*faces))
        return await play.perform(
            self.table,
            request,
            procedure,
            given,
            acting=acting,
            countdown=countdown,
            is_secret=given.pop("secret", False),
        )

    async def press(self, who: Person, result: Result, label: str, *faces: int) -> Pressed:
        """Press the button whose label begins so."""
        return await play.press(self.table, who.asks(self.interaction(*faces)), button(result, label))

    async def kept(self, name: str) -> CharacterRecord:
        """A character as it is kept."""
        server = self.gwen.server
        campaign = await self.table.store.read(lambda reader: reader.campaigns(server)[0].id)
        found = await self.table.store.read(lambda reader: reader.character_named(server, campaign, name))
        assert found is not None
        return found

    async def sheet(self, name: str) -> RpjSheet:
        """A character's sheet as it is kept."""
        return RpjSheet.model_validate_json((await self.kept(name)).sheet)

    async def breaks(self, name: str) -> int:
        """How many Lucky Breaks somebody has left."""
        return (await self.kept(name)).resources["lucky_breaks"][0]

    async def wait(self, seconds: int) -> Result:
        """Let game time pass."""
        return await game_clock.pass_time(self.table, self.gwen.asks(), seconds)


def button(result: Result, label: str) -> FollowUpId:
    """The id of the button whose label begins so."""
    return next(one.id for one in result.follow_ups if one.follow_up.label.startswith(label))


def labels(result: Result) -> list[str]:
    """What can be pressed under a result."""
    return [one.follow_up.label for one in result.follow_ups]


async def lay(table: Table) -> Played:
    """Begin a campaign of the fantasy module, and its first session."""
    interactions = Interactions()
    gwen = Person(1, "Gwen", interactions, manages_server=True)
    alice, bob = Person(2, "Alice", interactions), Person(3, "Bob", interactions)
    await campaigns.create(table, gwen.asks(), "rpj", "The old pass")
    await campaign_settings.change_setting(table, gwen.asks(), "module", "fantasy")
    await characters.take_ready_made(table, alice.asks(), "Laeniel")
    await characters.take_ready_made(table, bob.asks(), "Ug")
    await gm.make_npc(table, gwen.asks(), "Ogre")
    await sessions.start(table, gwen.asks())
    return Played(table, gwen, alice, bob)


@pytest.fixture
async def played(database: NewDatabase, tmp_path: Path) -> AsyncIterator[Played]:
    """A campaign of the fantasy module in its first session."""
    with database(tmp_path) as url:
        async with opened(url) as store:
            yield await lay(Table(store=store, games={"rpj": PLAYED}, now=Clock(), new_secret=Secrets()))


PAST_ARMOR = {"bypass": "ability, shield, armor"}


async def lost(played: Played, name: str = "Ug") -> tuple[int, ...]:
    return (await played.sheet(name)).health.lost_base


async def out(played: Played, name: str = "Ug") -> Out:
    return (await played.sheet(name)).health.out


async def beaten(played: Played, count: int = 3) -> Result:
    """Ug fails so many base saves; gives the last result."""
    for _ in range(count):
        result = await played.do(played.bob, "save", 1, 3, damage=2, **PAST_ARMOR)
    return result
