"""Preparing spells, and what slots and spells of level 0 need."""

from typing import Any

import pytest

from bot.rules.rpj.character.sheet import figure_in
from bot.rules.rpj.known_spells import PrepareOptions, filling
from tests.rules.rpj.people import known, sheet
from tests.rules.rpj.table import GameTable, labels, rpj_table
from tests.rules.rpj.test_casting import HOUR, magic, ready, wait


@pytest.mark.rule("RPJ-SMAG-10", "RPJ-SMAG-11", "RPJ-SMAG-14", "RPJ-SMAG-17", "RPJ-SMAG-20", "RPJ-SMAG-21")
class TestPreparingSpells:
    def taught(self) -> GameTable:
        """Ug, who has been taught two refined spells."""
        table = magic()
        for spell in ("Semblance", "Lance"):
            table.do("GM", "teach", target="Ug", spell=spell)
        return table

    def test_preparing_a_spell_takes_two_hours_of_concentration_in_a_row(self) -> None:
        table = self.taught()
        assert table.refused("Ug", "prepare", spell="Semblance").what == (
            "Preparing takes 2 hours of concentration in a row; you have 0."
        )
        table.do("Ug", "concentrate")
        wait(table, 2 * HOUR)
        done = table.do("Ug", "prepare", spell="Semblance")
        assert done.headline == "prepares Semblance in a 1st-level spell slot"
        assert table.do("Ug", "cast", spell="Semblance").notes[0] == "Uses a 1st-level spell slot."

    def test_a_slot_with_a_prepared_spell_can_be_spent_on_an_unprepared_one(self) -> None:
        table = self.taught()
        table.do("Ug", "concentrate")
        wait(table, 2 * HOUR)
        table.do("Ug", "prepare", spell="Semblance")
        table.do("Ug", "cast", spell="Pelt")
        table.do("Ug", "cast", spell="Pelt")
        assert (ready(table)[1], ready(table)[2]) == (1, 1)  # what is in a slot is taken last
        table.do("Ug", "cast", spell="Pelt", slot=1)
        assert table.refused("Ug", "cast", spell="Semblance").what == "You have no slot ready for Semblance."

    def test_a_higher_slot_does_not_lift_a_spell_above_its_own_skill(self) -> None:
        table = self.taught()
        table.do("Ug", "concentrate")
        wait(table, 2 * HOUR)
        assert table.refused("Ug", "prepare", spell="Lance", slot=4).what == (
            "Lance needs Refined Magic 2; yours is 1."
        )

    def test_a_slot_too_low_for_a_spell_is_refused_with_skill_and_level(self) -> None:
        """F-RPJ-21."""
        table = self.taught()
        table.do("Ug", "concentrate")
        wait(table, 2 * HOUR)
        refused = table.refused("Ug", "prepare", spell="Lance", slot=1)
        assert refused.sentences == (
            "Lance is level 2 in Refined Magic; it doesn't fit into a 1st-level spell slot.",
            "Choose a slot of level 2 or higher.",
        )

    def test_a_spell_in_a_slot_is_dropped_from_no_list(self) -> None:
        """F-RPJ-21."""
        table = magic()
        table.do("Ug", "prepare", spell="Glow")
        assert table.do("Ug", "cast", spell="Glow").notes[0] == "Uses no slot: 0th-level spells are free."
        refused = table.refused("Ug", "prepare", spell="Glow", drop=True)
        assert refused.what == "The slot of Glow can't be changed."

    def test_a_level_0_slot_is_prepared_at_once_and_never_spent(self) -> None:
        table = magic()
        table.do("Ug", "prepare", spell="Glow")
        for _ in range(5):
            table.do("Ug", "cast", spell="Glow")
        assert ready(table) == {0: 2, 1: 2, 2: 2, 3: 2, 4: 2, 5: 1}
        table.do("GM", "teach", target="Ug", spell="spark")
        assert table.do("Ug", "prepare", spell="spark").headline == "prepares Spark in a 0th-level spell slot"
        assert table.refused("Ug", "prepare", spell="spark").what == (
            "Preparing takes 2 hours of concentration in a row; you have 0."  # none is empty any more
        )

    @pytest.mark.rule("RPJ-SMAG-04")
    def test_an_unprepared_level_0_spell_takes_a_higher_slot_after_asking(self) -> None:
        table = magic()
        asked = table.do("Ug", "cast", spell="Glow")
        assert asked.headline == "wants to cast Glow"  # F-OPT-14
        assert ready(table)[1] == 2
        assert table.do("Ug", "cast", spell="Glow", slot=1).notes[0] == "Uses a 1st-level spell slot."
        assert ready(table)[1] == 1

    def test_a_spell_prepared_in_two_slots_can_be_cast_twice(self) -> None:
        table = self.taught()
        table.do("Ug", "concentrate")
        wait(table, 2 * HOUR)
        for _ in range(2):
            table.do("Ug", "prepare", spell="Semblance", slot=1)
        for _ in range(2):
            table.do("Ug", "cast", spell="Semblance")
        assert ready(table)[1] == 0
        assert table.refused("Ug", "cast", spell="Semblance").what == "You have no slot ready for Semblance."

    def test_a_spell_the_gm_made_a_caster_forget_is_not_known(self) -> None:
        table = self.taught()
        table.do("GM", "teach", target="Ug", spell="Lance", forget=True)
        assert table.refused("Ug", "cast", spell="Lance").what == "You don't know Lance."

    def test_the_slots_command_lists_slots_and_known_spells(self) -> None:
        table = self.taught()
        table.do("Ug", "cast", spell="Pelt")
        told = table.do("Ug", "slots").notes
        assert told[1] == "1: ○● · 2 empty (fill with /rpj-magic prepare)"  # F-RPJ-21
        assert told[6] == "From Primitive Magic 5; an hour restores 8 levels."
        assert told[7].startswith("Known: Glow 0, Pelt 1, Rumble 2")


@pytest.mark.rule("RPJ-SMAG-04", "RPJ-SMAG-14")
class TestSpellsOfLevel0:
    @pytest.mark.parametrize("prepared", [(), ("spark",)])  # of two slots
    def test_before_a_higher_slot_is_used_up_the_caster_is_asked(self, prepared: tuple[str, ...]) -> None:
        table = magic()
        for spell in prepared:
            table.do("GM", "teach", target="Ug", spell=spell)
            table.do("Ug", "prepare", spell=spell, slot=0)

        asked = table.do("Ug", "cast", spell="glow")

        assert asked.headline == "wants to cast Glow"
        assert asked.notes == (
            "It is in no 0th-level spell slot, so it would use up a 1st-level spell slot.",
            "The empty 0th-level spell slot can hold it permanently; then it is free.",
        )
        assert [(one.label, one.procedure, one.options.model_dump()["slot"]) for one in asked.follow_ups] == [
            ("Prepare Glow in the 0th-level spell slot", "prepare", 0),
            ("Cast with a 1st-level spell slot", "cast", 1),
        ]
        assert ready(table)[1] == 2
        assert table.press("Ug", asked.follow_ups[1]).notes[0] == "Uses a 1st-level spell slot."
        assert table.press("Ug", asked.follow_ups[0]).headline == "prepares Glow in a 0th-level spell slot"
        assert table.do("Ug", "cast", spell="glow").notes[0] == "Uses no slot: 0th-level spells are free."
        assert ready(table)[1] == 1

    def test_an_empty_slot_is_offered_with_the_spells_of_level_0_that_no_slot_holds(self) -> None:
        table = magic()
        table.do("GM", "teach", target="Ug", spell="spark")

        def offered() -> list[list[tuple[str, str | None]]]:
            menus = filling(figure_in(table.scene, table.named("Ug")), table.ids["Ug"])
            assert all(menu.label == "Prepare in the 0th-level spell slot …" for menu in menus)
            assert all(menu.options == PrepareOptions(spell=menu.choices[0].value, slot=0) for menu in menus)
            return [[(one.value, one.note) for one in menu.choices] for menu in menus]

        assert offered() == [[("glow", "permanent"), ("spark", "until you prepare again")]]
        table.do("Ug", "prepare", spell="glow", slot=0)
        assert offered() == [[("spark", "until you prepare again")]]
        table.do("Ug", "prepare", spell="spark", slot=0)
        assert offered() == []

    @pytest.mark.parametrize(
        ("base", "skill", "offered"),
        [
            (0, "Primitive Magic", ["Prepare in the 0th-level spell slot …"]),
            (1, "Primitive Magic", []),  # which adds a slot of level 1
            (1, "Survival", []),
        ],
    )
    def test_a_slot_that_an_improvement_adds_is_offered_to_be_filled(
        self, base: int, skill: str, offered: list[str]
    ) -> None:
        skills = [known("primitive_magic", base, linked="WIL")] if base else []
        mage = sheet("WIL 4 INT 2", skills=skills, total_points=60, available_points=20, class_id="cave_mage")
        table = rpj_table(players={"Ug": mage}, structured_magic=True)

        done = table.do("Ug", "improve_skill", skill=skill)

        assert labels(done) == offered

    def test_without_an_empty_slot_only_the_higher_one_is_offered(self) -> None:
        table = magic()
        for spell in ("spark", "semblance"):
            table.do("GM", "teach", target="Ug", spell=spell)
        table.change("Ug", casting={**table.named("Ug").sheet.casting.model_dump(), "hours": 2})
        for slot in (0, 0):
            table.do("Ug", "prepare", spell="spark", slot=slot)
        full = table.named("Ug").sheet.casting.slots
        held = [slot.model_copy(update={"spell": "spark"}) if slot.level == 0 else slot for slot in full]
        table.change("Ug", casting={**table.named("Ug").sheet.casting.model_dump(), "slots": held})

        asked = table.do("Ug", "cast", spell="glow")

        assert [one.procedure for one in asked.follow_ups] == ["cast"]
        assert len(asked.notes) == 1

    def test_a_slot_chosen_by_the_caster_is_not_asked_about(self) -> None:
        table = magic()

        assert table.do("Ug", "cast", spell="glow", slot=2).notes[0] == "Uses a 2nd-level spell slot."
        assert ready(table)[2] == 1


@pytest.mark.rule("RPJ-SMAG-10", "RPJ-SMAG-11", "RPJ-SMAG-13", "RPJ-SMAG-14", "RPJ-SMAG-17")
@pytest.mark.parametrize(
    ("hours", "options", "told"),
    [
        (2, {"spell": "semblance"}, "prepares Semblance in a 1st-level spell slot"),
        (2, {"spell": "semblance", "slot": 3}, "prepares Semblance in a 3rd-level spell slot"),
        (1, {"spell": "semblance"}, "Preparing takes 2 hours of concentration in a row; you have 1."),
        (
            2,
            {"spell": "semblance", "slot": 0},
            "Semblance is level 1 in Refined Magic; it doesn't fit into a 0th-level spell slot.",
        ),
        (2, {"spell": "semblance", "slot": 6}, "You have no 6th-level spell slot for Semblance."),
        (0, {"spell": "spark"}, "prepares Spark in a 0th-level spell slot"),
        (2, {"spell": "lance"}, "You don't know Lance."),
        (2, {"spell": "pelt"}, "Primitive Magic needs no preparation."),
        (0, {"spell": "glow", "drop": True}, "Glow isn't prepared."),
    ],
)
def test_a_spell_is_prepared_in_the_way_of_its_skill(hours: int, options: dict[str, Any], told: str) -> None:
    table = magic()
    for spell in ("spark", "semblance"):
        table.do("GM", "teach", target="Ug", spell=spell)
    table.change("Ug", casting={**table.named("Ug").sheet.casting.model_dump(), "hours": hours})

    if told.startswith("prepares"):
        assert table.do("Ug", "prepare", **options).headline == told
    else:
        assert table.refused("Ug", "prepare", **options).what == told
