"""Characters: what they are made of, the wizard, ready-made ones, creatures, what is not allowed."""

from typing import Any

import pytest

from bot.rules.kernel.errors import UserError
from bot.rules.kernel.game import FoeLevel
from bot.rules.sword_and_swarm import RULESET
from bot.rules.sword_and_swarm.creation import BEGINNER, plain_sheet
from bot.rules.sword_and_swarm.gm import FOES
from bot.rules.sword_and_swarm.session import AWARDS
from bot.rules.sword_and_swarm.sheet import SwarmSettings, SwarmSheet
from tests.rules.playing import GameTable
from tests.rules.sword_and_swarm.play import gear, lay, sheet

CHOSEN = {"Mallet": ("4",), "Key": ("3",), "Runes": ("5",), "Coronet": ("2",), "Star": ("4",)}
CREATION = RULESET.creation


def described(built: SwarmSheet, settings: SwarmSettings | None = None) -> dict[str, tuple[str, ...]]:
    table = lay(built)
    sections = RULESET.describe(table.named("Ash"), settings or SwarmSettings())
    return {section.title: section.lines for section in sections}


def sentences(**draft: str) -> list[str]:
    answers = {**CHOSEN, **{key: (text,) for key, text in draft.items()}}
    return [problem.sentence for problem in CREATION.problems_of(answers, SwarmSettings())]


@pytest.mark.rule("SWARM-CHAR-01")
class TestCharacter:
    def test_a_new_character_has_seven_attributes_no_proficiencies_and_no_traits(self) -> None:
        built = CREATION.build(CHOSEN, SwarmSettings())

        assert built == sheet()
        assert described(built) == {
            "Class": ("no class, level 1",),
            "Attributes · proficiencies": (
                "Mallet 4 · +0",
                "Key 3 · −1",
                "Runes 5 · +1",
                "Coronet 2 · −2",
                "Star 4 · +0",
                "Shield 0 · no protection",
                "Boots 6 (1) · +2",
            ),
        }

    def test_a_new_character_can_have_class_level_ranks_and_traits(self) -> None:
        draft = {
            **CHOSEN,
            "class_name": ("Mason",),
            "level": ("2",),
            "ranks": ("architecture: 2, Riding 0",),
            "traits": ("Steady hands, Loud",),
        }
        settings = SwarmSettings.model_validate({"proficiencies": "Riding: Key"})
        assert CREATION.problems_of(draft, settings) == ()

        built = CREATION.build(draft, settings)

        assert isinstance(built, SwarmSheet)
        shown = described(built)
        assert shown["Class"] == ("Mason, level 2",)
        assert shown["Proficiencies"] == ("Architecture 2 (Runes) · 2d6 +3",)
        assert shown["Traits"] == ("Steady hands", "Loud")

    def test_a_trait_in_use_raises_an_attribute(self, table: GameTable) -> None:
        table.do("GM", "give", target="Ash", name="Nimble", kind="trait", attribute="Key", amount=1)

        done = table.do("Ash", "test", "d6:4", attribute="Key")

        assert done.rolls[0].against == "Key 4: 4 or less"

    def test_equipment_that_is_put_away_is_marked(self) -> None:
        assert described(sheet(benefits=[gear("Torch", in_use=False)]))["Equipment"] == (
            "Torch · not in use",
        )

    def test_an_unlisted_proficiency_is_marked(self) -> None:
        assert described(sheet(proficiencies={"Riding": 2}))["Proficiencies"] == (
            "Riding 2 · not on this campaign's list",
        )


class TestWizard:
    def test_the_wizard_asks_for_five_attributes_in_two_steps(self) -> None:
        body, class_ = CREATION.steps({}, SwarmSettings())

        assert [pick.key for pick in body.picks] == ["Mallet", "Key", "Runes", "Coronet"]
        assert [pick.key for pick in class_.picks] == ["Star"]
        assert [blank.key for blank in class_.blanks] == ["class_name", "level", "ranks", "traits"]
        assert class_.text.startswith(
            "Star depends on class and level: ask your GM. Everyone starts with Shield 0 and Boots 6 (1)."
        )
        choices = body.picks[0].choices
        assert [choice.label for choice in choices] == [
            *("0", "1", "2", "3", "4", "5"),
            *("6 (1)", "7 (2)", "8 (3)", "9 (4)", "10 (5)"),
        ]
        assert (choices[0].note, choices[5].note) == ("too low to use", "proficiencies +1")

    def test_the_wizard_fits_into_a_form(self) -> None:
        for step in CREATION.steps({}, SwarmSettings()):
            assert len(step.picks) <= 4
            assert len(step.blanks) <= 5
            assert all(len(pick.prompt) <= 100 for pick in step.picks)
            assert all(len(blank.prompt) <= 45 for blank in step.blanks)

    @pytest.mark.parametrize("level", ["-1", "two", "1001", "99999"])
    def test_a_level_is_a_number(self, level: str) -> None:
        assert sentences(level=level) == [f"“{level}” isn't a level. Use a number from 0 to 1,000."]

    @pytest.mark.parametrize(
        "written",
        [
            *({"level": level} for level in ("", "0", "1000")),
            *({"ranks": f"Architecture {ranks}"} for ranks in (0, 1, 1000)),
            {"traits": ", ".join(f"Trait {number}" for number in range(20))},
            {"traits": "x" * 60},
            *({"Key": value} for value in ("0", "10")),
        ],
        ids=str,
    )
    def test_the_lowest_and_the_highest_of_everything_are_allowed(self, written: dict[str, str]) -> None:
        assert sentences(**written) == []

    @pytest.mark.parametrize("ranks", ["Architecture", "2", "Architecture 1001", "Architecture -"])
    def test_ranks_are_a_name_and_a_number(self, ranks: str) -> None:
        assert sentences(ranks=ranks) == [f"“{ranks}” isn't a rank. Write it like this: Architecture 2."]

    def test_ranks_need_a_known_proficiency_and_appear_once(self) -> None:
        assert sentences(ranks="Juggling 2, Architecture 1, architecture 2") == [
            "There is no proficiency “Juggling”. Choose from: Architecture.",
            "List architecture only once.",
        ]

    def test_traits_are_short_and_different(self) -> None:
        assert sentences(traits=f"Loud, loud, {'x' * 61}") == [
            "List the trait loud only once.",
            "“xxxxxxxxxxxxxxxxxxxx…” can't be a trait's name: it is too long or has a colon.",
        ]
        many = ", ".join(f"Trait {number}" for number in range(21))
        assert sentences(traits=many) == ["You have 21 traits; the limit is 20."]

    def test_an_invalid_attribute_is_asked_for_again(self) -> None:
        problems = CREATION.problems_of({**CHOSEN, "Star": ("11",)}, SwarmSettings())

        assert [(problem.where, problem.sentence) for problem in problems] == [
            ("class", "Choose Star from 0 to 10.")
        ]


class TestReadyMade:
    @pytest.mark.parametrize("name", sorted(CREATION.ready_made))
    def test_each_ready_made_character_can_be_played_at_once(self, name: str) -> None:
        ready = CREATION.ready_made[name]
        assert isinstance(ready, SwarmSheet)

        assert RULESET.sheet_problems(ready) == ()
        assert lay(ready).do("Ash", "test", "d6:1", attribute="Mallet").verdict is not None


@pytest.mark.rule("SWARM-ATTR-01", "SWARM-ATTR-12", "SWARM-ATTR-13", "SWARM-CHAR-01")
class TestBeginners:
    """A player's new character has at most what the ready-made ones have; Shield 0 and Boots 6 are fixed."""

    @staticmethod
    def above(**changes: Any) -> list[tuple[str, int | str, int | str]]:
        base = {**sheet().base, **changes.pop("base", {})}
        made = SwarmSheet.model_validate({**sheet().model_dump(), "base": base, **changes})
        return [(one.what, one.has, one.beginner) for one in BEGINNER.excess(made, SwarmSettings())]

    @pytest.mark.parametrize(
        ("attribute", "most"),
        [*((name, 7) for name in ("Mallet", "Key", "Runes", "Coronet", "Star")), ("Shield", 0), ("Boots", 6)],
    )
    def test_an_attribute_above_a_beginners_is_reported(self, attribute: str, most: int) -> None:
        assert self.above(base={attribute: most}) == []
        assert self.above(base={attribute: most + 1}) == [(attribute, most + 1, most)]

    def test_level_ranks_and_increases_above_a_beginners_are_reported(self) -> None:
        most = {"level": 3, "proficiencies": {"Architecture": 2}, "benefits": [gear("Mail", shield=3)]}
        assert self.above(**most) == []

        more = {"level": 4, "proficiencies": {"Architecture": 3}, "benefits": [gear("Mail", shield=4)]}
        assert self.above(**more) == [("Level", 4, 3), ("Ranks", 3, 2), ("Attribute increases", 4, 3)]

    def test_attributes_that_nobody_set_are_no_more_than_their_start(self) -> None:
        assert list(BEGINNER.excess(plain_sheet(), SwarmSettings())) == []

    def test_a_gm_awards_levels_and_takes_them_back_down_to_zero(self) -> None:
        (award,) = AWARDS
        assert [award.give(sheet(), levels).level for levels in (1, 3, -1)] == [2, 4, 0]
        with pytest.raises(UserError, match="level 1 is all there is"):
            award.give(sheet(), -2)

    def test_growth_is_the_level_each_attribute_and_each_rank_that_rose(self) -> None:
        after = sheet(key=4, proficiencies={"Architecture": 1, "Riding": 2}).model_copy(update={"level": 2})
        before = sheet(proficiencies={"Riding": 2})
        grown = RULESET.growth(before, after, SwarmSettings())

        assert [(one.what, one.before, one.after) for one in grown] == [
            ("level", "1", "2"),
            ("Key", "3", "4"),
            ("Architecture", "0", "1"),
        ]


@pytest.mark.rule("SWARM-CHAR-02")
class TestCreatures:
    def test_a_creatures_high_attributes_have_a_confirm(self, table: GameTable) -> None:
        done = table.do("Ash", "versus", "d6:6 d6:3", attribute="Mallet", target="Ogre")

        assert done.notes == ("A natural 6, confirmed: 3 is higher than 2.",)

    def test_a_creatures_unset_attributes_are_three_except_shield_and_boots(self, table: GameTable) -> None:
        shown = {s.title: s.lines for s in RULESET.describe(table.named("Ogre"), SwarmSettings())}

        assert shown["Attributes · proficiencies"] == (
            "Mallet 7 (2) · +2",
            "Key 3 · −1",
            "Runes 3 · −1",
            "Coronet 3 · −1",
            "Star 3 · −1",
            "Shield 0 · no protection",
            "Boots 6 (1) · +2",
        )

    def test_the_campaign_can_change_the_default_of_unset_attributes(self, table: GameTable) -> None:
        table.settings(npc_default=5)

        done = table.do("Ash", "versus", "d6:6", attribute="Key", target="Ogre")

        assert done.rolls[0].against == "Ogre's Key 5: 6 or more"

    def test_a_creature_loses_star_like_anyone_else(self, table: GameTable) -> None:
        assert table.do("GM", "star", target="Ogre", change=-1).headline == "takes 1 Star from Ogre"

        assert RULESET.health(table.named("Ogre"), table.scene.settings).numbers == ("Star 2/3",)

    def test_a_better_foe_has_higher_attributes_and_one_rank_more(self) -> None:
        settings = SwarmSettings()
        made = [(FOES.make(level, settings), level) for level in FoeLevel]
        given = [FOES.give(one, level, ["Architecture"], settings) for one, level in made]

        assert [set(one.base.values()) for one, _level in made] == [{2}, {3}, {4}, {6}]
        assert [one.proficiencies["Architecture"] for one in given] == [1, 2, 3, 4]


class TestSheetProblems:
    @pytest.mark.parametrize(
        ("changes", "sentence"),
        [
            ({"star": 9}, "Star is 9, but its maximum is 4."),
            (
                {"benefits": [gear("Rope"), gear("rope")]},
                "rope is listed twice.",
            ),
            ({"proficiencies": {"Riding": 1, "riding": 2}}, "riding is listed twice."),
            (
                {
                    "benefits": [
                        {
                            "name": "Mail",
                            "kind": "equipment",
                            "raises": [{"attribute": "Key", "amount": 1}] * 2,
                        }
                    ]
                },
                "Mail raises Key twice.",
            ),
        ],
    )
    def test_contradictions_on_a_sheet_are_reported(self, changes: dict[str, Any], sentence: str) -> None:
        broken = SwarmSheet.model_validate({**sheet().model_dump(), **changes})

        assert [problem.sentence for problem in RULESET.sheet_problems(broken)] == [sentence]

    def test_an_unset_star_is_at_its_maximum(self, table: GameTable) -> None:
        assert RULESET.sheet_problems(table.named("Ogre").sheet) == ()
        assert RULESET.sheet_problems(sheet(star=4)) == ()
