"""Loads in fights: what they take off, who is hit by everything, hands and containers."""

import pytest

from bot.rules.kernel import Outcome
from bot.rules.rpj import RULESET
from bot.rules.rpj.module.possessions import Possession, RpjPlace
from bot.rules.rpj.module.settings import RpjSettings, Shipped
from tests.rules.rpj.combat.played.brawl import brawl, fighter, labels
from tests.rules.rpj.table import GameTable, d6

PACKED = RpjSettings(module=Shipped.FANTASY, inventory=True)
HEAVY, FAR_TOO_HEAVY = 5, 11  # with a bow of 2 that is a load of 7 and of 13, against a limit of 6


def clubs(count: int, place: RpjPlace = RpjPlace.CARRIED) -> Possession:
    """So many clubs, of load 1 each."""
    return Possession(item="club", count=count, place=place)


def laden(count: int, first: str = "Ogre") -> GameTable:
    """A fight in which Laeniel, who carries a bow, has so many clubs besides."""
    return brawl(first, settings=PACKED, laeniel={"possessions": (clubs(count),)})


def strikes(table: GameTable, fall: str) -> Outcome:
    """The ogre strikes at Laeniel; its strength makes up for what it never learned."""
    return table.do("GM Ogre", "fight.attack", d6(fall), target="Laeniel")


@pytest.mark.rule("RPJ-INV-03")
class TestOverloadedFighters:
    def test_an_overloaded_fighter_has_1_less_defense(self) -> None:
        plain, loaded = (strikes(laden(count), "1 2").rolls[0] for count in (1, HEAVY))
        assert (plain.inputs.target, loaded.inputs.target) == (9, 8)  # type: ignore[attr-defined]

    @pytest.mark.parametrize(("count", "modifier"), [(1, 6), (HEAVY, 5)])
    def test_an_overloaded_fighter_has_1_less_on_dexterity_attacks(self, count: int, modifier: int) -> None:
        table = laden(count, "Laeniel")
        table.do("Laeniel", "fight.swap", weapons="Bow")
        table.do("GM", "fight.place", who="Ogre", region="2")
        shot = table.do("Laeniel", "fight.attack", d6("1 1"), target="Ogre", weapon="Bow")
        assert shot.rolls[0].inputs.modifier == modifier  # type: ignore[attr-defined]

    def test_an_overloaded_fighter_needs_two_actions_to_change_weapons(self) -> None:
        table = laden(HEAVY, "Laeniel")
        assert table.do("Laeniel", "fight.swap", weapons="Bow").headline == "changes weapons for 2 actions"
        assert fighter(table, "Laeniel").turn.actions == 1
        refused = table.refused("Laeniel", "fight.swap", weapons="Dagger")
        assert refused.what == "Laeniel has 1 action left; that takes 2."


class TestLoadsOnSheetAndTargetList:
    """F-OPT-05: the sheet and the target list say what is rolled."""

    def sheet(self, count: int, **packs: bool) -> list[str]:
        table = laden(count)
        table.settings(**packs)
        described = RULESET.describe(table.named("Laeniel"), table.scene.settings)
        return [line for section in described if section.title == "Fighting" for line in section.lines]

    @pytest.mark.rule("RPJ-INV-03", "RPJ-FIRE-09")
    @pytest.mark.parametrize(
        ("count", "line"),
        [
            (1, "3 actions per turn · dodge 9+ · absorb 8+ · ranged defense 7+ (Dodge 0, DEX +2, −2)"),
            (
                HEAVY,
                "3 actions per turn · dodge 8+ · absorb 7+ · "
                "ranged defense 6+ (Dodge 0, DEX +2, −2, overloaded −1)",
            ),
            (FAR_TOO_HEAVY, "3 actions per turn · overloaded: every attack hits without a roll"),
        ],
    )
    def test_f_opt_05_the_sheet_shows_defenses_with_the_load_counted(self, count: int, line: str) -> None:
        assert self.sheet(count, fire_and_movement=True)[0] == line

    @pytest.mark.rule("RPJ-INV-04", "RPJ-FIRE-16")
    @pytest.mark.parametrize(
        ("count", "against"),
        [(HEAVY, "6+ (overloaded −1)"), (FAR_TOO_HEAVY, "no roll: overloaded, so every attack hits")],
    )
    def test_f_opt_05_the_target_list_shows_defenses_with_the_load_counted(
        self, count: int, against: str
    ) -> None:
        table = laden(count, "Laeniel")
        table.settings(fire_and_movement=True)
        table.do("GM", "fight.place", who="Ogre", region="2")

        told = table.do("Laeniel", "fire.targets").notes

        assert told[0].split("; ")[1] == f"against you {against}"


@pytest.mark.rule("RPJ-INV-04")
class TestFarOverloadedFighters:
    def test_every_attack_on_a_far_overloaded_fighter_hits_without_a_roll(self) -> None:
        done = strikes(laden(FAR_TOO_HEAVY), "")
        assert done.rolls == ()
        assert done.verdict is not None
        assert done.verdict.title == "hit"
        assert labels(done)[0].startswith("Laeniel: save ")

    def test_the_attack_menu_says_that_a_far_overloaded_target_is_hit(self) -> None:
        table = laden(FAR_TOO_HEAVY)
        assert table.game.tracker is not None
        menu = table.game.tracker.choices(table.scene)[0]
        assert "Laeniel · Club · hits" in [choice.label for choice in menu.choices]

    def test_a_far_overloaded_fighter_can_neither_attack_nor_grapple(self) -> None:
        table = laden(FAR_TOO_HEAVY, "Laeniel")
        refused = table.refused("Laeniel", "fight.attack", target="Ogre", weapon="Dagger")
        assert refused.what.startswith("You carry too much to roll Dexterity")
        assert table.refused("Laeniel", "fight.grapple", target="Ogre").what == refused.what

    def test_a_far_overloaded_fighter_gets_no_free_attack(self) -> None:
        table = brawl("Ug", settings=PACKED, ogre={"possessions": (clubs(30),)})
        assert table.do("Ug", "fight.move", region="2").follow_ups == ()

    def test_a_far_overloaded_fighter_rolls_no_initiative_and_acts_last(self) -> None:
        table = brawl(settings=PACKED)
        table.do("GM", "encounter.end")
        table.change("Laeniel", possessions=(clubs(FAR_TOO_HEAVY),))
        table.do("Ug", "encounter.start", others=("Laeniel", "Ogre"))
        done = table.do("GM", "encounter.next", d6("1 1 1 2"))
        assert "Laeniel carries too much to roll initiative and acts last." in done.notes
        assert "The order: Ug (4), Ogre (4), Laeniel." in done.notes


@pytest.mark.rule("RPJ-INV-06", "RPJ-INV-09")
class TestHandsAndContainers:
    def packed(self, place: RpjPlace, first: str = "Laeniel") -> GameTable:
        pack = Possession(item="pack", place=RpjPlace.WORN)
        things = (pack, clubs(1, place)) if place is not RpjPlace.CARRIED else (clubs(1, place),)
        return brawl(
            first,
            settings=PACKED,
            laeniel={"possessions": things[1:] or things, "belongings": ("pack", "dagger")},
        )

    def test_taking_something_from_a_pack_takes_the_whole_turn(self) -> None:
        table = self.packed(RpjPlace.LARGE)
        done = table.do("Laeniel", "put", item="Club", to=RpjPlace.CARRIED)
        assert done.notes == ("That takes the whole turn.", "Load 1/6.")
        assert fighter(table, "Laeniel").turn.actions == 0

    def test_unpacking_is_refused_after_an_action_or_after_being_attacked(self) -> None:
        table = self.packed(RpjPlace.LARGE)
        table.do("Laeniel", "fight.task", what="Looks about")
        refused = table.refused("Laeniel", "put", item="Club", to=RpjPlace.CARRIED)
        assert refused.what == "That takes a whole turn; you have already used part of this one."
        attacked = self.packed(RpjPlace.LARGE, "Ogre")
        strikes(attacked, "1 2")
        attacked.do("GM", "encounter.next")
        refused = attacked.refused("Laeniel", "put", item="Club", to=RpjPlace.CARRIED)
        assert refused.what == "Laeniel has been attacked this round."

    def test_taking_a_carried_item_in_hand_is_free_once_per_turn(self) -> None:
        table = self.packed(RpjPlace.CARRIED)
        assert "That takes no action." in table.do("Laeniel", "put", item="Club", to=RpjPlace.HELD).notes
        assert fighter(table, "Laeniel").wielded == ("dagger", "club")
        assert "That takes 1 action." in table.do("Laeniel", "put", item="Club", to=RpjPlace.CARRIED).notes
        assert fighter(table, "Laeniel").wielded == ("dagger",)

    def test_items_cannot_be_taken_in_hand_out_of_turn(self) -> None:
        table = self.packed(RpjPlace.CARRIED, "Ogre")
        refused = table.refused("Laeniel", "put", item="Club", to=RpjPlace.HELD)
        assert refused.what == "It isn't Laeniel's turn."
