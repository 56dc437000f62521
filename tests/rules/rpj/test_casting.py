"""Casting at the table: slots, resistance, attacks, saving throws, concentration."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.rules.kernel import DueTimer
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.casters import (
    CONCENTRATION,
    broken,
    caster_for,
    casting_of,
    defense_against_magic,
    innate_caster,
    innate_hour,
    linked_values,
    spell_named,
)
from bot.rules.rpj.character.sheet import figure_in
from bot.rules.rpj.character_points import raise_skill, skill_price
from bot.rules.rpj.game_parts.rpj_resources import timers_due
from bot.rules.rpj.module.basics import RpjAttribute
from bot.rules.rpj.module.module_files import RpjSettings, Shipped
from bot.rules.rpj.module.spells import (
    Formula,
    InnateGrant,
    Mage,
    MagicRules,
    MagicSkill,
    Preparation,
    slot_counts,
)
from tests.rules.rpj.people import FANTASY, figure, known, module_with, sheet, skill, with_trait
from tests.rules.rpj.table import OGRE, GameTable, d6, others, rpj_table

UG = sheet(
    "STR 2 CON 3 DEX 2 CHA 1 WIL 4 INT 2 LUCK 3",
    skills=[known("primitive_magic", 5, linked="WIL"), known("refined_magic", 1, linked="INT")],
    total_points=60,
)
ELF = sheet("DEX 4 CHA 4 INT 3 LUCK 3", traits=["elfish_glamour"])
HOUR = 3600


def magic(**more: Any) -> GameTable:
    """Ug the cave-mage, an elf, and an Ogre that dodges at 7+."""
    return rpj_table(players={"Ug": UG, "Elf": ELF}, structured_magic=True, **more)


def ready(table: GameTable, who: str = "Ug") -> dict[int, int]:
    """How many slots of each level are ready."""
    casting = casting_of(figure_in(table.scene, table.named(who)))
    levels = sorted({slot.level for slot in casting.slots})
    return {
        level: sum(slot.level == level and not slot.is_spent for slot in casting.slots) for level in levels
    }


def wait(table: GameTable, seconds: int, who: str = "Ug") -> tuple[str, ...]:
    """Let game time go by for somebody who concentrates."""
    table.scene = replace(table.scene, clock=table.scene.clock + seconds)
    due = table.named(who).timers.get(CONCENTRATION)
    if due is None or due > table.scene.clock:
        return ()
    turned = timers_due(table.scene, (DueTimer(table.ids[who], CONCENTRATION),))
    table.scene = turned.scene
    return turned.notes


@pytest.mark.rule("RPJ-SMAG-03", "RPJ-SMAG-08", "RPJ-SMAG-19")
class TestSpellSlots:
    def test_slots_follow_the_magic_skill_with_the_highest_effective_level(self) -> None:
        assert ready(magic()) == {0: 2, 1: 2, 2: 2, 3: 2, 4: 2, 5: 1}

    def test_casting_spends_the_lowest_slot_that_fits_and_says_so(self) -> None:
        table = magic()
        done = table.do("Ug", "cast", spell="landslide")
        assert done.headline == "casts Landslide"
        assert done.notes[0] == "Uses a 3rd-level spell slot."
        assert ready(table)[3] == 1

    @pytest.mark.parametrize(
        ("target", "faces", "told"),
        [
            ({}, "", "casts Pelt"),
            ({"target": "Ogre"}, "3 1", "casts Pelt at Ogre"),
            ({"target": "Ug"}, "3 1", "casts Pelt"),
        ],
    )
    def test_a_cast_names_its_target_unless_that_is_the_caster(
        self, target: dict[str, str], faces: str, told: str
    ) -> None:
        assert magic().do("Ug", "cast", d6(faces), spell="Pelt", **target).headline == told

    def test_a_higher_slot_is_spent_when_all_slots_of_the_spells_level_are_gone(self) -> None:
        table = magic()
        told = [table.do("Ug", "cast", spell="Rumble").notes[0] for _ in range(3)]
        assert told == [
            "Uses a 2nd-level spell slot.",
            "Uses a 2nd-level spell slot.",
            "Uses a 3rd-level spell slot.",
        ]

    def test_a_caster_can_choose_a_higher_slot_but_not_a_lower_one(self) -> None:
        table = magic()
        table.do("Ug", "cast", spell="Pelt", slot=4)
        assert ready(table)[4] == 1
        assert table.refused("Ug", "cast", spell="Landslide", slot=2).what == (
            "You can't cast Landslide with a 2nd-level spell slot."
        )

    @pytest.mark.parametrize(
        ("who", "spell", "told"),
        [
            ("Ug", "wish", "This campaign has no spell “wish”."),
            ("Ug", "Lance", "You don't know Lance."),
            ("Elf", "Pelt", "You don't know Pelt."),
        ],
    )
    def test_an_unknown_spell_is_refused_with_a_reason(self, who: str, spell: str, told: str) -> None:
        assert magic().refused(who, "cast", spell=spell).what == told

    @pytest.mark.parametrize("lacking", ["skills", "magic"])
    def test_a_spell_needs_its_skill_and_the_rules_for_it(self, lacking: str) -> None:
        without = FANTASY.model_copy(update={lacking: MagicRules() if lacking == "magic" else ()})

        with pytest.raises(UserError, match="Pelt needs a skill that Fantasy doesn't have"):
            caster_for(figure("WIL 4", without), spell_named(figure("", FANTASY), "Pelt"))

    def test_casting_without_a_slot_left_says_how_to_restore_slots(self) -> None:
        table = magic()
        table.do("Ug", "cast", spell="Cave-In")
        refused = table.refused("Ug", "cast", spell="Cave-In")
        assert refused.what == "You have no slot ready for Cave-In."
        assert refused.allowed == "An hour of concentration restores slots."

    def test_spells_and_magic_skills_are_hidden_without_structured_magic(self) -> None:
        table = rpj_table(players={"Ug": UG})
        assert table.refused("Ug", "cast", spell="Pelt").what == (
            "This campaign doesn't use Structured magic."
        )
        assert RULESET.suggestions["any spell"](None, table.scene.settings) == []
        assert "Primitive Magic" not in RULESET.suggestions["skill"](None, table.scene.settings)


@pytest.mark.rule("RPJ-SMAG-06")
class TestSpellAttacks:
    def test_a_spell_attack_rolls_base_level_and_linked_bonus_against_the_better_defense(self) -> None:
        table = magic()
        done = table.do("Ug", "cast", d6("3 1"), spell="Pelt", target="Ogre")
        roll = done.rolls[0]
        assert [(term.label, term.value) for term in roll.terms] == [("Primitive Magic", 6)]
        assert roll.against == "9+"
        assert (roll.total, done.verdict.title if done.verdict else "") == (10, "hit")
        assert "8+" in others(done)[0]

    def test_a_spell_attack_that_misses_still_costs_its_slot(self) -> None:
        table = magic()
        done = table.do("Ug", "cast", d6("1 1"), spell="Pelt", target="Ogre")
        assert done.verdict is not None
        assert done.verdict.title == "miss"
        assert ready(table)[1] == 1

    def test_a_lucky_break_makes_a_missed_spell_hit_without_another_slot(self) -> None:
        table = magic()
        done = table.do("Ug", "cast", d6("1 1"), spell="Pelt", target="Ogre")
        button = next(one for one in done.follow_ups if one.group == "lucky")
        turned = table.press("Ug", button, d6("6"))
        assert turned.verdict is not None
        assert turned.verdict.title == "hit"
        assert ready(table)[1] == 1


@pytest.mark.rule("RPJ-SMAG-07")
class TestSavingThrowsAgainstSpells:
    def test_a_spells_target_saves_against_the_casters_base_level(self) -> None:
        table = magic()
        cast = table.do("Ug", "cast", spell="Crush", target="Elf")
        assert others(cast) == ["Save with Dexterity, 12+ · 42%"]
        saved = table.press("Elf", cast.follow_ups[0], d6("5 3"))
        assert saved.notes == ("Only dust and bruises.",)

    def test_a_failed_saving_throw_against_a_spell_leads_to_a_damage_save(self) -> None:
        table = magic()
        cast = table.do("Ug", "cast", spell="Crush", target="Elf")
        failed = table.press("Elf", cast.follow_ups[0], d6("3 2"))
        assert "10+" in others(failed)[0]
        assert failed.notes == ()

    def test_innate_magic_gives_slots_without_a_magic_skill(self) -> None:
        table = magic()
        done = table.do("Elf", "cast", spell="Semblance")
        assert done.notes[0] == "Uses a 1st-level spell slot (innate)."
        assert ready(table, "Elf") == {1: 1}


@pytest.mark.rule("RPJ-SMAG-18", "RPJ-APPX-16")
class TestResistingSpells:
    def resisting(self) -> GameTable:
        """An Ogre with the gift of Resistance and Willpower 2."""
        table = magic()
        table.change("Ogre", traits=[{"trait": "resistance"}])
        return table

    def test_resistance_is_rolled_before_the_spell_attack(self) -> None:
        cast = self.resisting().do("Ug", "cast", spell="Pelt", target="Ogre")
        assert others(cast) == ["Resist with 2 · 28%"]
        assert cast.rolls == ()

    def test_a_target_who_resists_a_spell_is_unaffected(self) -> None:
        table = self.resisting()
        cast = table.do("Ug", "cast", spell="Pelt", target="Ogre")
        done = table.press("GM Ogre", cast.follow_ups[0], d6("5 4"))
        assert done.rolls[0].against == "11+"
        assert (done.headline, others(done)) == ("resists Pelt", [])

    def test_a_target_who_fails_to_resist_a_spell_is_attacked(self) -> None:
        table = self.resisting()
        cast = table.do("Ug", "cast", spell="Pelt", target="Ogre")
        done = table.press("GM Ogre", cast.follow_ups[0], d6("3 3"))
        assert others(done) == ["Attack Ogre · 97%"]
        hit = table.press("Ug", done.follow_ups[0], d6("4 4"))
        assert hit.verdict is not None
        assert hit.verdict.title == "hit"

    @pytest.mark.parametrize(
        ("defense", "value"),
        [
            ({"kind": "fixed", "value": 5}, 5),
            ({"kind": "attribute", "of": "WIL"}, 4),
            ({"kind": "skill", "of": "survival"}, 3),
            ({"kind": "skill", "of": "unheard_of"}, 0),
        ],
    )
    def test_a_spell_defense_is_a_number_an_attribute_or_a_skill(
        self, defense: dict[str, Any], value: int
    ) -> None:
        effect = {"type": "spell_defense", "defense": defense}
        target = figure(
            "WIL 4 INT 3",
            with_trait("guarded", effect),
            traits=["guarded"],
            skills=[known("survival", 2, linked="INT")],
        )

        assert defense_against_magic(target) == value
        assert defense_against_magic(figure("WIL 4 INT 3")) is None

    def test_the_best_of_several_spell_defenses_counts(self) -> None:
        effects = [
            {"type": "spell_defense", "defense": {"kind": "fixed", "value": value}} for value in (2, 6, 4)
        ]

        assert defense_against_magic(figure("", with_trait("guarded", *effects), traits=["guarded"])) == 6


@pytest.mark.rule("RPJ-SMAG-09", "RPJ-SMAG-15")
class TestInnateMagic:
    @pytest.mark.parametrize(
        ("stands_in", "base", "bonus", "hour"), [("CHA", 4, 1, 3), ("WIL", 6, 2, 4), (None, 0, 0, 2)]
    )
    def test_the_attribute_that_stands_in_decides_about_innate_magic_or_nothing_does(
        self, stands_in: str | None, base: int, bonus: int, hour: int
    ) -> None:
        grant = InnateGrant(level=2, stands_in=stands_in and RpjAttribute(stands_in))
        elf = figure("CHA 4 WIL 6", skills=[known("refined_magic", 5, linked="INT")])

        caster = innate_caster(elf, spell_named(elf, "Semblance"), grant)

        assert (caster.base, caster.effective, caster.is_innate) == (base, bonus, True)
        assert innate_hour(elf, grant) == hour

    @pytest.mark.parametrize(
        ("formula", "values"),
        [
            (None, (0, 0)),
            (Formula(flat=3), (0, 0)),
            (Formula(level_of=RpjAttribute.WIL), (6, 0)),
            (Formula(bonus_of=RpjAttribute.CHA), (0, 1)),
        ],
    )
    def test_a_prepared_list_uses_the_attributes_its_formula_names(
        self, formula: Formula | None, values: tuple[int, int]
    ) -> None:
        how = Preparation.SLOT if formula is None else Preparation.LIST
        rules = MagicSkill(skill="refined_magic", preparation=how, list_size=formula)
        caster = Mage(rules=rules, name="Refined Magic", base=5, bonus=1)

        assert linked_values(figure("CHA 4 WIL 6"), caster) == values


@pytest.mark.rule("RPJ-SMAG-15", "RPJ-SMAG-16")
class TestConcentration:
    def test_each_hour_of_concentration_restores_spell_slots(self) -> None:
        table = magic()
        for spell in ("Cave-In", "Crush", "Landslide"):
            table.do("Ug", "cast", spell=spell)
        table.do("Ug", "concentrate")
        assert wait(table, 59 * 60) == ()
        assert wait(table, 60) == ("Ug has concentrated for an hour: slots of level 5, 3 are ready again.",)
        assert wait(table, HOUR) == (
            "Ug has concentrated for 2 hours: slots of level 4 are ready again, "
            "prepared spells can be changed.",
        )

    @pytest.mark.rule("RPJ-SMAG-09")
    def test_innate_slots_are_restored_by_concentration_too(self) -> None:
        table = magic()
        whole = casting_of(figure_in(table.scene, table.named("Elf"))).slots
        table.do("Elf", "cast", spell="Semblance")
        table.do("Elf", "concentrate")

        told = wait(table, HOUR, "Elf")

        assert told == ("Elf has concentrated for an hour: slots of level 1 are ready again.",)
        assert table.named("Elf").sheet.casting.slots == whole

    def test_a_check_breaks_concentration(self) -> None:
        table = magic()
        table.do("Ug", "cast", spell="Cave-In")
        table.do("Ug", "concentrate")
        wait(table, HOUR + 1800)
        table.do("Ug", "check", d6("3 4"), skill="diplomacy")
        assert ready(table)[5] == 1  # the first hour was full
        assert CONCENTRATION not in table.named("Ug").timers
        assert wait(table, HOUR) == ()
        assert table.named("Ug").sheet.casting.hours == 0

    def test_being_incapacitated_breaks_concentration_but_a_wound_does_not(self) -> None:
        table = magic()
        table.do("Ug", "concentrate")
        table.do("Ug", "save", d6("1 3"), damage=0)
        assert table.named("Ug").sheet.health.lost_base == (7,)
        assert CONCENTRATION in table.named("Ug").timers
        table.do("GM", "ambush", target="Ug", how="out of action at once")

        assert CONCENTRATION not in table.named("Ug").timers
        assert table.named("Ug").sheet.casting.since is None

    def test_a_spell_or_the_gm_breaks_concentration(self) -> None:
        table = magic()
        table.do("Ug", "concentrate")
        table.do("Ug", "cast", spell="Pelt")
        assert CONCENTRATION not in table.named("Ug").timers
        table.do("Ug", "concentrate")
        table.do("GM", "break_off", target="Ug")
        assert CONCENTRATION not in table.named("Ug").timers
        assert table.refused("GM", "break_off", target="Ug").what == "Ug isn't concentrating."

    @pytest.mark.parametrize(("since", "hours"), [(0, 0), (0, 1), (None, 2), (None, 0)])
    def test_broken_concentration_loses_its_hours(self, since: int | None, hours: int) -> None:
        table = magic()
        table.change("Ug", casting={"since": since, "hours": hours})

        after = broken(table.scene, table.ids["Ug"])

        casting = after.character(table.ids["Ug"]).sheet.casting
        assert (casting.since, casting.hours) == (None, 0)
        assert (after is table.scene) == (since is None and hours == 0)


@pytest.mark.rule("RPJ-SMAG-22")
@pytest.mark.parametrize(("times", "now", "level", "price"), [(3, 0, 4, 30), (2, 4, 5, 10), (1, 0, 6, 21)])
def test_a_magic_skill_with_a_cost_multiplier_costs_more_points(
    times: int, now: int, level: int, price: int
) -> None:
    rules = MagicRules(skills=(MagicSkill(skill="primitive_magic", cost_multiplier=times),))
    game = FANTASY.model_copy(update={"magic": rules})
    assert skill_price(known("primitive_magic", level, linked="WIL"), now, game, "") == price


@pytest.mark.rule("RPJ-SMAG-23")
def test_slow_build_magic_caps_the_total_of_magic_skills() -> None:
    game = module_with(optional_rules=["structured_magic", "slow_build_magic"])
    skills = [known("primitive_magic", 4, linked="WIL"), known("refined_magic", 1, linked="INT")]
    ug = figure("WIL 4", game, skills=skills, total_points=50, available_points=50)
    with pytest.raises(UserErrors) as refused:
        raise_skill(ug, skill("primitive_magic", game), 5)
    assert refused.value.problems[0] == "Your magic skills can total 5 levels now, not 6."
    stronger = figure("WIL 4", game, skills=skills, total_points=60, available_points=50)
    assert raise_skill(stronger, skill("primitive_magic", game), 5).skills[1].base == 5


@pytest.mark.rule("RPJ-APPX-15")
def test_a_powerful_magus_can_have_one_more_slot_at_each_level() -> None:
    table = magic()
    table.change("Ug", traits=[{"trait": "powerful_magus"}])
    assert tuple(ready(table).values()) == tuple(count for count in slot_counts(5, 1, more=1) if count)


DEEDS = st.lists(
    st.sampled_from(["Pelt", "Rumble", "Landslide", "Cave-In", "Glow", "concentrate", "hour", "undo"]),
    max_size=14,
)


@settings(max_examples=50, deadline=None)
@given(deeds=DEEDS)
def test_spell_slots_always_match_the_formula(deeds: list[str]) -> None:
    table, before = magic(), None
    most = slot_counts(5, 1)
    for deed in deeds:
        if deed == "undo":
            table.scene = before or table.scene
            continue
        before = table.scene
        try:
            if deed == "hour":
                wait(table, HOUR)
            elif deed == "concentrate":
                table.do("Ug", "concentrate")
            else:
                table.do("Ug", "cast", spell=deed)
        except UserError:
            continue
        slots = casting_of(figure_in(table.scene, table.named("Ug"))).slots
        counts = [sum(slot.level == level for slot in slots) for level in range(7)]
        assert tuple(counts) == most
        assert not any(slot.is_spent for slot in slots if slot.level == 0)


def test_a_character_without_magic_has_no_slots_and_no_spells() -> None:
    assert OGRE.casting.slots == ()
    assert magic().refused("GM Ogre", "cast", spell="Pelt").what == "You don't know Pelt."


def told_slots(table: GameTable, who: str = "Ug") -> tuple[str, ...]:
    return tuple(line.replace(" (fill with /rpj-magic prepare)", "") for line in table.do(who, "slots").notes)


class TestSlotsShown:
    @pytest.mark.rule("RPJ-SMAG-02", "RPJ-SMAG-08", "RPJ-SMAG-19")
    def test_slots_are_listed_by_level_with_what_is_in_them(self) -> None:
        table = magic()
        table.do("Ug", "prepare", spell="glow")
        table.do("Ug", "cast", spell="Landslide")

        assert told_slots(table) == (
            "0: ●● · Glow, 1 empty",
            "1: ●● · 2 empty",
            "2: ●● · 2 empty",
            "3: ○● · 2 empty",
            "4: ●● · 2 empty",
            "5: ● · 1 empty",
            "From Primitive Magic 5; an hour restores 8 levels.",
            "Known: Glow 0, Pelt 1, Rumble 2, Landslide 3, Crush 4, Cave-In 5",
        )

    @pytest.mark.rule("RPJ-SMAG-09")
    def test_innate_slots_name_their_trait(self) -> None:
        assert told_slots(magic(), "Elf") == (
            "1: ●● · innate (Elfish Glamour), innate (Elfish Glamour)",
            "Known: Semblance 1",
        )

    @pytest.mark.rule("RPJ-SMAG-12")
    def test_a_prepared_list_says_how_many_of_how_many(self) -> None:
        settings = RpjSettings(module=Shipped.SCIENCE_FICTION, structured_magic=True)
        psion = sheet("WIL 4 INT 2", skills=[known("psionics", 2, linked="WIL")])
        table = rpj_table(settings, {"Psion": psion})
        table.change("Psion", casting={"hours": 2})

        told = [
            table.do("Psion", "prepare", spell="Jolt").headline,
            table.do("Psion", "prepare", spell="Mind Spike").headline,
            table.do("Psion", "prepare", spell="Jolt", drop=True).headline,
            table.do("Psion", "prepare", spell="Inner Clock").headline,
        ]

        assert told == [
            "prepares Jolt (1 of 3)",
            "prepares Mind Spike (2 of 3)",
            "removes Jolt from the prepared list (1 of 3)",
            "prepares Inner Clock in a 0th-level ability slot",
        ]
        assert told_slots(table, "Psion") == (
            "0: ●● · Inner Clock, 1 empty",
            "1: ●●",
            "2: ●",
            "From Psionics 2; an hour restores 5 levels.",
            "Known: Inner Clock 0, Jolt 1, Mind Spike 2",
            "Prepared: Mind Spike",
        )
