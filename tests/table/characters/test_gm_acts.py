"""A GM's acts on a character's sheet: done and undone in every game, and never for players (issue 14)."""

import asyncio

import pytest
from msgspec.structs import replace

from bot.rules import rulesets
from bot.rules.kernel import GM_GROUPS, Act, ActGroup, FollowUp
from bot.rules.kernel.errors import UserError
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.campaigns import campaign_settings, campaigns
from bot.table.characters import characters, controls
from bot.table.characters.controls import Controls
from bot.table.characters.seats import NotOffered, NotTheirs
from bot.table.gm import gm as gms
from bot.table.journal import journal
from bot.table.journal.journal import Undone
from bot.table.play.play import Given
from tests.table.conftest import CHANNEL, Person
from tests.table.counting import Rows, state

GAMES = tuple(rulesets())
PLAYED = ("campaigns", "characters", "documents", "resources", "timers", "wounds")
WRITTEN = {
    "amount": "3",
    "name": "Zorblax",
    "about": "",
    "of": "",
    "text": "",
    "reason": "",
    "skill": "Stealth",
    "rank": "4",
    "ranks": "3",
    "hp": "9",
    "fortitude": "",
    "rating": "",
    "attack": "",
    "weapon": "",
    "first": "Int",
    "second": "Cha",
}
# What a GM can do to the first ready-made character of each game, whole and in no fight, and to an NPC.
PLAYERS = {
    "rpj": {ActGroup.DAMAGE: 2, ActGroup.GIVE: 1, ActGroup.GM: 2},
    "swim_class": {ActGroup.DAMAGE: 4, ActGroup.CONDITION: 1, ActGroup.GIVE: 1, ActGroup.GM: 2},
    "compare_roll": {ActGroup.DAMAGE: 1, ActGroup.CONDITION: 1, ActGroup.GIVE: 6, ActGroup.GM: 7},
    "post_magic_maid": {ActGroup.DAMAGE: 2, ActGroup.GIVE: 1, ActGroup.GM: 2},
    "sword_and_swarm": {ActGroup.DAMAGE: 1, ActGroup.CONDITION: 1, ActGroup.GIVE: 3, ActGroup.GM: 8},
}


async def begin(table: Table, game: str, gm: Person, player: Person) -> int:
    """Create a campaign with the player's first ready-made character; return the character's id."""
    await campaigns.create(table, gm.asks(), game, "The Long Road")
    rules = rulesets()[game]
    name = next(iter(rules.creation.offered(rules.settings())))
    await characters.take_ready_made(table, player.asks(), name)
    return (await look(table, player)).sheet.id


async def look(table: Table, who: Person, character: int | str | None = None) -> Controls:
    return await controls.open_controls(table, replace(who.asks(), places=(CHANNEL,)), character)


async def offered(table: Table, who: Person, character: int) -> dict[str, Act]:
    """The acts of a GM's groups, by key."""
    found: dict[str, Act] = {}
    for group in (await look(table, who, character)).groups:
        page, pages = 0, 1
        while group in GM_GROUPS and page < pages:
            shown = await controls.open_group(table, who.asks(), character, group, page)
            found |= {one.key: one.act for one in shown.controls if not one.trial.problem}
            page, pages = page + 1, shown.pages
    return found


async def act(table: Table, who: Person, character: int, key: str, given: Given, now: int) -> Result:
    return await controls.take(table, who.asks(), character, key, now, "", given)


def played(table: Table) -> Rows:
    """Everything that acts change, without the journal and its buttons."""
    return {name: rows for name, rows in state(table).items() if name in PLAYED}


def given_for(follow_up: FollowUp) -> Given:
    """The last entry of its menu, and an answer to each of its questions."""
    chosen = follow_up.choices[-1].value if follow_up.choices else None
    return Given(chosen, {one.key: WRITTEN[one.key] for one in follow_up.blanks})


def counts(acts: dict[str, Act]) -> dict[ActGroup, int]:
    """How many of them are in each group, without the pages of long lists."""
    groups = [one.group for one in acts.values()]
    return {group: groups.count(group) for group in GM_GROUPS if group in groups}


def labels(acts: dict[str, Act], group: ActGroup) -> list[str]:
    return [one.do.label for one in acts.values() if one.group is group]


async def key_of(table: Table, who: Person, character: int, label: str) -> tuple[str, FollowUp]:
    acts = await offered(table, who, character)
    return next((key, one.do) for key, one in acts.items() if one.do.label.startswith(label))


async def do(table: Table, who: Person, character: int, label: str, chosen: str | None = None) -> Result:
    """Do an act by the start of its label."""
    key, follow_up = await key_of(table, who, character, label)
    now = (await look(table, who, character)).now
    written = {one.key: WRITTEN[one.key] for one in follow_up.blanks}
    return await act(table, who, character, key, Given(chosen, written), now)


@pytest.mark.parametrize("game", GAMES)
class TestEveryGame:
    async def test_a_gm_is_offered_damage_gifts_and_corrections(
        self, whole: Table, gm: Person, ada: Person, game: str
    ) -> None:
        character = await begin(whole, game, gm, ada)

        assert counts(await offered(whole, gm, character)) == PLAYERS[game]

    async def test_every_act_is_done_in_the_gms_name_and_undone(
        self, whole: Table, gm: Person, ada: Person, game: str
    ) -> None:
        character = await begin(whole, game, gm, ada)
        await gms.make_npc(whole, gm.asks(), "Corpse")
        for who in (character, (await look(whole, gm, "Corpse")).sheet.id):
            for key, one in (await offered(whole, gm, who)).items():
                before = played(whole)
                now = (await look(whole, gm, who)).now

                done = await act(whole, gm, who, key, given_for(one.do), now)

                assert done.message.who == "Gwen"
                if played(whole) != before:  # damage in RPJ first asks for a save
                    undone = await journal.undo(whole, gm.asks(), done.entry, together=True, is_sure=True)
                    assert isinstance(undone, Undone)
                assert played(whole) == before, one.do.label

    async def test_a_player_neither_sees_nor_does_any_of_it(
        self, whole: Table, gm: Person, ada: Person, game: str
    ) -> None:
        character = await begin(whole, game, gm, ada)
        acts = await offered(whole, gm, character)
        before = state(whole)

        shown = await look(whole, ada, character)
        assert not set(shown.groups) & set(GM_GROUPS)
        for key, one in acts.items():
            with pytest.raises(NotOffered):
                await act(whole, ada, character, key, given_for(one.do), shown.now)
        assert state(whole) == before

    async def test_a_former_gm_is_refused(self, whole: Table, gm: Person, ada: Person, game: str) -> None:
        character = await begin(whole, game, gm, ada)
        key = next(iter(await offered(whole, gm, character)))
        gm.manages_server = False
        nora = Person(9, "Nora", gm.interactions, manages_server=True)
        await campaigns.set_gm(whole, nora.asks(), nora.id, "Nora", is_gm=True)
        await campaigns.set_gm(whole, nora.asks(), gm.id, "Gwen", is_gm=False)
        before = state(whole)

        with pytest.raises(NotTheirs):
            await act(whole, gm, character, key, Given(), 0)
        assert state(whole) == before


class TestOnTheSheet:
    async def test_two_presses_at_once_deal_damage_once(self, whole: Table, gm: Person, ada: Person) -> None:
        character = await begin(whole, "swim_class", gm, ada)
        key, _ = await key_of(whole, gm, character, "Deal physical")
        now = (await look(whole, gm, character)).now

        presses = [act(whole, gm, character, key, Given("2"), now) for _ in range(2)]
        done = await asyncio.gather(*presses, return_exceptions=True)

        refused = [one for one in done if isinstance(one, UserError)]
        assert len(refused) == 1
        assert refused[0].what.startswith("Something else has been done by or to ")

    async def test_a_gms_secret_look_is_not_told_on_the_players_sheet(
        self, whole: Table, gm: Person, ada: Person
    ) -> None:
        character = await begin(whole, "compare_roll", gm, ada)

        await do(whole, gm, character, "Look at the numbers")

        assert "looks at" in (await look(whole, gm, character)).latest
        assert "looks at" not in (await look(whole, ada, character)).latest

    async def test_damage_does_not_make_the_players_own_sheet_outdated(
        self, whole: Table, gm: Person, ada: Person
    ) -> None:
        character = await begin(whole, "swim_class", gm, ada)
        before = (await look(whole, ada)).now

        await do(whole, gm, character, "Deal physical", "2")

        assert (await look(whole, ada)).now == before


class TestWhatHappens:
    async def test_swim_class_damage_is_healed_again(self, whole: Table, gm: Person, ada: Person) -> None:
        character = await begin(whole, "swim_class", gm, ada)
        await do(whole, gm, character, "Deal mental", "20")

        acts = await offered(whole, gm, character)
        assert [one for one in labels(acts, ActGroup.HEAL) if one.startswith("Heal mental wounds … (")]
        healed = await do(whole, gm, character, "Heal mental", "1")

        assert healed.message.headline.startswith("heals 1 mental wound of ")

    async def test_swim_class_states_begin_and_end(self, whole: Table, gm: Person, ada: Person) -> None:
        character = await begin(whole, "swim_class", gm, ada)
        await do(whole, gm, character, "Begin a state", "prone")

        _, end = await key_of(whole, gm, character, "End a state")
        assert [one.label for one in end.choices] == ["Prone"]
        ended = await do(whole, gm, character, "End a state", "prone")

        assert ended.message.headline.endswith(" is no longer prone")

    async def test_compare_roll_hp_are_taken_and_given_back(
        self, whole: Table, gm: Person, ada: Person
    ) -> None:
        character = await begin(whole, "compare_roll", gm, ada)
        _, take = await key_of(whole, gm, character, "Take HP")
        two_less = take.choices[1]
        assert two_less.label.startswith("2 damage: HP ")
        await do(whole, gm, character, "Take HP", two_less.value)

        _, back = await key_of(whole, gm, character, "Give HP back")
        assert [one.label.split(" HP: ")[0] for one in back.choices] == ["1", "2"]

    async def test_a_maids_wound_is_healed_again(self, whole: Table, gm: Person, ada: Person) -> None:
        character = await begin(whole, "post_magic_maid", gm, ada)
        await do(whole, gm, character, "Give a blunt wound", "10")

        _, heal = await key_of(whole, gm, character, "Heal a wound")
        assert [(one.label, one.note) for one in heal.choices] == [("Slight blunt", "×1")]
        await do(whole, gm, character, "Heal a wound", "slight blunt")

        assert not labels(await offered(whole, gm, character), ActGroup.HEAL)

    async def test_star_is_taken_and_given_back(self, whole: Table, gm: Person, ada: Person) -> None:
        character = await begin(whole, "sword_and_swarm", gm, ada)
        await do(whole, gm, character, "Take Star", "-2")

        _, back = await key_of(whole, gm, character, "Give Star back")
        assert [one.value for one in back.choices] == ["1", "2"]

    async def test_gear_that_was_given_can_be_taken_away(self, whole: Table, gm: Person, ada: Person) -> None:
        character = await begin(whole, "sword_and_swarm", gm, ada)
        await do(whole, gm, character, "Give other equipment")

        _, take = await key_of(whole, gm, character, "Take away")
        assert "Zorblax" in [one.value for one in take.choices]


PACKS = "conditions, money, structured_magic, damage_scales, fire_and_movement"


class TestRpj:
    async def test_packs_add_conditions_money_and_scales(self, whole: Table, gm: Person, ada: Person) -> None:
        character = await begin(whole, "rpj", gm, ada)
        await campaign_settings.change_setting(whole, gm.asks(), "packs", PACKS)

        acts = await offered(whole, gm, character)

        assert labels(acts, ActGroup.CONDITION) == ["Apply a condition …", "Apply a custom condition …"]
        assert labels(acts, ActGroup.GIVE) == ["Pay Coin at the month's end …", "Make up a trait for them …"]
        assert labels(acts, ActGroup.GM)[-1] == "Change the damage scale … (normal)"

    async def test_damage_asks_for_a_save(self, whole: Table, gm: Person, ada: Person) -> None:
        character = await begin(whole, "rpj", gm, ada)

        dealt = await do(whole, gm, character, "Deal damage", "2")

        assert dealt.message.headline.startswith("deals 2 damage to ")
        assert len(dealt.follow_ups) == 1
