"""The sheet as it is read on a phone."""

import pytest

from bot.rules.kernel import Section
from bot.rules.rpj.game_parts.sheet_text import describe
from bot.rules.rpj.module.defense_layers import RpjHealth
from bot.rules.rpj.module.module import SkillRole
from tests.rules.rpj.people import FANTASY, figure, known


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
                    "×7+/7+/7+ Base",
                    "▸5+/5+ Leather armor",
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
            "Bow +7 · damage 2 · distance 0 to 4",
        )

    def test_a_sheet_in_a_module_without_weapons_has_no_fighting_section(self) -> None:
        peaceful = tuple(skill for skill in FANTASY.skills if SkillRole.UNARMED not in skill.roles)
        module = FANTASY.model_copy(update={"weapons": (), "skills": peaceful})

        assert "Fighting" not in [section.title for section in describe(figure("CON 2", module), 0)]
