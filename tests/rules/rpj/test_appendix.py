"""The book's appendices: the skill catalogue, the traits, the two tables of chances."""

from fractions import Fraction

import pytest

from bot.rules.kernel.dice import Distribution, die
from bot.rules.kernel.dice import total as dice_total
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.belongings import WEALTH, burden_of
from bot.rules.rpj.character.damage_saves import layers_of
from bot.rules.rpj.character.lucky_breaks import lose_for_good, lucky_breaks_left, refreshed
from bot.rules.rpj.character.sheet import OfferedStrike, Stats, goes_first, offered_strike
from bot.rules.rpj.character_points import take_trait
from bot.rules.rpj.checks.skill_checks import Situation, skill_check, skill_named
from bot.rules.rpj.combat.engine.moves import CautiousWalk, cautious_paid, cautious_walk
from bot.rules.rpj.combat.rules.attacks import defenses
from bot.rules.rpj.combat.rules.combatants import Battle, unarmed
from bot.rules.rpj.combat.rules.turns import INITIATIVE, first_round, initiative_check
from bot.rules.rpj.game_parts.rpj_resources import RESOURCES
from bot.rules.rpj.gm_commands import inverted
from bot.rules.rpj.module.basics import RpjAttribute
from bot.rules.rpj.module.effects import FreeAttackTrigger
from bot.rules.rpj.module.items import Container
from bot.rules.rpj.module.module import MoneyRules, RpjTrait
from bot.rules.rpj.module.module_files import MODULES, RpjSettings
from bot.rules.rpj.module.possessions import capacity, income_of
from tests.dice import ScriptedDice
from tests.rules.rpj.combat.battles import battle, person, turn
from tests.rules.rpj.people import FANTASY, figure, known, sheet, skill
from tests.rules.rpj.table import rpj_table
from tests.rules.rpj.throws import coins_total

GENRES = {
    genre: {skill.id for skill in module.skills if not skill.needs} for genre, module in MODULES.items()
}
ANY = GENRES["generic"]


def trait(id_: str) -> RpjTrait:
    found = FANTASY.trait(id_)
    assert found is not None
    return found


def printed(falls: Distribution[int], total: int) -> tuple[str, str, str]:
    """What a row of the table says: exactly, at least, at most, in per cent."""

    def part(ways: int) -> str:
        hundredths = Fraction(ways * 10_000, falls.of)
        return f"{int(hundredths + Fraction(1, 2)) / 100:.2f}"

    rows = falls.ways.items()
    return (
        part(falls.ways[total]),
        part(sum(ways for value, ways in rows if value >= total)),
        part(sum(ways for value, ways in rows if value <= total)),
    )


class TestSkillCatalogue:
    @pytest.mark.rule("RPJ-APPX-01")
    def test_the_shipped_modules_hold_all_38_skills_of_the_catalogue(self) -> None:
        fantasy, modern = GENRES["fantasy"] - ANY, GENRES["science_fiction"] - ANY

        assert (len(ANY), len(fantasy), len(modern)) == (15, 9, 14)
        assert GENRES["fantasy"] >= ANY
        assert GENRES["science_fiction"] >= ANY

    @pytest.mark.rule("RPJ-APPX-01")
    @pytest.mark.parametrize(
        ("typed", "name"), [("perceive", "Perception"), ("Weaponsmithing", "Weaponcrafting")]
    )
    def test_a_skill_is_found_by_its_other_name_in_the_book(self, typed: str, name: str) -> None:
        assert skill_named(FANTASY, typed).name == name

    @pytest.mark.rule("RPJ-APPX-02")
    def test_a_skill_uses_the_attribute_chosen_when_it_was_learned(self) -> None:
        picks = {"by_hand": known("open_lock", 3), "by_head": known("open_lock", 3, linked="INT")}
        levels = {
            how: figure("DEX 6 INT 2", skills=[own]).effective_level(skill("open_lock"))
            for how, own in picks.items()
        }

        assert levels == {"by_hand": 5, "by_head": 3}
        assert skill("horsemanship").linked == (RpjAttribute.DEX, RpjAttribute.CHA)
        assert skill("games").linked == (RpjAttribute.CHA, RpjAttribute.INT)

    @pytest.mark.rule("RPJ-APPX-03")
    @pytest.mark.parametrize(
        ("id_", "own", "task", "modifier"),
        [
            ("knowledge", "Dragons", "Dragons", 4),
            ("knowledge", "Dragons", "Taxes", 3),
            ("crafting", "Wood", "Stone", 2),
            ("crafting", "Wood", "Wood", 3),
        ],
    )
    def test_each_skill_has_its_own_rule_for_specialties(
        self, id_: str, own: str, task: str, modifier: int
    ) -> None:
        linked = "INT" if id_ == "knowledge" else "DEX"
        who = figure(skills=[known(id_, 3, own, linked=linked)])

        assert skill_check(who, skill(id_), Situation(task=task)).modifier == modifier

    @pytest.mark.rule("RPJ-APPX-04")
    def test_each_kind_of_armor_has_its_skill_for_defense(self) -> None:
        worn = {"light_armor": "light_armor_use", "heavy_armor": "heavy_armor_use"}
        for armor, needed in worn.items():
            who = figure("DEX 3", skills=[known(needed, 4)], belongings=(armor,))
            used = [term.label for defense in defenses(who) for term in defense.terms]
            assert skill(needed).name in used
        bare = [term.label for term in defenses(figure("DEX 3", skills=[known("dodge", 2)]))[0].terms]
        assert "Dodge" in bare
        assert "power_armor_use" in GENRES["science_fiction"]


class TestTraitCosts:
    @pytest.mark.rule("RPJ-APPX-05")
    @pytest.mark.parametrize(("id_", "cost", "left"), [("alert", 4, 16), ("totally_mute", -4, 24)])
    def test_a_gift_costs_points_a_fault_refunds_them_and_power_stays(
        self, id_: str, cost: int, left: int
    ) -> None:
        who = figure(total_points=60, available_points=20)

        after = take_trait(who, id_, has_leave=True)

        assert trait(id_).cost == cost
        assert (after.available_points, after.total_points) == (left, 60)

    @pytest.mark.rule("RPJ-APPX-13")
    def test_a_trait_cannot_be_taken_twice(self) -> None:
        with pytest.raises(UserError, match="You already have Tough, or a trait that excludes it"):
            take_trait(figure(traits=["tough"], available_points=20), "tough", has_leave=True)


@pytest.mark.rule("RPJ-APPX-06")
class TestReversedGifts:
    @pytest.mark.parametrize(("refund", "cost"), [(None, -2), (1, -1), (3, -3)])
    def test_a_reversed_gift_is_a_fault_with_a_penalty_for_fewer_points(
        self, refund: int | None, cost: int
    ) -> None:
        slow = inverted(trait("alert"), "Slow", refund)

        assert (slow.kind, slow.cost, slow.mirrors, slow.excludes) == ("fault", cost, "alert", ("alert",))
        assert [effect.model_dump()["value"] for effect in slow.effects] == [-1]

    def test_the_reverse_of_tough_takes_a_base_save_away(self) -> None:
        frail = inverted(trait("tough"), "Frail")
        module = FANTASY.model_copy(update={"traits": (*FANTASY.traits, frail)})

        assert frail.cost == -3
        assert figure("CON 3", module, traits=["frail"]).base_saves == (7, 7)

    @pytest.mark.parametrize("refund", [4, 9])
    def test_a_reversed_gift_never_refunds_as_much_as_the_gift_costs(self, refund: int) -> None:
        with pytest.raises(UserError, match="A fault that mirrors Alert must give fewer than its 4 points"):
            inverted(trait("alert"), "Slow", refund)

    @pytest.mark.parametrize("id_", ["riposte", "quick_draw", "totally_mute"])
    def test_a_gift_without_a_bonus_cannot_be_reversed(self, id_: str) -> None:
        with pytest.raises(UserError, match="has no bonus"):
            inverted(trait(id_), "Upside Down")

    def test_a_bonus_of_nothing_cannot_be_reversed(self) -> None:
        idle = RpjTrait.model_validate(
            {
                "id": "idle",
                "name": "Idle",
                "kind": "gift",
                "cost": 3,
                "effects": [{"type": "roll_bonus", "on": "defense", "value": 0}],
            }
        )

        with pytest.raises(UserError, match="has no bonus"):
            inverted(idle, "Upside Down")

    @pytest.mark.parametrize("name", ["Кот", "魔法", "★", "😀", "---", "2 魔法"])
    def test_a_fault_may_have_a_name_in_any_script(self, name: str) -> None:  # F-REL-12
        table = rpj_table()

        table.do("GM", "invert", gift="Alert", name=name, refund=3)

        again = table.refused("GM", "invert", gift="Alert", name=name)
        assert name in again.what
        table.do("GM", "invert", gift="Tough", name=f"{name} 猫", refund=1)

    def test_the_gm_can_add_a_reversed_gift_to_the_campaign(self) -> None:
        table = rpj_table()

        done = table.do("GM", "invert", gift="Alert", name="Sluggish", refund=3)

        assert done.headline == "adds a fault: Sluggish"
        assert done.notes == ("The reverse of Alert. It gives 3 character points.",)
        assert table.refused("GM", "invert", gift="Alert", name="Sluggish").what == (
            "This campaign already has a trait called Sluggish."
        )
        assert (
            table.refused("GM", "invert", gift="Wings", name="Heavy").what
            == "This campaign has no gift “Wings”."
        )


@pytest.mark.rule("RPJ-APPX-07")
class TestAlert:
    @pytest.mark.parametrize(("surprise", "total"), [(0, 11), (-2, 9)])
    def test_alert_raises_initiative_by_1(self, surprise: int, total: int) -> None:
        who = battle(person("ug", "DEX 3", traits=["alert"]))["ug"]

        roll = INITIATIVE.resolve(initiative_check(who, surprise), ScriptedDice("d6:3 d6:4"))

        assert roll.total == total

    def test_a_surprised_character_with_alert_still_acts_in_the_first_round(self) -> None:
        table = rpj_table(players={"Ug": sheet("DEX 2", traits=["alert"])})
        table.do("Ug", "encounter.start", others=("Ogre",))
        table.do("GM", "fight.surprise", side="players")
        rolled = table.do("Ug", "encounter.next", "d6:3 d6:3 d6:3 d6:4")
        for _ in range(2):
            at_last = table.do("GM", "encounter.next")

        assert rolled.notes == ("The order: Ogre (8), Ug (7).",)
        assert at_last.notes == ("It is Ug's turn.",)


@pytest.mark.rule("RPJ-APPX-08")
class TestBattlefieldMobility:
    def moving(self, actions: int) -> Battle:
        return battle(
            person("ug", traits=["battlefield_mobility"], fighter={"turn": turn(actions)}), person("orc")
        )

    @pytest.mark.parametrize(("actions", "left"), [(3, 1), (4, 2), (2, 0)])
    def test_battlefield_mobility_makes_a_cautious_move_take_two_actions(
        self, actions: int, left: int
    ) -> None:
        fight = self.moving(actions)

        after = cautious_paid(fight, "ug", cautious_walk(fight, "ug"))

        assert after["ug"].fighter.turn.actions == left

    def test_a_cautious_move_with_one_action_takes_the_whole_turn_as_for_everyone(self) -> None:
        assert cautious_walk(self.moving(1), "ug") == CautiousWalk(None, 1)


@pytest.mark.rule("RPJ-APPX-09")
def test_a_hand_to_hand_master_does_1_more_damage_unarmed() -> None:
    plain, master = unarmed(figure()), unarmed(figure(traits=["hand_to_hand_master"]))

    assert (plain.damage, master.damage) == (0, 1)


@pytest.mark.rule("RPJ-APPX-10")
class TestLucky:
    @pytest.mark.parametrize(("luck", "breaks"), [(3, 3), (4, 4)])
    def test_the_lucky_trait_adds_one_lucky_break(self, luck: int, breaks: int) -> None:
        assert figure(f"LUCK {luck}", traits=["lucky"]).lucky_breaks == breaks

    def test_lucky_breaks_lost_for_good_also_count_with_the_lucky_trait(self) -> None:
        table = rpj_table(players={"Ug": sheet("LUCK 4", traits=["lucky"])})

        after = lose_for_good(table.named("Ug"), FANTASY)

        assert lucky_breaks_left(refreshed(after, FANTASY)) == 3


@pytest.mark.rule("RPJ-APPX-11")
class TestQuickDraw:
    def test_quick_draw_puts_the_last_of_four_first_in_the_first_round(self) -> None:
        order = ("a", "b", "c", "d")

        assert goes_first(figure(traits=["quick_draw"]))
        assert first_round(order, ["d"]) == ("d", "a", "b", "c")

    def test_two_characters_with_quick_draw_go_in_order_of_initiative(self) -> None:
        assert first_round(("a", "b", "c", "d"), ["d", "b"]) == ("b", "d", "a", "c")


@pytest.mark.rule("RPJ-APPX-12")
class TestRiposte:
    def test_riposte_gives_one_free_attack_for_two_misses_in_a_round(self) -> None:
        duelist = figure(traits=["riposte"])

        assert offered_strike(duelist, FreeAttackTrigger.MELEE_MISS, 1) == OfferedStrike(left=0)
        assert offered_strike(duelist, FreeAttackTrigger.MELEE_MISS, 0) is None

    def test_a_ranged_miss_gives_no_riposte(self) -> None:
        assert offered_strike(figure(traits=["riposte"]), None, 1) is None


@pytest.mark.rule("RPJ-APPX-13")
def test_tough_adds_a_base_save_that_is_used_first() -> None:
    tough = Stats(sheet("CON 3", traits=["tough"]), FANTASY)

    assert tough.base_saves == (6, 7, 7, 7)
    assert str(layers_of(tough)[-1]) == "6+/7+/7+/7+"


class TestTablesOfChances:
    @pytest.mark.rule("RPJ-APPX-19")
    @pytest.mark.parametrize(
        ("total", "row"),
        [
            (2, ("2.78", "100.00", "2.78")),
            (3, ("5.56", "97.22", "8.33")),
            (4, ("8.33", "91.67", "16.67")),
            (5, ("11.11", "83.33", "27.78")),
            (6, ("13.89", "72.22", "41.67")),
            (7, ("16.67", "58.33", "58.33")),
            (8, ("13.89", "41.67", "72.22")),
            (9, ("11.11", "27.78", "83.33")),
            (10, ("8.33", "16.67", "91.67")),
            (11, ("5.56", "8.33", "97.22")),
            (12, ("2.78", "2.78", "100.00")),
        ],
    )
    def test_the_printed_table_of_two_dice_is_exact(self, total: int, row: tuple[str, str, str]) -> None:
        assert printed(dice_total([die(6), die(6)]), total) == row

    @pytest.mark.rule("RPJ-APPX-20")
    @pytest.mark.parametrize(
        ("total", "row"),
        [
            (1, ("3.13", "100.00", "3.13")),
            (3, ("9.38", "96.88", "12.50")),
            (4, ("6.25", "87.50", "18.75")),
            (5, ("9.38", "81.25", "28.13")),
            (6, ("18.75", "71.88", "46.88")),
            (7, ("6.25", "53.13", "53.13")),
            (8, ("18.75", "46.88", "71.88")),
            (9, ("9.38", "28.13", "81.25")),
            (10, ("6.25", "18.75", "87.50")),
            (11, ("9.38", "12.50", "96.88")),
            (13, ("3.13", "3.13", "100.00")),
        ],
    )
    def test_the_printed_table_of_five_coins_is_exact(self, total: int, row: tuple[str, str, str]) -> None:
        assert printed(coins_total(), total) == row


@pytest.mark.rule("RPJ-APPX-17")
class TestRich:
    @pytest.mark.parametrize(("stated", "wealth"), [(4, 9), (0, 5)])
    def test_the_rich_trait_brings_5_wealth(self, stated: int, wealth: int) -> None:
        module = FANTASY.model_copy(update={"money": MoneyRules(wealth=stated)})
        settings = RpjSettings(module="own", money=True).with_module(module)
        rule = next(rule for rule in RESOURCES if rule.key == WEALTH)

        assert rule.sheet_start is not None
        assert rule.sheet_start(sheet(traits=["rich"]), settings) == wealth
        assert rule.sheet_start(sheet(), settings) == stated

    def test_a_month_of_the_rich_trait_brings_1_coin(self) -> None:
        assert (income_of(0, 0), income_of(0, 5)) == (0, 1)


@pytest.mark.rule("RPJ-APPX-18")
def test_strong_characters_and_their_containers_carry_2_more() -> None:
    plain, strong = burden_of(figure("STR 3")), burden_of(figure("STR 3", traits=["strong"]))

    assert (plain.limit, strong.limit) == (7, 9)
    assert (capacity(Container.HANDY, strong.limit), capacity(Container.LARGE, strong.limit)) == (5, 9)
