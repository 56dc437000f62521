"""The sheet as it is read on a phone."""

from typing import Any

import pytest

from bot.rules.kernel import Growth, Narrowed, Section
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.sheet import RpjSheet
from bot.rules.rpj.game_parts.sheet_text import (
    describe,
    grown_parts,
    npc_changes,
    pack_sections,
    sheet_changes,
)
from bot.rules.rpj.module.condition_kinds import Condition, Suffered
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.module import Pack, SkillRole
from bot.rules.rpj.module.module_files import RpjSettings, Shipped
from tests.rules.rpj.people import FANTASY, figure, known, sheet, with_trait
from tests.rules.rpj.table import d6, rpj_table
from tests.rules.rpj.test_casting import UG as CAVE_MAGE
from tests.rules.rpj.test_wild_magic import FLORA


class TestSheetText:
    def test_the_sheet_shows_everything_the_character_has(self) -> None:
        hero = figure(
            "STR 2 CON 3 DEX 3 CHA 1 WIL 4 INT 6 LUCK 4",
            class_id="cave_mage",
            class_skills=["blunt_weapons", "survival"],
            skills=[
                known("crafting", 1, "Wood"),
                known("alchemy", 5, linked="INT"),
                known("perception", 2, linked="WIL"),
            ],
            traits=["speaks_in_grunts", "lucky"],
            belongings=("club", "leather", "bandages"),
            total_points=50,
            available_points=6,
            lucky_breaks_lost=1,
            species="Human",
            gender="male",
            biography="Hunts a codex.",
            health=RpjHealth(lost_base=(7,)),
        )

        assert describe(hero, 2) == (
            Section(
                "Character",
                (
                    "Cave-Mage",
                    "6 of 50 character points to spend · tier 5 · Novice",
                    "Lucky Breaks 2 of 3 (1 lost permanently)",
                ),
            ),
            Section(
                "Attributes",
                (
                    "Brawny: STR 2/+0 · CON 3/+1",
                    "Shifty: DEX 3/+1 · CHA 1/+0",
                    "Brainy ★: WIL 4/+1 · INT 6/+2",
                    "LUCK 4/+1",
                ),
            ),
            Section(
                "Damage saves",
                (
                    "Base: 2 of 3 (7+)",
                    "▸ Leather armor: 2 of 2 (5+)",
                    "Against damage 2, the base saves last 2.8 hits on average",
                ),
            ),
            Section(
                "Fighting",
                (
                    "2 actions per turn · dodge 8+ · absorb 8+",
                    "Club +1 · damage 2",
                    "Bare hands +1 · damage 0",
                ),
            ),
            Section(
                "Skills",
                (
                    "Alchemy 7 Master · 5+2 INT",
                    "Perception 3 Journeyman · 2+1 WIL · passive 1",
                    "Crafting (Wood) 2 Journeyman · 1+1 DEX",
                    "Survival 1 Novice (rolls +2) · 0+1 WIL · class +1",
                    "Blunt Weapons 0 Neophyte (rolls +1) · 0+0 STR · class +1",
                ),
            ),
            Section(
                "Traits",
                (
                    "Speaks in Grunts: Speaks in guttural sounds only.",
                    "Lucky: One more Lucky Break per session.",
                ),
            ),
            Section("Belongings", ("Club", "Leather armor", "Bandages and splints")),
            Section("About", ("Human · male", "Hunts a codex.")),
        )

    def test_the_sheet_leaves_out_empty_sections(self) -> None:
        sections = describe(figure("CON 2"), 0)

        assert [section.title for section in sections] == [
            "Character",
            "Attributes",
            "Damage saves",
            "Fighting",
        ]
        assert sections[0].lines == ("tier 0", "Lucky Breaks 0 of 2")

    @pytest.mark.rule("RPJ-CHAR-01", "RPJ-GCS-27", "RPJ-GCS-25", "RPJ-CHAR-09")
    def test_the_sheet_gives_attack_modifiers_and_defenses(self) -> None:
        hero = figure(
            "CON 3 DEX 6",
            skills=[known("archery", 4), known("dodge", 3)],
            class_skills=["archery"],
            belongings=("bow",),
        )

        (fighting,) = [section for section in describe(hero, 0) if section.title == "Fighting"]

        assert fighting.lines[:2] == (
            "3 actions per turn · dodge 12+ · absorb 11+",
            "Bow +7 · damage 2 · distance 0–4",
        )

    def test_a_sheet_in_a_module_without_weapons_has_no_fighting_section(self) -> None:
        peaceful = tuple(skill for skill in FANTASY.skills if SkillRole.UNARMED not in skill.roles)
        module = FANTASY.model_copy(update={"weapons": (), "skills": peaceful})

        assert "Fighting" not in [section.title for section in describe(figure("CON 2", module), 0)]


SETTINGS = RpjSettings(module=Shipped.FANTASY)
FLU = Suffered(condition=Condition(id="flu", name="Flu"), since=0, told_until=0)


@pytest.mark.rule("RPJ-COND-01", "RPJ-SMAG-09", "RPJ-WMAG-01", "RPJ-MONEY-01", "RPJ-INV-01")
@pytest.mark.parametrize(
    ("pack", "own", "titles"),
    [
        ("conditions", sheet(conditions=(FLU,)), ["Conditions"]),
        ("conditions", sheet(), []),
        ("structured_magic", CAVE_MAGE, ["Spells"]),
        ("structured_magic", sheet("CHA 4", traits=["elfish_glamour"]), ["Spells"]),
        ("structured_magic", FLORA, []),
        ("wild_magic", FLORA, ["Abilities"]),
        ("wild_magic", CAVE_MAGE, []),
        ("money", sheet(), ["Purse"]),
        ("inventory", sheet(), ["Load"]),
    ],
)
def test_an_optional_rule_adds_its_section_to_the_sheet(pack: str, own: RpjSheet, titles: list[str]) -> None:
    ug = rpj_table(players={"Ug": own}).named("Ug")
    off: dict[str, Any] = {"module": "fantasy", **{pack.value: False for pack in Pack}}

    shown = {
        is_on: [one.title for one in pack_sections(ug, RpjSettings.model_validate({**off, pack: is_on}))]
        for is_on in (True, False)
    }

    assert shown == {True: titles, False: []}


BEFORE = "STR 2 CON 2 DEX 2 LUCK 2"


def changed(**more: Any) -> RpjSheet:
    """A sheet with one thing otherwise."""
    return sheet(**{"attributes": BEFORE, "skills": [known("archery", 2)], "traits": ["haggler"], **more})


class TestGrowth:
    @pytest.mark.rule("RPJ-CHAR-01", "RPJ-CHAR-02", "RPJ-CHAR-03", "RPJ-ATTR-02", "RPJ-HEALTH-04")
    @pytest.mark.parametrize(
        ("after", "rows"),
        [
            (changed(), []),
            (changed(available_points=3), [("Character points to spend", "0", "3")]),
            (changed(total_points=3), [("Character power", "0", "3")]),
            (changed(attributes="STR 1 CON 2 DEX 2 LUCK 2"), [("Strength", "2", "1")]),
            (
                changed(attributes="STR 2 CON 3 DEX 2 LUCK 2"),
                [("Constitution", "2", "3"), ("Constitution bonus", "+0", "+1"), ("Base saves", "2", "3")],
            ),
            (
                changed(attributes="STR 2 CON 2 DEX 6 LUCK 2"),
                [("Dexterity", "2", "6"), ("Dexterity bonus", "+0", "+2"), ("Actions per turn", "2", "3")],
            ),
            (
                changed(attributes="STR 2 CON 2 DEX 2 LUCK 4"),
                [("Luck", "2", "4"), ("Luck bonus", "+0", "+1"), ("Lucky Breaks per session", "2", "3")],
            ),
            (changed(skills=[known("archery", 4)]), [("Archery", "2", "4")]),
            (changed(skills=[]), [("Archery", "2", "0")]),
            (
                changed(skills=[known("archery", 2), known("crafting", 1, "Wood")]),
                [("Crafting (Wood)", "0", "1")],
            ),
            (
                changed(traits=["marksman", "unheard_of"]),
                [("Haggler", "yes", "no"), ("Marksman", "no", "yes")],
            ),
        ],
    )
    def test_what_grew_is_told_with_what_follows_from_it(
        self, after: RpjSheet, rows: list[tuple[str, str, str]]
    ) -> None:
        derived = ("Character points to spend", "Character power", "Actions per turn", "Base saves")

        assert list(sheet_changes(changed(), after, SETTINGS)) == rows
        assert list(npc_changes(changed(), after, SETTINGS)) == rows
        assert list(grown_parts(changed(), after, SETTINGS)) == [
            Growth(what, "", "new") if now == "yes" else Growth(what, was, now)
            for what, was, now in rows
            if now == "yes" or (what not in derived and "+" not in now and now != "no" and now > was)
        ]

    def test_an_attribute_that_a_sheet_leaves_out_is_0(self) -> None:
        bare = changed().model_copy(update={"attributes": {}})

        assert list(sheet_changes(bare, bare, SETTINGS)) == []
        assert ("Strength", "2", "0") in list(sheet_changes(changed(), bare, SETTINGS))

    def test_lucky_breaks_lost_are_told(self) -> None:
        assert list(sheet_changes(changed(), changed(lucky_breaks_lost=1), SETTINGS)) == [
            ("Lucky Breaks lost permanently", "0", "1")
        ]

    @pytest.mark.rule("RPJ-HEALTH-10", "RPJ-HEALTH-14", "RPJ-HEALTH-16")
    @pytest.mark.parametrize(
        ("health", "saves", "state"),
        [
            (RpjHealth(), "2 of 2 (7+)", ""),
            (RpjHealth(lost_base=(7,)), "1 of 2 (7+)", ""),
            (RpjHealth(out=Out.DEAD), "2 of 2 (7+)", "dead"),
            (RpjHealth(out=Out.INCAPACITATED), "2 of 2 (7+)", "bleeding out"),
            (RpjHealth(out=Out.INCAPACITATED, bleeding=2), "2 of 2 (7+)", "bleeding out, 2 failed"),
            (RpjHealth(out=Out.INCAPACITATED, is_stable=True), "2 of 2 (7+)", "stable, unconscious"),
            (RpjHealth(out=Out.KNOCKED_OUT), "2 of 2 (7+)", "knocked out"),
        ],
    )
    def test_others_see_how_an_npc_is_but_not_its_saves(
        self, health: RpjHealth, saves: str, state: str
    ) -> None:
        after = changed(health=health)
        told = [(str(what), was, now) for what, was, now in npc_changes(changed(), after, SETTINGS)]
        own = [(str(what), was, now) for what, was, now in sheet_changes(changed(), after, SETTINGS)]

        assert [row[1:] for row in told] == ([("in action", state)] if state else [])
        assert [row[1:] for row in own if row not in told] == (
            [("2 of 2 (7+)", saves)] if saves != "2 of 2 (7+)" else []
        )


class TestTypingModifiers:
    @pytest.mark.parametrize(
        ("typed", "terms"),
        [
            ("rope +1", [("rope", 1)]),
            ("rope +1 rain -2", [("rope", 1), ("rain", -2)]),
            ("rope +1, −2 rain", [("rope", 1), ("rain", -2)]),
            ("two-handed+2", [("two-handed", 2)]),
            ("+2 high ground, dry −1 dark", [("high ground, dry", 2), ("dark", -1)]),
            ("+1", [("bonus", 1)]),
            ("−1", [("penalty", -1)]),
            ("+20 wind − 20 fog", [("wind", 20), ("fog", -20)]),
        ],
    )
    def test_a_modifiers_number_may_come_before_or_after_its_word(
        self, typed: str, terms: list[tuple[str, int]]
    ) -> None:
        """F-RPJ-13."""
        done = rpj_table().do("Ug", "check", d6("4 3"), skill="Intimidate", modifiers=typed)

        assert [(term.label, term.value) for term in done.rolls[0].terms[1:]] == terms

    @pytest.mark.parametrize(("bonus", "term"), [(1, ("bonus", 1)), (-1, ("penalty", -1))])
    def test_a_chosen_bonus_or_penalty_is_added_under_that_name(
        self, bonus: int, term: tuple[str, int]
    ) -> None:
        done = rpj_table().do("Ug", "check", d6("4 3"), skill="Intimidate", bonus=bonus)

        assert [(one.label, one.value) for one in done.rolls[0].terms] == [("Intimidate", 4), term]


@pytest.mark.rule("RPJ-TRAIT-02", "RPJ-TRAIT-06")
class TestTypingConditions:
    """F-RPJ-07: what does nothing for a roll is refused, and not offered."""

    def test_a_condition_counts_however_it_is_spelled(self) -> None:
        done = rpj_table().do("Ug", "check", d6("4 3"), skill="Diplomacy", toggles="Negotiating Prices")

        assert ("negotiating prices", 1) in [(term.label, term.value) for term in done.rolls[0].terms]

    @pytest.mark.parametrize(
        ("how", "what", "allowed"),
        [
            (
                {"skill": "Trade", "toggles": "negotiating prices"},
                "“negotiating prices” doesn't affect Trade.",
                "Leave it empty: none of your traits do.",
            ),
            (
                {"skill": "Diplomacy", "toggles": "banana"},
                "“banana” doesn't affect Diplomacy.",
                "You can use: negotiating prices.",
            ),
        ],
    )
    def test_a_condition_that_does_not_affect_the_check_is_refused_with_those_that_do(
        self, how: dict[str, str], what: str, allowed: str
    ) -> None:
        refused = rpj_table().refused("Ug", "check", **how)

        assert (refused.what, refused.allowed) == (what, allowed)

    def test_a_condition_that_does_not_affect_an_attribute_or_luck_is_refused(self) -> None:
        table = rpj_table()

        said = table.refused("Ug", "attribute", attribute="CHA", toggles="negotiating prices").what
        assert said == "“negotiating prices” doesn't affect Charisma."
        assert table.refused("Ug", "luck", toggles="banana").what == "“banana” doesn't affect Luck."

    @pytest.mark.parametrize(
        ("kind", "pack", "first"),
        [
            ("known condition", "conditions", "The Flu"),
            ("loaded weapon", "fire_and_movement", "Pistol"),
            ("any spell", "structured_magic", "Jolt"),
            ("magic skill", "structured_magic", "Psionics"),
            ("goods", "money", "Pistol"),
        ],
    )
    def test_names_of_an_optional_rule_are_offered_where_it_is_played(
        self, kind: str, pack: str, first: str
    ) -> None:
        offered = {
            is_on: RULESET.suggestions[kind](
                None, RpjSettings.model_validate({"module": "science_fiction", pack: is_on})
            )
            for is_on in (True, False)
        }

        assert (first in offered[True], list(offered[False])) == (True, [])

    def test_only_conditions_that_affect_the_chosen_skill_are_offered(self) -> None:
        table = rpj_table()
        offered, ug = RULESET.suggestions["condition"], table.named("Ug")
        assert isinstance(offered, Narrowed)

        assert offered.names(ug, table.scene.settings, {"skill": "Diplomacy"}) == ["negotiating prices"]
        assert offered.names(ug, table.scene.settings, {"skill": "Trade"}) == []
        assert offered(ug, table.scene.settings) == ["negotiating prices"]
        for kind in ("attribute condition", "luck condition"):
            assert list(RULESET.suggestions[kind](ug, table.scene.settings)) == []

    @pytest.mark.parametrize(
        ("said", "offered"),
        [
            ({}, ["at sea", "uphill"]),
            ({"attribute": "STR"}, ["at sea"]),
            ({"attribute": "DEX"}, ["at sea", "uphill"]),
            ({"attribute": "DEX", "rolled": "saving throw"}, ["in the dark"]),
            ({"attribute": "DEX", "rolled": "bonus"}, ["drunk"]),
            ({"attribute": "STR", "rolled": "saving throw"}, []),
        ],
    )
    def test_only_conditions_that_affect_the_chosen_attribute_roll_are_offered(
        self, said: dict[str, str], offered: list[str]
    ) -> None:
        kinds = (
            ("attribute", "", "at sea"),
            ("attribute", "DEX", "uphill"),
            ("attribute bonus", "", "drunk"),
            ("saving throw", "DEX", "in the dark"),
            ("Luck", "", "on a Friday"),
        )
        effects = [
            {"type": "roll_bonus", "on": on, "of": of, "value": 1, "when": {"toggle": when}}
            for on, of, when in kinds
        ]
        settings = RpjSettings(module="own").with_module(with_trait("sailor", *effects))
        table = rpj_table(settings, {"Ug": sheet("DEX 3", traits=["sailor"])})
        asked, ug = RULESET.suggestions["attribute condition"], table.named("Ug")
        assert isinstance(asked, Narrowed)

        assert asked.names(ug, table.scene.settings, said) == offered
        assert RULESET.suggestions["luck condition"](ug, table.scene.settings) == ("on a Friday",)


@pytest.mark.rule("RPJ-SKILL-07")
class TestMisspelledNames:
    """F-RPJ-15: a name that the module does not have is guessed."""

    @pytest.mark.parametrize(
        ("typed", "allowed"),
        [
            ("Stealth", "Did you mean Concealment?"),
            ("lockpicking", "Did you mean Open Lock?"),
            ("Athletcism", "Did you mean Athleticism?"),
            ("blade", "Did you mean Large Blades or Small Blades?"),
            ("arc", "Did you mean Archery?"),
            ("armor", "Did you mean Heavy Armor Use or Light Armor Use or Armorcrafting?"),
            ("blade (large)", "Did you mean Large Blades or Small Blades?"),
        ],
    )
    def test_a_misspelled_skill_name_is_refused_with_a_suggestion(self, typed: str, allowed: str) -> None:
        refused = rpj_table().refused("Ug", "check", skill=typed)

        assert refused.sentences == (f"This campaign has no skill “{typed}”.", allowed)

    @pytest.mark.parametrize("typed", ["Surfing", "ar", "(Wood)"])
    def test_an_unknown_skill_name_unlike_any_other_is_refused_with_the_whole_list(self, typed: str) -> None:
        assert rpj_table().refused("Ug", "check", skill=typed).allowed.startswith("Its skills: ")
