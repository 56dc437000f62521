"""Magic in fights: what it costs of a turn, whom it reaches, how it is met, and what it does."""

from typing import Any

import pytest

from bot.rules.kernel import Choice
from bot.rules.rpj.character.casters import casting_of
from bot.rules.rpj.character.sheet import figure_in
from bot.rules.rpj.combat.engine.damage_steps import Saving
from bot.rules.rpj.combat.engine.magic_steps import Harm
from bot.rules.rpj.module.module_files import RpjSettings, Shipped
from bot.rules.rpj.wild_magic import stamina_of
from tests.rules.rpj.combat.played.brawl import brawl, fight, fighter, health, labels, press
from tests.rules.rpj.people import known, sheet
from tests.rules.rpj.table import GameTable, d6

MAGIC = RpjSettings(module=Shipped.FANTASY, structured_magic=True, wild_magic=True)
WISE = sheet(
    "STR 2 CON 3 DEX 2 CHA 1 WIL 4 INT 2 LUCK 2",
    skills=[known("primitive_magic", 5, linked="WIL"), known("fire_magic", 4, linked="WIL")],
)
MAGE: dict[str, Any] = {"attributes": WISE.attributes, "skills": WISE.skills}
RESISTS: dict[str, Any] = {"traits": sheet(traits=["resistance"]).traits}


def mages(first: str = "Ug", **more: Any) -> GameTable:
    """A fight in which Ug has stones and fire; nobody else has magic."""
    return brawl(first, settings=MAGIC, ug=MAGE, **more)


def apart(first: str = "Ug", **more: Any) -> GameTable:
    """The same, with the ogre one region away."""
    table = mages(first, together=False, **more)
    table.do("GM", "fight.place", who="Ogre", region="2")
    return table


def ready(table: GameTable, level: int) -> int:
    """How many of Ug's slots of a level are ready."""
    slots = casting_of(figure_in(table.scene, table.named("Ug"))).slots
    return sum(slot.level == level and not slot.is_spent for slot in slots)


def stamina(table: GameTable) -> int:
    """What Ug has left."""
    return stamina_of(figure_in(table.scene, table.named("Ug")))[0]


def actions(table: GameTable, name: str = "Ug") -> int:
    """Actions that somebody has left."""
    return fighter(table, name).turn.actions


def saved(table: GameTable, name: str, *recipe: object, **changes: object) -> None:
    """Let Ug have an ability of that name."""
    made = {"name": name, "skill": "fire_magic", "recipe": changes}
    table.change("Ug", wild={"abilities": [made]})


def menu(table: GameTable) -> dict[str, Choice]:
    """What the magic menu of the turn offers, by its words."""
    assert table.game.tracker is not None
    found = [one for one in table.game.tracker.choices(table.scene) if one.procedure == "fight.magic"]
    return {choice.label: choice for one in found for choice in one.choices}


@pytest.mark.rule("RPJ-SMAG-03", "RPJ-SMAG-06")
class TestSpellAttacksInAFight:
    def test_a_spell_attack_takes_an_action_and_a_slot_and_meets_the_defense(self) -> None:
        table = apart()
        done = table.do("Ug", "cast", d6("6 5 6 5"), spell="Pelt", target="Ogre")
        assert done.headline == "casts Pelt at Ogre"
        assert done.notes[0] == "Uses a 1st-level spell slot."
        assert [roll.against for roll in done.rolls] == ["9+", "8+"]
        assert done.verdict is not None
        assert done.verdict.title == "hit"
        assert (actions(table), ready(table, 1)) == (1, 1)

    def test_a_save_lost_to_a_spell_is_crossed_off(self) -> None:
        table = apart()
        done = table.do("Ug", "cast", d6("6 5 1 2"), spell="Pelt", target="Ogre")
        assert [roll.verdict.title for roll in done.rolls] == ["success, 8 degrees", "failure by 5"]
        assert health(table, "Ogre").lost_base == (7,)

    def test_a_spell_attack_beside_an_enemy_draws_a_free_attack(self) -> None:
        table = mages(first="Ogre")
        table.change("Ogre", **MAGE)
        done = table.do("GM Ogre", "cast", spell="Pelt", target="Laeniel")
        assert labels(done)[0].startswith("Laeniel: free attack")

    def test_a_player_can_choose_how_to_defend_against_a_spell_attack(self) -> None:
        table = apart("Ogre")
        table.change("Ogre", **MAGE)
        table.do("Laeniel", "fight.defense", defense="ask")
        done = table.do("GM Ogre", "cast", spell="Pelt", target="Laeniel")
        assert [label.split(" (")[0] for label in labels(done)][:2] == ["Laeniel: dodge", "Laeniel: absorb"]

    def test_a_spell_beyond_its_range_is_refused_without_cost(self) -> None:
        table = mages()
        table.do("GM", "fight.place", who="Ogre", region="4")
        refused = table.refused("Ug", "cast", spell="Pelt", target="Ogre")
        assert refused.what == "Pelt can't be used at distance 3."
        assert ready(table, 1) == 2

    def test_a_spell_that_hits_a_mook_kills_it(self) -> None:
        table = apart()
        table.do("GM", "fight.mooks", name="Goblin", count=2, region="2")
        done = table.do("Ug", "cast", d6("6 5"), spell="Pelt", at="Goblin")
        assert done.notes[-1] == "Goblin 1 is dead."

    def test_a_lucky_break_turns_a_missed_spell_into_a_hit_without_another_slot(self) -> None:
        table = apart()
        done = table.do("Ug", "cast", d6("1 1"), spell="Pelt", target="Ogre")
        table.scene = done.paid or table.scene
        turned = press(table, "Ug", done, "Lucky Break", "6 6 5")
        assert turned.verdict is not None
        assert turned.verdict.title == "hit"
        assert ready(table, 1) == 1

    @pytest.mark.parametrize(
        ("options", "told"),
        [
            ({}, "Pelt needs a target."),
            ({"target": "Laeniel"}, "Laeniel isn't in the fight."),
            ({"target": "Ogre", "slot": 0}, "You can't cast Pelt with a 0th-level spell slot."),
        ],
    )
    def test_a_spell_that_cannot_be_cast_costs_no_action(self, options: dict[str, Any], told: str) -> None:
        table = mages()
        table.do("Laeniel", "encounter.leave")
        assert table.refused("Ug", "cast", spell="Pelt", **options).what == told
        assert actions(table) == 2

    def test_a_spell_is_refused_out_of_turn_and_without_an_action(self) -> None:
        table = mages("Laeniel")
        assert table.refused("Ug", "cast", spell="Glow").what == "It isn't Ug's turn."
        table = mages()
        for _ in range(2):
            table.do("Ug", "fight.task", what="Waits")
        assert table.refused("Ug", "cast", spell="Rumble").what == "Ug has no actions left."


@pytest.mark.rule("RPJ-SMAG-07", "RPJ-SMAG-18", "RPJ-APPX-16")
class TestSavingThrowsAgainstSpells:
    def test_an_npc_rolls_its_saving_throw_at_once_and_takes_damage_on_a_failure(self) -> None:
        table = mages()
        done = table.do("Ug", "cast", d6("1 2 1 2"), spell="Crush", target="Ogre")
        assert done.rolls[0].against == "12+"
        assert "Crush affects Ogre." in done.notes
        assert health(table, "Ogre").lost_base == (7,)

    def test_a_player_rolls_a_saving_throw_with_a_button_and_is_told_the_effect(self) -> None:
        table = apart("Ogre")
        table.change("Ogre", **MAGE)
        done = table.do("GM Ogre", "cast", spell="Crush", target="Laeniel")
        assert labels(done) == ["Laeniel: save with Dexterity, 12+ · 72%", "Continue (GM)"]
        held = press(table, "Laeniel", done, "save with", "6 5")
        assert held.notes == ("Only dust and bruises.",)
        assert fight(table).steps == ()

    @pytest.mark.parametrize(
        ("aim", "told"),
        [
            ({"at": "Laeniel, Ogre"}, "casts Rumble at Laeniel, Ogre"),
            ({"target": "Ogre", "at": "Laeniel"}, "casts Rumble at Ogre, Laeniel"),
            ({"target": "Ogre", "at": "Laeniel, Ogre"}, "casts Rumble at Ogre, Laeniel"),
            ({"target": "Laeniel"}, "casts Rumble at Laeniel"),
        ],
    )
    def test_the_chosen_target_of_a_spell_comes_first_and_nobody_twice(
        self, aim: dict[str, str], told: str
    ) -> None:
        table = apart()

        done = table.do("Ug", "cast", d6("1 2") if "at Ogre" in told else "", spell="Rumble", **aim)

        assert done.headline == told

    def test_a_spell_at_several_targets_has_each_roll_a_saving_throw(self) -> None:
        table = apart()
        done = table.do("Ug", "cast", d6("1 2"), spell="Rumble", at="Ogre, Laeniel")
        assert done.headline == "casts Rumble at Ogre, Laeniel"
        assert len(done.rolls) == 1
        assert fight(table).steps != ()

    def test_a_target_with_resistance_rolls_to_resist_a_spell_first(self) -> None:
        table = apart(laeniel=RESISTS)
        done = table.do("Ug", "cast", spell="Pelt", target="Laeniel")
        assert labels(done)[:2] == ["Laeniel: resist with 2 · 28%", "Laeniel: don't resist"]
        held = press(table, "Laeniel", done, "resist with", "6 5")
        assert held.notes == ("Laeniel resists Pelt.",)
        assert fight(table).steps == ()

    def test_a_spell_continues_when_resistance_fails_or_is_declined(self) -> None:
        table = mages(laeniel=RESISTS)
        done = table.do("Ug", "cast", spell="Crush", target="Laeniel")
        done = press(table, "Laeniel", done, "resist with", "1 2")
        assert "Laeniel: save with Dexterity, 12+ · 72%" in labels(done)
        table = mages(laeniel=RESISTS)
        done = table.do("Ug", "cast", spell="Crush", target="Laeniel")
        assert "save with Dexterity" in labels(press(table, "Laeniel", done, "don't resist"))[0]

    def test_the_gm_can_continue_when_a_target_does_not_answer_a_spell(self) -> None:
        table = mages(laeniel=RESISTS)
        table.do("Ug", "cast", spell="Crush", target="Laeniel")
        table.do("GM", "fight.go_on", d6("1 2"))
        done = table.do("GM", "fight.go_on", d6("1 2"))
        assert labels(done)[0].startswith("Lucky Break")
        assert fight(table).steps[-1].kind == "saves"


@pytest.mark.rule("RPJ-WMAG-02", "RPJ-WMAG-07", "RPJ-WMAG-13", "RPJ-WMAG-15")
class TestWildAbilitiesInAFight:
    def test_a_wild_ability_takes_an_action_and_stamina_and_does_damage(self) -> None:
        table = mages()
        saved(table, "Scorch", magnitude="moderate", damage=1)
        done = table.do("Ug", "use_ability", d6("5 5 1 2"), ability="Scorch", target="Ogre")
        assert done.headline == "uses Scorch at Ogre"
        assert done.notes[:2] == ("Cost 2: moderate +2.", "Stamina 10 → 8 of 10.")
        assert health(table, "Ogre").lost_base == (7,)
        assert actions(table) == 1

    def test_a_failed_wild_ability_costs_full_stamina_and_offers_a_mishap(self) -> None:
        table = mages()
        saved(table, "Scorch", magnitude="moderate", damage=1)
        done = table.do("Ug", "use_ability", d6("1 1"), ability="Scorch", target="Ogre")
        assert "Mishap (GM)" in labels(done)
        assert stamina(table) == 8

    def test_a_wild_ability_without_longer_reach_only_reaches_nearby_targets(self) -> None:
        table = mages()
        saved(table, "Scorch", magnitude="moderate", damage=1)
        table.do("GM", "fight.place", who="Ogre", region="2")
        refused = table.refused("Ug", "use_ability", ability="Scorch", target="Ogre")
        assert refused.what == "Ogre is too far away."
        assert stamina(table) == 10

    @pytest.mark.rule("RPJ-WMAG-14", "RPJ-WMAG-20")
    @pytest.mark.parametrize("is_saved", [True, False])
    def test_an_ability_takes_an_action_whether_saved_or_just_built(self, is_saved: bool) -> None:
        table = mages()
        table.do("Ug", "build")
        key = next(key for key in table.scene.documents if key.startswith("recipe/"))
        if is_saved:
            table.do("Ug", "recipe.save", at=key, name="Spark")
            table.do("Ug", "use_ability", d6("5 5"), ability="Spark")
        else:
            table.do("Ug", "recipe.use", d6("5 5"), at=key)
        assert (actions(table), stamina(table)) == (1, 10)

    def test_an_instant_wild_ability_takes_no_action(self) -> None:
        table = mages()
        saved(table, "Flash", magnitude="weak", concentration="instant")
        table.do("Ug", "use_ability", d6("5 5"), ability="Flash")
        assert actions(table) == 2

    @pytest.mark.rule("RPJ-WMAG-16", "RPJ-WMAG-17")
    @pytest.mark.parametrize(("chosen", "hit"), [(False, {"Ogre", "Laeniel", "Ug"}), (True, {"Ogre"})])
    def test_an_area_ability_hits_allies_unless_it_is_selective(self, chosen: bool, hit: set[str]) -> None:
        table = mages()
        saved(table, "Blaze", magnitude="moderate", damage=1, area="10 yards, one group", is_selective=chosen)
        table.do("Ug", "use_ability", d6("6 6 6 6"), ability="Blaze", target="Ogre")
        waiting = {step.target for step in fight(table).steps if isinstance(step, Saving | Harm)}
        assert waiting == {f"c{table.ids[name]}" for name in hit - {"Ogre"}}

    @pytest.mark.rule("RPJ-WMAG-13", "RPJ-WMAG-16")
    def test_only_the_middle_of_an_area_has_to_be_within_reach(self) -> None:
        table = mages()
        table.do("GM", "fight.place", who="Laeniel", region="1")
        saved(table, "Blaze", magnitude="moderate", damage=1, area="30 yards a region")
        table.do("Ug", "use_ability", d6("6 6 6 6"), ability="Blaze", target="Ogre")
        waiting = {step.target for step in fight(table).steps if isinstance(step, Saving | Harm)}
        assert waiting == {f"c{table.ids[name]}" for name in ("Laeniel", "Ug")}

    @pytest.mark.rule("RPJ-WMAG-18")
    def test_a_touch_ability_that_misses_still_costs_stamina_and_the_action(self) -> None:
        table = mages()
        saved(table, "Brand", magnitude="moderate", damage=1, reach="touch")
        done = table.do("Ug", "use_ability", d6("1 2"), ability="Brand", target="Ogre")
        assert done.rolls[0].against == "10+"
        assert done.verdict is not None
        assert done.verdict.title == "misses"
        assert (stamina(table), actions(table)) == (9, 1)
        done = table.do("Ug", "use_ability", d6("6 4 1 1"), ability="Brand", target="Ogre")
        assert len(done.rolls) == 2

    @pytest.mark.rule("RPJ-WMAG-08")
    def test_a_failed_strain_roll_in_a_fight_leaves_the_caster_bleeding(self) -> None:
        table = mages()
        saved(table, "Scorch", magnitude="very strong", damage=4)
        table.change("Ug", wild={**table.named("Ug").sheet.wild.model_dump(), "spent": 6})
        done = table.do("Ug", "use_ability", d6("1 2"), ability="Scorch", target="Ogre")
        assert labels(done)[0] == "Strain: roll 8+ · 92%"
        table.press("Ug", done.follow_ups[0], d6("1 1"))
        assert table.named("Ug").sheet.health.is_bleeding


@pytest.mark.rule("RPJ-WMAG-14")
class TestLongAbilitiesInAFight:
    def rounds(self, table: GameTable) -> None:
        """Go on to Ug's next turn."""
        for _ in range(3):
            table.do("GM", "encounter.next")

    def test_an_ability_of_one_minute_takes_the_whole_turn(self) -> None:
        table = mages()
        saved(table, "Trance", magnitude="weak", concentration="one minute")
        done = table.do("Ug", "use_ability", d6("5 5"), ability="Trance")
        assert done.notes == ("Cost 0: weak +1, one minute −1.",)
        assert actions(table) == 0

    def test_an_ability_of_ten_minutes_takes_ten_rounds_and_costs_only_in_the_last(self) -> None:
        table = mages()
        saved(table, "Rite", magnitude="strong", concentration="ten minutes")
        done = table.do("Ug", "use_ability", ability="Rite")
        assert done.notes == ("Round 1 of 10; any attack breaks it.",)
        for number in range(2, 10):
            self.rounds(table)
            assert f"Continue Rite · round {number} of 10" in menu(table)
            table.do("Ug", "fight.magic", aim="go on||")
        assert stamina(table) == 10
        self.rounds(table)
        table.do("Ug", "fight.magic", d6("5 5"), aim="go on||")
        assert stamina(table) == 8

    def test_an_attack_interrupts_an_ability_of_ten_minutes_without_cost(self) -> None:
        table = mages()
        saved(table, "Rite", magnitude="strong", concentration="ten minutes")
        table.do("Ug", "use_ability", ability="Rite")
        table.do("GM", "encounter.next")
        table.do("GM", "encounter.next")
        table.do("GM Ogre", "fight.attack", d6("1 2"), target="Ug")
        table.do("GM", "encounter.next")
        assert table.refused("Ug", "fight.magic", aim="go on||").allowed == "It was interrupted: start again."
        assert stamina(table) == 10


class TestMagicMenu:
    def test_the_magic_menu_offers_spells_and_abilities_with_cost_and_chance(self) -> None:
        table = mages()
        assert list(menu(table)) == [
            "Ogre · Pelt · 1 action · 97%",
            "Ogre · Rumble · 1 action · 92%",
            "Ogre · Crush · 1 action · 92%",
            "Glow · 1 action · 1st-level spell slot",
            "Landslide · 1 action",
            "Cave-In · 1 action",
            "Warm hands · 1 action, 0 stamina · 97%",
            "Ogre · Fireball · 1 action, 7 stamina · 28%",
        ]

    def test_choosing_a_spell_from_the_magic_menu_casts_it(self) -> None:
        table = apart()
        chosen = menu(table)["Ogre · Pelt · 1 action · 97%"]
        done = table.do("Ug", "fight.magic", d6("1 1"), aim=chosen.value)
        assert done.headline == "casts Pelt at Ogre"

    def test_a_fighter_without_magic_has_no_magic_menu(self) -> None:
        assert menu(brawl("Ug")) == {}


@pytest.mark.rule("RPJ-SMAG-16")
class TestConcentrationAndFights:
    def test_starting_a_fight_breaks_concentration(self) -> None:
        table = mages()
        table.do("GM", "encounter.end")
        table.do("Ug", "concentrate")
        assert table.named("Ug").sheet.casting.since is not None
        table.do("Ug", "encounter.start", others=("Ogre",))
        table.do("GM", "encounter.next", d6("1 1 2 2"))
        assert table.named("Ug").sheet.casting.since is None

    def test_joining_a_fight_breaks_concentration(self) -> None:
        table = mages("Laeniel")
        table.do("Ug", "encounter.leave")
        table.do("Ug", "concentrate")
        table.do("Ug", "encounter.join", d6("1 1"))
        assert table.named("Ug").sheet.casting.since is None


@pytest.mark.rule("RPJ-SMAG-06", "RPJ-APPX-14")
class TestSpellsUnderFire:
    def shot(self, **ogre: Any) -> str:
        """What a spell at the ogre is rolled against with Fire and Movement."""
        under_fire = RpjSettings(**{**MAGIC.model_dump(), "fire_and_movement": True})
        table = brawl("Ug", settings=under_fire, ug=MAGE, ogre=ogre, together=False)
        table.do("GM", "fight.place", who="Ogre", region="2")
        return table.do("Ug", "cast", d6("1 1"), spell="Pelt", target="Ogre").rolls[0].against

    def test_a_ranged_spell_meets_the_ranged_defense_with_fire_and_movement(self) -> None:
        assert self.shot() == "5+"

    def test_agile_adds_1_to_ranged_defense_in_the_open(self) -> None:
        assert self.shot(traits=sheet(traits=["agile"]).traits) == "6+"


class TestOverwhelmingAbilities:
    def test_an_overwhelming_ability_is_saved_only_after_the_gm_allows_it(self) -> None:
        table = mages()
        table.do("Ug", "build")
        key = next(key for key in table.scene.documents if key.startswith("recipe/"))
        table.do("Ug", "recipe.magnitude", at=key, value="overwhelming=10")
        refused = table.refused("Ug", "recipe.save", at=key, name="Doom")
        assert refused.what == "This ability needs the GM's approval."
        table.do("GM Ug", "recipe.allow", at=key)
        assert table.do("Ug", "recipe.save", at=key, name="Doom").headline == "saves Doom · cost 10"
