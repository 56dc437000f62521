"""Abilities at the table: making them up, using them, stamina, strain, resistance, practice."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from bot.rules.kernel import DueTimer, FileKind, FollowUp, View, read_written
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.casters import casting_of
from bot.rules.rpj.character.sheet import figure_in
from bot.rules.rpj.combat.commands.ability_builder import BUILDING, MOST_REGIONS, Building, view_building
from bot.rules.rpj.game_parts.rpj_gm import SUGGESTION_LISTS
from bot.rules.rpj.game_parts.rpj_resources import timers_due
from bot.rules.rpj.module.abilities import Ability, Practice, Recipe, Wild, after_practice
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from bot.rules.rpj.module.module import Module
from bot.rules.rpj.module.module_files import MODULE_FORM, RpjSettings, Shipped, module_in
from bot.rules.rpj.wild_magic import PRACTICE, ability_inputs, ability_skills, recipe_notes, stamina_of
from tests.rules.rpj.people import figure, known, module_with, sheet
from tests.rules.rpj.people import skill as skill_of
from tests.rules.rpj.table import GameTable, d6, others, rpj_table

FLORA = sheet(
    "STR 2 CON 3 DEX 4 CHA 1 WIL 4 INT 2 LUCK 3",
    skills=[known("fire_magic", 3, linked="WIL")],
    total_points=60,
)
STONE = sheet("STR 4 CON 3 DEX 2 WIL 4 INT 2 LUCK 3", traits=["resistance"])
MONTH = 30 * 24 * 3600


def wild(**more: Any) -> GameTable:
    """Flora, who wields fire with 8 stamina, Stone, who resists, and the Ogre."""
    return rpj_table(players={"Flora": FLORA, "Stone": STONE}, wild_magic=True, **more)


def left(table: GameTable, who: str = "Flora") -> tuple[int, int]:
    """Stamina left, and the most."""
    return stamina_of(figure_in(table.scene, table.named(who)))


def spend(table: GameTable, spent: int) -> None:
    """Let Flora have used so much."""
    table.change("Flora", wild={"spent": spent})


def shown(table: GameTable) -> View:
    """The builder as it stands."""
    key = next(key for key in table.scene.documents if key.startswith(f"{BUILDING}/"))
    kept = table.scene.document(key)
    assert isinstance(kept, Building)
    return view_building(kept, table.scene)


def button(view: View, group: str) -> FollowUp:
    """A button or menu of the builder."""
    return next(one for one in view.follow_ups if one.group == group)


@pytest.mark.rule("RPJ-WMAG-06", "RPJ-WMAG-07", "RPJ-WMAG-02")
class TestUsingAbilities:
    def test_using_an_ability_is_a_check_against_7_plus_its_cost(self) -> None:
        table = wild()
        assert left(table) == (8, 8)
        done = table.do("Flora", "use_ability", d6("4 3"), ability="warm hands")
        assert done.headline == "uses Warm hands"
        assert done.rolls[0].against == "7+"
        assert done.notes == ("Cost 0: weak +1, touch −1.",)
        assert left(table) == (8, 8)

    def test_a_failed_ability_costs_as_much_stamina_as_a_success(self) -> None:
        table = wild()
        done = table.do("Flora", "use_ability", d6("3 2"), ability="Fireball")
        assert done.rolls[0].against == "14+"
        assert done.notes[-1] == "Stamina 8 → 1 of 8."
        assert others(done) == ["Mishap (GM)"]

    def test_a_lucky_break_makes_a_failed_ability_succeed_without_paying_twice(self) -> None:
        table = wild()
        failed = table.do("Flora", "use_ability", d6("5 3"), ability="Fireball", target="Ogre")
        lucky = next(one for one in failed.follow_ups if one.group == "lucky")
        turned = table.press("Flora", lucky, d6("6"))
        assert left(table) == (1, 8)
        assert "9+" in others(turned)[0]

    @pytest.mark.parametrize(("out", "asks"), [(Out.NO, True), (Out.KNOCKED_OUT, False), (Out.DEAD, False)])
    def test_whoever_is_out_of_action_rolls_no_save_against_an_ability(self, out: Out, asks: bool) -> None:
        table = wild()
        table.change("Ogre", health=RpjHealth(out=out))
        done = table.do("Flora", "use_ability", d6("6 6"), ability="Fireball", target="Ogre")
        assert any("save" in one for one in others(done)) is asks

    @pytest.mark.parametrize(
        ("who", "ability", "told"),
        [
            ("Flora", "Flood", "You have no ability called “Flood”."),
            ("Stone", "Fireball", "You have no ability called “Fireball”."),
        ],
    )
    def test_an_ability_the_character_does_not_have_is_refused(
        self, who: str, ability: str, told: str
    ) -> None:
        assert wild().refused(who, "use_ability", ability=ability).what == told

    def test_abilities_are_refused_and_hidden_without_wild_magic(self) -> None:
        table = rpj_table(players={"Flora": FLORA})
        assert table.refused("Flora", "build").what == "This campaign doesn't use Wild magic."
        assert RULESET.suggestions["ability"](table.named("Flora"), table.scene.settings) == []

    def test_a_powerful_magus_adds_1_to_ability_checks(self) -> None:
        table = wild()
        table.change("Flora", traits=[{"trait": "powerful_magus"}])
        done = table.do("Flora", "use_ability", d6("4 3"), ability="Warm hands")
        assert ("power", 1) in [(term.label, term.value) for term in done.rolls[0].terms]


@pytest.mark.rule("RPJ-WMAG-02", "RPJ-WMAG-14", "RPJ-WMAG-21")
@pytest.mark.parametrize(
    ("recipe", "practiced", "told"),
    [
        ({}, False, ("Cost 0.",)),
        ({"magnitude": "weak"}, False, ("Cost 1: weak +1.",)),
        ({"magnitude": "weak", "reach": "touch"}, False, ("Cost 0: weak +1, touch −1.",)),
        ({"magnitude": "strong"}, True, ("Cost 3: strong +4, practiced −1.",)),
        (
            {"magnitude": "strong", "concentration": "one minute"},
            False,
            ("Cost 3: strong +4, one minute −1.", "In a fight it takes the whole turn."),
        ),
        (
            {"magnitude": "strong", "concentration": "ten minutes"},
            False,
            ("Cost 2: strong +4, ten minutes −2.", "In a fight: 10 rounds."),
        ),
    ],
)
def test_an_ability_says_what_makes_up_its_cost_and_how_long_it_takes(
    recipe: dict[str, str], practiced: bool, told: tuple[str, ...]
) -> None:
    ability = Ability(
        name="Burn", skill="fire_magic", recipe=Recipe.model_validate(recipe), is_practiced=practiced
    )
    assert recipe_notes(ability) == told


@pytest.mark.rule("RPJ-WMAG-01", "RPJ-WMAG-02", "RPJ-APPX-15")
class TestSpheres:
    module = module_with(
        spheres=[
            {"skill": "trade"},
            {"skill": "fire_magic", "power": 2},
            {"skill": "athleticism", "power": 1},
        ]
    )

    @pytest.mark.parametrize(
        ("levels", "learned"),
        [
            ({"fire_magic": 0}, []),
            ({"fire_magic": 1}, ["fire_magic"]),
            ({"fire_magic": 1, "athleticism": 3, "survival": 5}, ["athleticism", "fire_magic"]),
        ],
    )
    def test_ability_skills_are_those_learned_of_a_sphere_the_best_first(
        self, levels: dict[str, int], learned: list[str]
    ) -> None:
        skills = [known(skill, base, linked="WIL") for skill, base in levels.items()]
        assert [one.id for one in ability_skills(figure(module=self.module, skills=skills))] == learned

    @pytest.mark.parametrize(
        ("skill", "power"), [("trade", None), ("fire_magic", 2), ("athleticism", 1), ("survival", None)]
    )
    def test_a_sphere_adds_to_the_power_of_its_own_skill(self, skill: str, power: int | None) -> None:
        user = figure(module=self.module, skills=[known(skill, 2, linked="WIL")])
        terms = ability_inputs(user, skill_of(skill, self.module), 0).terms
        assert {term.label: term.value for term in terms}.get("sphere") == power


@pytest.mark.rule("RPJ-WMAG-04")
def test_the_gm_describes_the_mishap_of_a_failed_ability() -> None:
    table = wild()
    failed = table.do("Flora", "use_ability", d6("1 1"), ability="Fireball")
    mishap = next(one for one in failed.follow_ups if one.procedure == "mishap")
    told = table.do("GM Flora", mishap.procedure, text="Her hat burns.")
    assert told.notes == ("Her hat burns.",)


@pytest.mark.rule("RPJ-WMAG-05")
class TestResistingAbilities:
    def test_a_target_rolls_to_resist_an_ability_before_its_damage(self) -> None:
        table = wild()
        done = table.do("Flora", "use_ability", d6("6 6"), ability="Fireball", target="Stone")
        assert others(done)[0] == "Resist with 4 · 58%"
        resisted = table.press("Stone", done.follow_ups[0], d6("4 3"))
        assert resisted.rolls[0].against == "11+"
        assert (resisted.headline, others(resisted)) == ("resists Fireball", [])

    def test_a_target_who_fails_to_resist_an_ability_rolls_a_damage_save(self) -> None:
        table = wild()
        done = table.do("Flora", "use_ability", d6("6 6"), ability="Fireball", target="Stone")
        failed = table.press("Stone", done.follow_ups[0], d6("2 1"))
        assert "9+" in others(failed)[0]


@pytest.mark.rule("RPJ-WMAG-08")
class TestStrain:
    def test_a_strain_roll_is_due_at_0_stamina_and_blocks_further_abilities(self) -> None:
        table = wild()
        spend(table, 1)
        done = table.do("Flora", "use_ability", d6("6 6"), ability="Fireball")
        assert left(table) == (0, 8)
        assert others(done)[0] == "Strain: roll 6+ · 97%"
        assert (
            table.refused("Flora", "use_ability", ability="Warm hands").what
            == "You must roll against strain first."
        )
        held = table.press("Flora", done.follow_ups[0], d6("3 1"))
        assert held.verdict is not None
        assert held.verdict.title == "held"
        table.do("Flora", "use_ability", d6("4 3"), ability="Warm hands")

    @pytest.mark.parametrize(
        ("faces", "out"), [("1 1", Out.INCAPACITATED), ("2 1", Out.KNOCKED_OUT), ("4 1", Out.NO)]
    )
    def test_negative_stamina_makes_the_strain_roll_harder_but_costs_no_save(
        self, faces: str, out: Out
    ) -> None:
        table = wild()
        spend(table, 4)
        done = table.do("Flora", "use_ability", d6("6 6"), ability="Fireball")
        assert left(table) == (-3, 8)
        strained = table.press("Flora", done.follow_ups[0], d6(faces))
        assert strained.rolls[0].against == "9+"
        assert strained.passed is (out is Out.NO)
        health = table.named("Flora").sheet.health
        assert (health.out, health.lost_base) == (out, ())
        if out is not Out.NO:
            refused = table.refused("Flora", "use_ability", ability="Warm hands")
            assert refused.what == f"Flora is {out} and can't use abilities."

    @pytest.mark.parametrize(("target", "told"), [("Ogre", " on Ogre"), ("Flora", ""), (None, "")])
    def test_the_use_of_an_ability_names_its_target(self, target: str | None, told: str) -> None:
        used = wild().do("Flora", "use_ability", d6("6 6"), ability="Fireball", target=target)
        assert used.headline == f"uses Fireball{told}"

    def test_a_strain_roll_that_is_not_due_is_refused(self) -> None:
        assert wild().refused("Flora", "strain").what == "Flora doesn't need to roll against strain."


@pytest.mark.rule("RPJ-WMAG-09")
def test_an_hour_of_rest_restores_half_the_maximum_stamina() -> None:
    table = wild()
    spend(table, 11)
    table.do("GM", "rest", hours=1, who=("Flora",))
    assert left(table) == (1, 8)
    table.do("GM", "rest", hours=2, who=("Flora",))
    assert left(table) == (8, 8)


@pytest.mark.rule("RPJ-WMAG-03", "RPJ-WMAG-10", "RPJ-WMAG-14", "RPJ-WMAG-15", "RPJ-WMAG-16", "RPJ-WMAG-17")
class TestBuildingAbilities:
    def test_the_ability_builder_shows_cost_and_chance_of_every_choice(self) -> None:
        table = wild()
        table.do("Flora", "build")
        assert shown(table).lines[0] == "nothing = cost 0 · 7+ · 97% · stamina 8 → 8 of 8"
        areas = [choice.label.split(" · ")[0] for choice in button(shown(table), "area").choices]
        assert {"1 region", "2 regions"} <= set(areas)
        for group, value in (
            ("magnitude", "strong"),
            ("reach", "180 yards, 6 regions"),
            ("area", "10 yards, one group:1:"),
            ("time", "ten minutes"),
        ):
            table.press("Flora", button(shown(table), group), choose=value)
        assert shown(table).lines[0] == (
            "strong +4 ten minutes −2 180 yards, 6 regions +1 10 yards, one group +2"
            " = cost 5 · 12+ · 42% · stamina 8 → 3 of 8"
        )
        assert button(shown(table), "use").label == "Use it · cost 5"

    @pytest.mark.parametrize(("regions", "told"), [(1, ""), (2, ", 2 regions"), (3, ", 3 regions")])
    def test_the_ability_builder_says_how_many_regions_it_affects(self, regions: int, told: str) -> None:
        table = wild()
        table.do("Flora", "build")
        area = button(shown(table), "area")
        chosen = next(
            one.value for one in area.choices if one.value.startswith(f"30 yards a region:{regions}:")
        )
        table.press("Flora", area, choose=chosen)

        assert button(shown(table), "area").label == f"Area: 30 yards a region{told}"

    def test_an_ability_can_be_used_only_once_from_its_builder(self) -> None:
        table = wild()
        table.do("Flora", "build")
        table.press("Flora", button(shown(table), "magnitude"), choose="weak")
        use = button(shown(table), "use")
        done = table.press("Flora", use, d6("4 3"))
        assert done.headline == "uses weak Fire Magic"
        assert left(table) == (7, 8)
        assert shown(table).follow_ups == ()
        assert [line.split(" = ")[0] for line in shown(table).lines] == ["weak +1"]
        assert table.refused("Flora", use.procedure, **use.options.model_dump()).what == "It has been used."

    def test_every_entry_of_the_ability_builders_menus_can_be_chosen(self) -> None:
        table = wild()
        table.do("Flora", "build")
        for group in ("magnitude", "time", "reach", "area"):
            menu = button(shown(table), group)
            assert 4 <= len(menu.choices) <= 25
            for choice in menu.choices:
                table.press("Flora", button(shown(table), group), choose=choice.value)

    def test_an_overwhelming_ability_needs_the_gms_approval_after_every_change(self) -> None:
        table = wild()
        table.do("Flora", "build")
        table.press("Flora", button(shown(table), "magnitude"), choose="overwhelming=10")
        assert button(shown(table), "use").label == "Allow it (GM)"
        assert button(shown(table), "use").deal == "overwhelming, one action, 10 yards, one target, cost 10"
        allowed = table.press("GM Flora", button(shown(table), "use"))
        assert allowed.deal == "overwhelming, one action, 10 yards, one target, cost 10"
        assert button(shown(table), "use").label == "Use it · cost 10"
        table.press("Flora", button(shown(table), "reach"), choose="touch")
        assert button(shown(table), "use").label == "Allow it (GM)"

    def test_the_ability_builder_refuses_invalid_costs_and_closed_builds(self) -> None:
        table = wild()
        table.do("Flora", "build")
        cost = button(shown(table), "cost")
        at = cost.options.model_dump()["at"]
        for typed in ("much", "-1", "101"):
            refused = table.refused("GM Flora", cost.procedure, at=at, cost=typed)
            assert refused.what == f"“{typed}” isn't a valid cost."
            assert refused.allowed.startswith("Type a whole number from 0 to 100")
        assert table.refused("Flora", "recipe.time", at="recipe/0", value="instant").what == "This is over."


@pytest.mark.rule("RPJ-WMAG-19", "RPJ-WMAG-20")
class TestSavedAbilities:
    def saved(self) -> GameTable:
        """Flora, who has saved a wall of cost 7."""
        table = wild(practiced_improvisation=True)
        table.do("Flora", "build")
        for group, value in (
            ("magnitude", "strong"),
            ("reach", "180 yards, 6 regions"),
            ("area", "10 yards, one group:1:"),
        ):
            table.press("Flora", button(shown(table), group), choose=value)
        save = button(shown(table), "save")
        table.do("Flora", save.procedure, at=save.options.model_dump()["at"], name="Wall of fire")
        return table

    def test_a_saved_ability_is_used_by_its_name(self) -> None:
        table = self.saved()
        assert table.do("Flora", "abilities").notes == (
            "Stamina 8 of 8",
            "Wall of fire · cost 7",
            "Warm hands · cost 0 · from the module",
            "Fireball · cost 7 · from the module",
        )
        assert table.do("Flora", "use_ability", d6("4 3"), ability="wall of fire").rolls[0].against == "14+"

    @pytest.mark.parametrize(("typed", "target"), [("0", 7), ("5", 12), ("100", 107)])
    def test_the_gm_can_set_the_cost_of_an_ability(self, typed: str, target: int) -> None:
        table = wild()
        table.do("Flora", "build")
        cost = button(shown(table), "cost")
        table.do("GM Flora", cost.procedure, at=cost.options.model_dump()["at"], cost=typed)
        assert shown(table).lines[0].startswith(f"set by the GM +{typed} = cost {typed} · {target}+")

    @pytest.mark.rule("RPJ-WMAG-21")
    def test_practice_of_what_was_forgotten_meanwhile_just_ends(self) -> None:
        practicing = Wild(practice=Practice(ability="Wall of fire", until=100))

        assert after_practice(practicing, 99) == practicing
        assert after_practice(practicing, 100) == Wild()

    def test_a_month_of_practice_makes_a_saved_ability_cheaper_once(self) -> None:
        table = self.saved()
        table.do("Flora", "practice", ability="Wall of fire")
        assert table.named("Flora").timers[PRACTICE] == MONTH
        table.scene = replace(table.scene, clock=MONTH)
        turned = timers_due(table.scene, (DueTimer(table.ids["Flora"], PRACTICE),))
        table.scene = turned.scene
        assert turned.notes == ("Flora has practiced Wall of fire: it costs 1 less.",)
        assert table.do("Flora", "use_ability", d6("4 3"), ability="Wall of fire").rolls[0].against == "13+"
        assert table.refused("Flora", "practice", ability="Wall of fire").what == (
            "You have already practiced Wall of fire."
        )
        assert table.refused("Flora", "practice", ability="Fireball").what.startswith("Fireball comes with")

    def test_an_ability_that_was_forgotten_can_no_longer_be_used(self) -> None:
        table = self.saved()
        table.do("Flora", "forget_ability", ability="Wall of fire")
        assert table.refused("Flora", "use_ability", ability="Wall of fire").what.startswith("You have no")


@pytest.mark.rule("RPJ-WMAG-18")
class TestTouchAbilities:
    def test_a_touch_that_misses_costs_stamina_and_ends_the_ability(self) -> None:
        table = wild()
        table.do("Flora", "build")
        for group, value in (("magnitude", "moderate:1"), ("reach", "touch")):
            table.press("Flora", button(shown(table), group), choose=value)
        save = button(shown(table), "save")
        table.do("Flora", save.procedure, at=save.options.model_dump()["at"], name="Brand")
        missed = table.do("Flora", "use_ability", d6("2 3"), ability="Brand", target="Ogre", unwilling=True)
        assert missed.verdict is not None
        assert missed.verdict.title == "misses"
        assert missed.rolls[0].against == "10+"
        assert left(table) == (7, 8)
        touched = table.do(
            "Flora", "use_ability", d6("4 3 5 5"), ability="Brand", target="Ogre", unwilling=True
        )
        assert [roll.against for roll in touched.rolls] == ["10+", "8+"]

    def test_only_a_touch_ability_can_have_an_unwilling_target(self) -> None:
        refused = wild().refused("Flora", "use_ability", ability="Fireball", target="Ogre", unwilling=True)
        assert refused.what == "Only the target of a touch can be unwilling."


@pytest.mark.rule("RPJ-WMAG-16", "RPJ-WMAG-17")
def test_the_builder_offers_every_area_with_its_cost() -> None:
    table = wild()
    table.do("Flora", "build")
    menu = button(shown(table), "area")
    found = [choice.label for choice in menu.choices]

    assert menu.label == "Area: one target"

    assert found[:4] == [
        "One target · +0",
        "10 yards, one group · +2",
        "1 region · +3",
        "2 regions · +6",
    ] or found[0].startswith("one target")
    assert len(found) == 1 + 2 * (1 + MOST_REGIONS)
    assert sum("chosen targets" in label for label in found) == 1 + MOST_REGIONS
    assert f"{MOST_REGIONS} regions · {3 * MOST_REGIONS:+}" in found


UG = sheet("WIL 4 INT 2", skills=[known("primitive_magic", 3, linked="WIL")], total_points=60)
PSION = sheet("WIL 4 INT 2", skills=[known("psionics", 2, linked="WIL")], total_points=60)
HAIL = {"name": "Hail", "level": 2, "about": "Ice as big as fists.", "attack": True, "damage": 2, "range": 3}


def magic() -> GameTable:
    """Ug the cave-mage of the fantasy module, and the Ogre."""
    return rpj_table(players={"Ug": UG}, structured_magic=True)


@pytest.mark.rule("RPJ-SMAG-01", "RPJ-SMAG-10")
class TestSpellsAddedByTheGm:
    def test_a_spell_the_gm_adds_is_known_and_can_be_cast(self) -> None:
        table = magic()
        done = table.do("GM", "add_spell", **HAIL)
        assert done.headline == "adds Hail (level 2 spell, Primitive Magic)"
        assert done.notes == ("Everyone with a high enough skill knows it.",)
        assert table.do("Ug", "cast", d6("6 5"), spell="Hail", target="Ogre").verdict is not None

    def test_an_added_spell_of_a_taught_skill_must_be_taught_first(self) -> None:
        done = magic().do("GM", "add_spell", **{**HAIL, "skill": "Refined Magic"})
        assert done.notes == ("Teach it with /rpj-gm magic teach.",)

    def test_an_added_spell_with_a_saving_throw_asks_the_target_to_save(self) -> None:
        table = magic()
        table.do("GM", "add_spell", name="Chill", level=1, save="CON")
        assert others(table.do("Ug", "cast", spell="Chill", target="Ogre")) == [
            "Save with Constitution, 10+ · 92%"
        ]

    @pytest.mark.parametrize(
        ("options", "field", "value"),
        [
            ({}, "reach", "your group"),
            ({"range": 0}, "reach", "0 regions"),
            ({"range": 1}, "reach", "1 region"),
            ({"range": 2}, "reach", "2 regions"),
            ({"range": 2}, "greatest_range", 2),
            ({}, "greatest_range", None),
            ({"name": "  Ice   Ball "}, "name", "Ice Ball"),
            ({"about": " Cold. "}, "description", "Cold."),
            ({"actions": 2}, "actions", 2),
            ({}, "actions", 1),
            ({"minutes": 10}, "minutes", 10),
            ({}, "minutes", 0),
            ({}, "save", None),
            ({"damage": 0}, "damage", 0),
            ({}, "damage", None),
            ({"nonlethal": True}, "is_nonlethal", True),
            ({"skill": "refined magic"}, "magic_skill", "refined_magic"),
            ({}, "magic_skill", "primitive_magic"),
        ],
    )
    def test_an_added_spell_is_what_the_gm_wrote(
        self, options: dict[str, object], field: str, value: object
    ) -> None:
        table = magic()
        table.do("GM", "add_spell", **{"name": "Ice", "level": 1, **options})

        assert getattr(table.scene.settings.spells[-1], field) == value

    @pytest.mark.parametrize(
        ("changes", "told"),
        [
            ({"name": "Pelt"}, "This campaign already has a spell called Pelt."),
            ({"name": " "}, "A name needs at least one visible character."),
            ({"skill": "Cooking"}, "This campaign has no magic skill “Cooking”."),
        ],
    )
    def test_an_added_spell_with_a_taken_name_or_unknown_skill_is_refused(
        self, changes: dict[str, str], told: str
    ) -> None:
        assert magic().refused("GM", "add_spell", **{**HAIL, **changes}).what == told

    def test_a_campaign_adds_100_spells_at_most(self) -> None:
        table = magic()
        table.do("GM", "add_spell", **HAIL)
        (hail,) = table.scene.settings.spells
        table.settings(spells=[hail.model_dump() | {"id": f"hail_{number}"} for number in range(100)])

        refused = table.refused("GM", "add_spell", **{**HAIL, "name": "Sleet"})

        assert refused.what == "A campaign can have 100 spells of its own."

    def test_an_added_spell_is_exported_with_its_module_and_absent_from_others(self) -> None:
        table = magic()
        table.do("GM", "add_spell", **HAIL)
        assert RULESET.module is not None
        carried = RULESET.module.carried(table.scene.settings)
        assert isinstance(carried, Module)
        assert carried.spell("hail") is not None
        table.settings(module="science_fiction")
        settings = table.scene.settings
        assert isinstance(settings, RpjSettings)
        assert module_in(settings).spell("hail") is None

    def test_the_magic_skills_of_the_module_are_suggested(self) -> None:
        offered = SUGGESTION_LISTS["magic skill"](
            None, RpjSettings(module=Shipped.FANTASY, structured_magic=True)
        )
        assert list(offered) == ["Primitive Magic", "Refined Magic"]

    def test_a_characters_abilities_are_suggested_where_there_is_wild_magic(self) -> None:
        table = wild()
        flora, settings = table.named("Flora"), table.scene.settings
        lists = {key: SUGGESTION_LISTS[key] for key in ("ability", "ability skill")}

        assert [len(names(flora, settings)) > 0 for names in lists.values()] == [True, True]
        table.settings(wild_magic=False)
        for names in lists.values():
            assert (*names(None, settings), *names(flora, table.scene.settings)) == ()


@pytest.mark.rule("RPJ-SMAG-12")
class TestPsionics:
    def psions(self) -> GameTable:
        settings = RpjSettings(module=Shipped.SCIENCE_FICTION, structured_magic=True)
        return rpj_table(settings, {"Psion": PSION})

    def test_a_psion_prepares_a_list_and_spends_ability_slots(self) -> None:
        table = self.psions()
        table.change("Psion", casting={"hours": 2})
        for spell in ("Jolt", "Mind Spike"):
            table.do("Psion", "prepare", spell=spell)
        casting = casting_of(figure_in(table.scene, table.named("Psion")))
        assert casting.prepared == ("jolt", "mind_spike")
        done = table.do("Psion", "cast", spell="Mind Spike", target="Ogre")
        assert done.notes[0] == "Uses a 2nd-level ability slot."

    def test_a_psionic_ability_that_was_not_prepared_cannot_be_used(self) -> None:
        assert self.psions().refused("Psion", "cast", spell="Jolt").what == "You have no slot ready for Jolt."


def test_the_manuals_example_of_magic_money_and_loads_is_a_valid_module() -> None:
    manual = Path("docs/modules.md").read_text(encoding="utf-8").split("```toml\n")[2].partition("```")[0]
    module = read_written(manual, FileKind.TOML, MODULE_FORM)
    assert (module.name, len(module.spells), len(module.abilities)) == ("Reedport", 1, 1)
