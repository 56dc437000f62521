"""What a module needs to fight by, and what its numbers come to."""

import pytest

from bot.rules.rpj import RULESET
from bot.rules.rpj.checks.odds import RpjOddsQuestion
from bot.rules.rpj.game_parts.sheet_text import describe
from bot.rules.rpj.module.defense_layers import RpjHealth
from bot.rules.rpj.module.module import Module
from bot.rules.rpj.module.module_files import MODULES
from bot.rules.rpj.module.settings import RpjSettings
from bot.rules.rpj.resolution.check_inputs import CheckKind
from tests.rules.rpj.combat.battles import with_armor, with_weapon, without_role
from tests.rules.rpj.people import FANTASY, figure, module_with
from tests.rules.rpj.table import rpj_table

UNARMED = module_with(without_role("dodge", without_role("absorb")), weapons=[], classes=[])


def hints(module: Module) -> tuple[str, ...]:
    """What /gm module show gives the author of a module to think over about fights."""
    assert RULESET.module is not None
    found: tuple[str, ...] = RULESET.module.hints(module)
    return tuple(hint for hint in found if "skills" not in hint)


@pytest.mark.rule("RPJ-GCS-63")
class TestWhatAModuleNeedsForFights:
    @pytest.mark.parametrize("name", MODULES)
    def test_a_fight_can_be_started_in_every_shipped_module(self, name: str) -> None:
        table = rpj_table(RpjSettings.model_validate({"module": name}))

        assert table.do("Laeniel", "encounter.start", others=("Ogre",)).headline

    @pytest.mark.parametrize(
        ("module", "told"),
        [
            (
                UNARMED,
                "Fantasy can't be used for fights: no weapons and no skill for dodging or absorbing.",
            ),
            (module_with(weapons=[], classes=[]), "Fantasy can't be used for fights: no weapons."),
        ],
    )
    def test_a_fight_is_refused_naming_what_the_module_lacks(self, module: Module, told: str) -> None:
        table = rpj_table(RpjSettings(module="own").with_module(module))
        refused = table.refused("GM", "encounter.start", others=("Laeniel", "Ogre"))

        assert refused.what == told
        assert refused.try_this.startswith("The GM can add it")

    def test_a_module_author_is_told_what_fights_still_need(self) -> None:
        assert hints(UNARMED)[:2] == (
            "No weapons: fights can't be started.",
            "No skill for dodging or absorbing: fights can't be started.",
        )

    def test_a_module_author_is_told_which_optional_skills_are_missing(self) -> None:
        assert hints(FANTASY) == ("No initiative skill: the Dexterity level is rolled.",)
        assert hints(without_role("medical", without_role("grapple")))[1:] == (
            "No grappling skill: the Strength bonus is rolled.",
            "No medical skill: no helping hands, no medical attention.",
        )


@pytest.mark.rule("RPJ-GCS-64")
class TestModuleDesignAdvice:
    @pytest.mark.parametrize(
        ("damage", "told"),
        [
            (0, ("12.0 hits", "6.0 hits", "3.6 hits", "2.4 hits")),
            (2, ("3.6 hits", "2.4 hits", "1.7 hits", "1.4 hits")),
            (4, ("1.7 hits", "1.4 hits", "1.2 hits", "1.1 hits")),
        ],
    )
    def test_the_odds_of_a_damage_save_include_how_many_hits_it_lasts(
        self, damage: int, told: tuple[str, ...]
    ) -> None:
        pages = [
            RULESET.odds.worth(
                RpjOddsQuestion(target=save + damage, roll=CheckKind.DAMAGE_SAVE), RpjSettings()
            )
            for save in (4, 5, 6, 7)
        ]

        assert [page[1] for page in pages] == [f"the save lasts {hits} on average" for hits in told]

    def test_the_odds_of_other_checks_do_not_mention_lasting_hits(self) -> None:
        assert "lasts" not in " ".join(RULESET.odds.worth(RpjOddsQuestion(target=7), RpjSettings()))

    def test_a_module_author_is_told_about_unusual_damage_and_saves(self) -> None:
        strange = with_armor("skin", with_weapon("cannon", damage=6), saves=[3, 8, 8])

        assert hints(strange)[1:] == (
            "Cannon: damage is usually 0 to 4, not 6.",
            "Skin: saves are usually 4+ to 7+, not 3+.",
            "Skin: saves are usually 4+ to 7+, not 8+.",
        )


@pytest.mark.rule("RPJ-GCS-65")
class TestHowLongBaseSavesLast:
    @pytest.mark.parametrize(
        ("constitution", "lost", "hits"),
        [(0, 0, "2.8 hits"), (0, 1, "1.4 hits"), (6, 0, "5.5 hits")],
        ids=["two saves", "one left", "four saves"],
    )
    def test_the_sheet_says_how_many_hits_the_base_saves_last(
        self, constitution: int, lost: int, hits: str
    ) -> None:
        hero = figure(f"CON {constitution}", health=RpjHealth(lost_base=(7,) * lost))
        lines = next(one for one in describe(hero, None) if one.title == "Damage saves").lines

        assert lines[-1] == f"Against damage 2, the base saves last {hits} on average"

    def test_a_sheet_without_base_saves_left_does_not_say_how_long_they_last(self) -> None:
        done_for = figure("CON 0", health=RpjHealth(lost_base=(7, 7)))
        lines = next(one for one in describe(done_for, None) if one.title == "Damage saves").lines

        assert lines == ("Base: 0 of 2, broken",)
