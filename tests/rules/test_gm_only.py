"""What only a GM may do, in each ruleset: none of it becomes everybody's by mistake."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bot.rules import rulesets
from bot.rules.kernel import Character, CharacterId, PersonId, evolve
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.module.defense_layers import Out
from bot.store.sqlite import open_store
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.campaigns import campaign_settings, campaigns
from bot.table.characters import characters
from bot.table.characters.characters import NOTHING_TO_SEE
from bot.table.gm import gm
from bot.table.play import play
from bot.table.play.actions import Outdated
from bot.table.requests import gatherings
from bot.table.requests.gatherings import mark_of_deal
from tests.databases import prepared_file
from tests.table.conftest import Clock, Interactions, Person, Secrets
from tests.table.counting import state

GAMES = rulesets()

ONLY_FOR_GMS = {
    "compare_roll": """
        add_difficulty add_item add_skill add_weapon approve award encounter.add encounter.end
        encounter.order encounter.reveal fate foe give long_rest look put_out rest.call rest.cancel
        set_stat
    """,
    "post_magic_maid": """
        activation allow_defence approve call clock contest encounter.add encounter.end
        encounter.order encounter.reveal grant magic mend rest.call rest.cancel verdict wound
    """,
    "rpj": """
        add_spell agree_wealth allow_detail allow_flashback ambush approve_opposed block_skill
        break_off change_class charge complicate complication condition.add condition.hold
        condition.make condition.remove cost critical crush deny_detail deny_flashback duel
        encounter.add encounter.end encounter.order encounter.reveal end_layer fight.doom fight.field
        fight.go_on fight.legend fight.legend_finish fight.legend_on fight.mode fight.mook_attack
        fight.mook_move fight.mooks fight.remove fight.reveal fight.side fight.spot fight.surprise
        fire.cover fire.resupply fire.uncover fit give_trait group group_close harm heal income
        instead invert lose_break market mass.aftermath mass.end mass.kills mass.let_command
        mass.let_contribute mass.retreat mass.round mass.side mass.start mass.surrender mass.works
        mishap month npc passive recipe.allow recipe.cost repair rest rest.call rest.cancel
        restore_break retry scale stand teach
    """,
    "swim_class": """
        add_skill add_synergy clock encounter.add encounter.end encounter.order encounter.reveal fall
        give harm mend preset rest.call rest.cancel resume round_passes set_rank set_state set_trait
        terrain waive
    """,
    "sword_and_swarm": """
        add_equipment add_obstacle add_proficiency attributes call encounter.add encounter.end
        encounter.order encounter.reveal give load ranks remove star take
    """,
}


@pytest.mark.parametrize("game", ONLY_FOR_GMS)
def test_only_a_gm_may_run_these_procedures(game: str) -> None:
    procedures = GAMES[game].procedures
    open_to_all = [key for key in ONLY_FOR_GMS[game].split() if not procedures[key].gm_only]

    assert open_to_all == []


def test_every_ruleset_is_covered() -> None:
    assert set(ONLY_FOR_GMS) == set(GAMES)


GAMES_BY_KEY = {game.key: game for game in rulesets().values()}


def glance(key: str, name: str, *, sheet: Any = None, **counted: Any) -> str:
    """A ready-made character's glance in words, with some values changed."""
    game: Any = GAMES_BY_KEY[key]
    settings = game.settings()
    own = game.creation.offered(settings)[name]
    who = Character(
        id=CharacterId(1),
        name=name,
        owner=PersonId(1),
        sheet=own if sheet is None else evolve(own, **sheet(own)),
        resources=counted.get("resources", {}),
        wounds=counted.get("wounds", {}),
    )
    words: str = game.glance(who, settings).words
    return words


@pytest.mark.parametrize(
    ("resources", "words"),
    [
        ({"hp": 32, "high": 2}, "HP 32/32, FT 14/14, Stress 0/3, High 2/5"),
        ({"hp": 8, "stress": 1}, "HP 8/32, FT 14/14, Stress 1/3, High 0/5"),
        ({"hp": 0}, "HP 0/32, FT 14/14, Stress 0/3, High 0/5, At 0 HP"),
    ],
)
def test_compare_roll_shows_hp_fortitude_stress_and_high(resources: dict[str, int], words: str) -> None:
    assert glance("compare_roll", "Juno Marsh", resources=resources) == words


@pytest.mark.parametrize(
    ("wounds", "words"),
    [
        ({}, "Blitz Points 3, Blunt 0/11, Rending 0/7"),
        (
            {"blunt": (4, 3, 3, 1), "rending": (1, 0, 0, 0)},
            "Blitz Points 3, Blunt 11/11, Rending 1/7, Unconscious",
        ),
    ],
)
def test_post_magic_maid_shows_blitz_points_and_wounds(wounds: dict[str, Any], words: str) -> None:
    assert glance("post_magic_maid", "Nettle Quickwater", resources={"blitz": 3}, wounds=wounds) == words


def test_swim_class_shows_what_is_left_of_each_defense_also_below_zero() -> None:
    hurt = {"scratches": 1, "physical_wounds": 2}

    assert glance("swim_class", "Sable Thornwick", resources=hurt) == (
        "Composure 0/1, Physical −1/1, Mental 1/1, Social 1/1, Dying"
    )


def test_rpj_shows_lucky_breaks_and_saves_left() -> None:
    def knocked_out(own: Any) -> dict[str, Any]:
        return {"health": evolve(own.health, lost_base=(7,), out=Out("knocked out"))}

    assert glance("rpj", "Marit Vance", resources={"lucky_breaks": 1}) == "Lucky Breaks 1/3, Base saves 3/3"
    assert glance("rpj", "Marit Vance", sheet=knocked_out) == (
        "Lucky Breaks 0/3, Base saves 2/3, Knocked out"
    )


def test_sword_and_swarm_shows_the_star() -> None:
    assert glance("sword_and_swarm", "Odalys Thorne") == "Star 4/4"
    assert glance("sword_and_swarm", "Odalys Thorne", sheet=lambda _own: {"star": 0}) == "Star 0/4, Defeated"


def test_a_game_without_counts_shows_nothing() -> None:
    assert NOTHING_TO_SEE.words == ""


@dataclass
class Asked:
    """A table of one game: Gwen is the GM, Alice plays *hers*, Bob *his*."""

    table: Table
    gwen: Person
    alice: Person
    bob: Person
    hers: str = ""
    his: str = ""

    async def plays(self, ruleset: str, hers: str, his: str, **changed: str) -> None:
        await campaigns.create(self.table, self.gwen.asks(), ruleset, "The Long Road")
        for setting, value in changed.items():
            await campaign_settings.change_setting(self.table, self.gwen.asks(), setting, value)
        await characters.take_ready_made(self.table, self.alice.asks(), hers)
        await characters.take_ready_made(self.table, self.bob.asks(), his)
        self.hers, self.his = hers, his

    async def do(self, who: Person, procedure: str, **given: Any) -> Result:
        return await play.perform(self.table, who.asks(), procedure, given)

    async def allows(self, asked: Result, label: str) -> Result:
        """The GM presses the button whose label begins so."""
        one = next(one for one in asked.follow_ups if one.follow_up.label.startswith(label))
        return (await play.press(self.table, self.gwen.asks(), one.id)).result

    async def is_refused(self, asked: Result, label: str) -> str:
        """The GM presses what is outdated: nothing changes, and this is said."""
        before = state(self.table)
        with pytest.raises(UserError) as refused:
            await self.allows(asked, label)
        assert state(self.table) == before
        return " ".join(refused.value.sentences)


@pytest.fixture
async def asked(tmp_path: Path) -> AsyncIterator[Asked]:
    numbers = Interactions()
    store = await open_store(prepared_file(tmp_path))
    table = Table(store=store, games=rulesets(), now=Clock(), new_secret=Secrets())
    gwen = Person(1, "Gwen", numbers, manages_server=True)
    yield Asked(table, gwen, Person(2, "Alice", numbers), Person(3, "Bob", numbers))
    await store.close()


def changes(result: Result) -> list[str]:
    return [f"{one.what} {one.before} → {one.after}" for one in result.message.changes]


class TestRpj:
    """RPJ-CHAR-19: leave for one level, at its price."""

    @pytest.fixture
    async def rpj(self, asked: Asked) -> Asked:
        await asked.plays("rpj", "Ilsa Roan", "Gorm Halvard", module="fantasy")
        await gm.award(asked.table, asked.gwen.asks(), "Character points", 40, ["Ilsa Roan"])
        return asked

    @pytest.mark.rule("RPJ-CHAR-19")
    async def test_an_approval_for_one_level_does_not_cover_the_next(self, rpj: Asked) -> None:
        """F-RPJ-01."""
        first = await rpj.do(rpj.alice, "improve_attribute", attribute="STR")
        second = await rpj.do(rpj.alice, "improve_attribute", attribute="STR")
        assert first.message.notes == second.message.notes == ("It would cost 6 character points: 45 → 39.",)

        allowed = await rpj.allows(first, "Allow it for 6 points (GM)")
        said = await rpj.is_refused(second, "Allow it for 6 points (GM)")

        assert "Character points to spend 45 → 39" in changes(allowed)
        assert said == (
            "This button is outdated. It was for: Strength 2 → 3 for 6 character points. "
            "Now it would be: Strength 3 → 4 for 8 character points. Nothing was changed. "
            "Use the command again."
        )

    async def test_a_skill_whose_price_changed_needs_a_new_approval(self, rpj: Asked) -> None:
        """F-RPJ-01: half the way was paid for meanwhile."""
        await campaign_settings.change_setting(rpj.table, rpj.gwen.asks(), "skill_approval", "ask")
        two = await rpj.do(rpj.alice, "improve_skill", skill="Trade", level=2)
        one = await rpj.do(rpj.alice, "improve_skill", skill="Trade", level=1)
        await rpj.allows(one, "Allow it for 1 point (GM)")

        said = await rpj.is_refused(two, "Allow it for 3 points (GM)")

        assert "It was for: Trade 0 → 2 for 3 character points." in said
        assert "Now it would be: Trade 1 → 2 for 2 character points." in said

    async def test_a_fault_shows_what_it_gives_and_is_approved_once(self, rpj: Asked) -> None:
        """F-RPJ-01, F-RPJ-16."""
        first = await rpj.do(rpj.alice, "improve_trait", trait="Slow to React")
        second = await rpj.do(rpj.alice, "improve_trait", trait="Slow to React")
        assert first.message.notes == ("It gives 3 character points: 45 → 48.",)

        allowed = await rpj.allows(first, "Allow it: +3 points (GM)")

        assert allowed.message.headline == "gains Slow to React"
        assert "or a trait that excludes it" in await rpj.is_refused(second, "Allow it: +3 points")

    @pytest.mark.rule("RPJ-LUCK-04")
    async def test_a_flashback_is_approved_only_for_the_people_and_purpose_on_the_button(
        self, rpj: Asked
    ) -> None:
        """F-RPJ-08: the message as it was before Gorm took part."""
        flash = await rpj.do(rpj.alice, "flashback", words="hid a rope")
        assert flash.gathering is not None
        shown = next(one for one in flash.gathering.view.follow_ups if one.group == "allow")
        assert shown.label == "Allow it · Lucky Breaks 4 → 2 (GM)"
        await gatherings.join(rpj.table, rpj.bob.asks(), flash.entry, "join")
        before = state(rpj.table)

        with pytest.raises(Outdated, match="outdated") as refused:
            await gatherings.join(rpj.table, rpj.gwen.asks(), flash.entry, "allow", mark=mark_of_deal(shown))

        assert state(rpj.table) == before
        assert refused.value.allowed == (
            "Now it would be: hid a rope · Ilsa Roan: Lucky Breaks 4 → 2 · Gorm Halvard: Lucky Breaks 2 → 0."
        )


class TestSwimClass:
    @pytest.mark.rule("SWIM-POOL-06")
    async def test_straining_is_approved_only_at_the_rank_shown(self, asked: Asked) -> None:
        """F-RPJ-01."""
        await asked.plays("swim_class", "Sable Thornwick", "Ondra Kestrel")
        await asked.do(asked.gwen, "set_rank", target=asked.hers, skill="climb", rank=3)
        first = await asked.do(asked.alice, "roll", skill="climb", difficulty=4, strain=True)
        second = await asked.do(asked.alice, "roll", skill="climb", difficulty=4, strain=True)

        await asked.allows(first, "Allow: 6 dice, then Climb 3 → 2")
        said = await asked.is_refused(second, "Allow: 6 dice, then Climb 3 → 2")

        assert "It was for: straining Climb, 6 dice, then Climb 3 → 2." in said
        assert "Now it would be: straining Climb, 4 dice, then Climb 2 → 1." in said


class TestPostMagicMaid:
    @pytest.fixture
    async def maid(self, asked: Asked) -> Asked:
        await asked.plays("post_magic_maid", "Nettle Quickwater", "Bram Ostergard")
        return asked

    @pytest.mark.rule("PMM-ABL-04")
    async def test_a_passive_step_is_approved_once_per_request(self, maid: Asked) -> None:
        """F-RPJ-01."""
        await gm.award(maid.table, maid.gwen.asks(), "Level-ups", 2, [maid.hers])
        first = await maid.do(maid.alice, "passive", ability="Contacts")
        second = await maid.do(maid.alice, "passive", ability="Contacts")

        await maid.allows(first, "Approve")
        said = await maid.is_refused(second, "Approve")

        assert "It was for: Contacts, strength 1. Now it would be: Contacts, strength 2." in said

    @pytest.mark.rule("PMM-WND-06")
    async def test_an_old_button_does_not_kill_a_character_healed_since(self, maid: Asked) -> None:
        """F-RPJ-01."""
        wound = {"target": maid.hers, "track": "rending", "tier": "25"}
        dying = await maid.do(maid.gwen, "wound", **wound, count=2)
        await maid.do(maid.gwen, "mend", target=maid.hers, wound="mortal rending")

        said = await maid.is_refused(dying, f"{maid.hers} dies")

        assert "It was for: Nettle Quickwater, mortal 1." in said
        assert "Now it would be: Nettle Quickwater, unwounded." in said


class TestCompareRoll:
    @pytest.mark.rule("CMP-SKILL-05")
    async def test_a_skill_proposed_again_at_another_level_needs_a_new_approval(self, asked: Asked) -> None:
        """F-RPJ-01."""
        await asked.plays("compare_roll", "Juno Marsh", "Otto Brandt")
        await asked.do(asked.gwen, "award", target=asked.hers, skill_points=9)
        first = await asked.do(asked.alice, "propose", category="Physical", name="Juggling", level=1)
        again = await asked.do(asked.gwen, "approve", target=asked.hers, skill="Juggling", refused=True)
        assert again.message.headline.startswith("refuses")
        await asked.do(asked.alice, "propose", category="Physical", name="Juggling", level=3)

        said = await asked.is_refused(first, "Approve Juggling 1")

        assert "it is already over" in said
