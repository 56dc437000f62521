"""The ruleset as the table sees it: ready-made characters, settings, a check, a session's start and end."""

from fractions import Fraction
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.rules.kernel import Family, Verdict
from bot.rules.kernel.dice import FairDice, Fall, ReplayedDice
from bot.rules.rpj import RULESET
from bot.rules.rpj.character.damage_saves import Strike, layers_of, rested, with_health
from bot.rules.rpj.character.lucky_breaks import chance_to_improve, chance_to_turn, with_extra_die
from bot.rules.rpj.character.sheet import RpjSheet, Scene, Stats
from bot.rules.rpj.module.basics import raise_cost
from bot.rules.rpj.module.defense_layers import Layer, RpjHealth
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.module.module import Module
from bot.rules.rpj.module.module_files import MODULES, RpjSettings, Shipped, module_in
from bot.rules.rpj.new_characters import creation_problems
from bot.rules.rpj.resolution.check import CHECK, check_odds, reading_of
from bot.rules.rpj.resolution.check_inputs import RpjCheckInputs
from bot.rules.rpj.ways_to_join import module_problems, ready_made_of
from tests.rules.rpj.people import figure, sheet, take_hit
from tests.rules.rpj.table import GameTable, besides, breaks, d6, others, rpj_table
from tests.rules.rpj.throws import inputs


class TestReadyMadeCharacters:
    @pytest.mark.parametrize("module", list(Shipped))
    def test_each_ready_made_character_follows_the_rules_of_its_module(self, module: Shipped) -> None:
        game = MODULES[module]
        made = ready_made_of(module)

        assert len(made) == 2
        assert [creation_problems(new, game, game.characters.start) for new in made.values()] == [(), ()]

    @pytest.mark.parametrize("module", list(Shipped))
    def test_a_campaign_offers_the_ready_made_characters_that_fit_its_module(self, module: Shipped) -> None:
        settings = RpjSettings(module=module)
        offered = RULESET.creation.offered(settings)

        assert len(offered) == 2
        assert [
            module_problems(Stats(RpjSheet.model_validate(sheet.model_dump()), module_in(settings)))
            for sheet in offered.values()
        ] == [(), ()]

    def test_a_campaign_with_its_own_module_offers_the_ready_made_characters_that_fit(self) -> None:
        fantasy = MODULES["fantasy"]
        of_another_name = fantasy.model_copy(update={"id": "saltmarsh"})
        without_skills = fantasy.model_copy(update={"skills": ()})

        def offered(own: Module) -> int:
            return len(RULESET.creation.offered(RpjSettings(module="own").with_module(own)))

        assert [offered(own) for own in (fantasy, of_another_name, without_skills)] == [2, 0, 0]


@pytest.mark.rule("RPJ-GM-06")
class TestSettings:
    def test_a_campaign_plays_the_module_it_names(self) -> None:
        assert module_in(RpjSettings()).name == "Generic"
        assert module_in(RpjSettings(module=Shipped.FANTASY)).name == "Fantasy"
        assert module_in(RpjSettings(module="own")).name == "Generic"
        assert module_in(RpjSettings(module="own").with_module(Module(id="x", name="X"))).name == "X"

    def test_a_campaigns_settings_override_its_module(self) -> None:
        settings = RpjSettings.model_validate(
            {"criticals": "wide", "check_success": "never", "start_points": 90, "methods": "buy, array"}
        )
        module = module_in(settings)

        assert module.criticals.mode == "wide"
        assert module.criticals.check_success == "never"
        assert module.characters.start == 90
        assert module.attributes.methods == ("buy", "array")

    def test_a_setting_left_open_follows_the_module(self) -> None:
        settings = RpjSettings.model_validate({"criticals": "none", "start_points": "module"})

        generic = MODULES["generic"]
        assert module_in(settings).criticals == generic.criticals
        assert module_in(settings).characters == generic.characters

    def test_traits_that_need_an_optional_rule_are_missing_while_it_is_off(self) -> None:
        gifts = {trait.id for trait in module_in(RpjSettings()).traits}
        with_money = {trait.id for trait in module_in(RpjSettings(money=True)).traits}

        assert gifts & {"rich", "strong", "agile", "resistance", "powerful_magus"} == set()
        assert with_money - gifts == {"rich"}
        assert module_in(RpjSettings(money=True)).optional_rules == ("money",)


class TestSkillCheck:
    def test_a_skill_check_shows_the_sum_the_result_and_the_chance(self) -> None:
        done = rpj_table().do("Laeniel", "check", d6("4 3"), skill="concealment", difficulty="Challenging")
        roll = done.rolls[0]

        assert done.headline == "checks Concealment, Challenging"
        assert done.verdict == Verdict(Family.SUCCESS, "success, 3 degrees")
        assert [(term.label, term.value) for term in roll.terms] == [("Concealment", 6), ("class skill", 1)]
        assert (roll.total, roll.against) == (14, "11+")
        assert roll.odds is not None
        assert roll.odds.enough is not None
        assert (roll.odds.enough.numerator, roll.odds.enough.denominator) == (11, 12)

    def test_double_sixes_below_the_target_ask_the_gm(self) -> None:
        table = rpj_table()
        done = table.do("Ug", "check", d6("6 6"), skill="Alchemy", difficulty="12")

        assert others(done) == [
            "Accept the critical (GM)",
            "Overrule the critical (GM)",
        ]
        assert done.passed is None

        accepted = table.press("GM", besides(done)[0])
        assert accepted.verdict == Verdict(Family.SUCCESS, "critical success, 1 degree")
        assert accepted.passed
        assert accepted.rolls[0].dice == ()

    def test_an_unknown_skill_is_refused_in_a_check(self) -> None:
        refused = rpj_table().refused("Ug", "check", skill="Hacking")

        assert refused.what == "This campaign has no skill “Hacking”."


def started(table: GameTable) -> tuple[str, ...]:
    turning = RULESET.start_session(table.scene, list(table.ids.values()))
    table.scene = cast(Scene, turning.scene)
    return turning.notes


@pytest.mark.rule("RPJ-LUCK-01")
class TestStartOfASession:
    @pytest.mark.parametrize(
        ("luck", "lost", "most"), [(3, 0, 2), (4, 0, 3), (6, 0, 3), (4, 1, 2), (2, 2, 0)]
    )
    def test_a_session_starts_with_the_maximum_of_lucky_breaks(self, luck: int, lost: int, most: int) -> None:
        table = rpj_table(players={"Ug": sheet(f"LUCK {luck}", lucky_breaks_lost=lost)})
        table.scene = table.scene.with_character(table.named("Ug").with_resource("lucky_breaks", 0))

        started(table)

        assert breaks(table, "Ug") == most

    def test_lucky_breaks_left_over_are_not_added_at_the_next_session(self) -> None:
        table = rpj_table()
        table.scene = table.scene.with_character(table.named("Ug").with_resource("lucky_breaks", 1))

        started(table)

        assert breaks(table, "Ug") == 2

    def test_a_session_start_gives_npcs_no_lucky_breaks(self) -> None:
        table = rpj_table()

        started(table)

        assert breaks(table, "Ogre") == 0

    def test_a_player_who_comes_late_gets_all_their_lucky_breaks(self) -> None:
        table = rpj_table()
        table.scene = table.scene.with_character(table.named("Ug").with_resource("lucky_breaks", 0))

        table.scene = cast(Scene, RULESET.arrive(table.scene, table.ids["Ug"]).scene)

        assert (breaks(table, "Ug"), breaks(table, "Laeniel")) == (2, 3)


@pytest.mark.rule("RPJ-CHAR-16")
def test_the_session_start_lists_the_skills_blocked_by_the_gm() -> None:
    table = rpj_table(RpjSettings(module=Shipped.FANTASY, blocked_skills=("survival", "alchemy")))

    assert started(table) == ("Can't be learned for now: Survival, Alchemy.",)


@pytest.mark.rule("RPJ-CHAR-12")
@pytest.mark.parametrize("wanted", [True, False])
def test_a_campaign_may_need_the_gms_approval_for_new_characters(wanted: bool) -> None:
    assert RULESET.creation.needs_leave(RpjSettings(approve_characters=wanted)) is wanted


@pytest.mark.rule("RPJ-GM-08")
class TestSessionEnd:
    @pytest.mark.rule("RPJ-LUCK-01")
    def test_the_session_end_restores_lucky_breaks_and_nothing_else(self) -> None:
        table = rpj_table()
        laeniel = table.named("Laeniel")
        table.scene = table.scene.with_character(laeniel.with_resource("lucky_breaks", 1))
        before = table.scene

        turning = RULESET.end_session(table.scene, list(table.ids.values()), [])

        assert turning.notes == ()
        assert turning.scene.character(table.ids["Laeniel"]) == laeniel.with_resource("lucky_breaks", 3)
        assert turning.scene.character(table.ids["Ogre"]) == before.character(table.ids["Ogre"])
        assert turning.scene.documents == before.documents


class TestGlossary:
    def test_the_glossary_covers_every_area_of_the_book_in_short_texts(self) -> None:
        ids = [id_ for rule in RULESET.glossary for id_ in rule.ids]
        areas = {id_.split("-")[1] for id_ in ids}

        assert {
            "DICE",
            "ATTR",
            "LUCK",
            "SKILL",
            "COUNT",
            "TRAIT",
            "HEALTH",
            "CHAR",
            "GCS",
            "MNV",
            "GM",
        } <= areas
        assert all(rule.title and len(rule.text) <= 420 for rule in RULESET.glossary)

    def test_no_two_rules_in_the_glossary_have_the_same_title(self) -> None:
        titles = [rule.title for rule in RULESET.glossary]

        assert sorted(set(titles)) == sorted(titles)


seeds = st.integers(0, 10**6).map(lambda number: FairDice(bytes(32), str(number)))
checks = st.builds(
    inputs,
    st.integers(-3, 10),
    st.integers(2, 20),
    kind=st.sampled_from(["skill", "saving throw", "damage save"]),
    criticals=st.fixed_dictionaries({"mode": st.sampled_from(["normal", "confirm", "wide"])}),
    has_extra_die=st.booleans(),
)


@given(checks, seeds)
def test_replaying_a_checks_dice_gives_the_same_roll(asked: RpjCheckInputs, dice: FairDice) -> None:
    roll = CHECK.resolve(asked, dice)
    again = ReplayedDice(Fall(die.sides, die.face) for die in roll.dice)

    assert CHECK.resolve(RpjCheckInputs.model_validate_json(asked.model_dump_json()), again) == roll
    again.assert_all_rolled()


@given(checks, seeds)
def test_the_chances_of_a_check_add_up_to_1_and_include_the_result_rolled(
    asked: RpjCheckInputs, dice: FairDice
) -> None:
    odds = check_odds(asked)
    roll = CHECK.resolve(asked, dice)

    assert sum(chance.fraction for _, chance in odds.chances) == 1
    assert dict(odds.chances)[str(roll.outcome)].ways > 0


@given(checks.filter(lambda asked: not asked.has_extra_die), seeds)
def test_an_extra_die_never_makes_a_roll_worse(asked: RpjCheckInputs, dice: FairDice) -> None:
    before = CHECK.resolve(asked, dice)
    after = CHECK.resolve(with_extra_die(before), dice)

    assert reading_of(after).total >= reading_of(before).total
    assert 0 <= chance_to_improve(with_extra_die(before), reading_of(before)).fraction <= 1
    if reading_of(before).result.is_success:
        assert chance_to_turn(with_extra_die(before)).fraction == Fraction(1)


@given(st.integers(0, 6), st.integers(0, 6), st.integers(0, 6))
def test_levels_cost_the_same_in_one_step_or_in_two(first: int, second: int, third: int) -> None:
    low, middle, high = sorted((first, second, third))

    assert raise_cost(low, high) == raise_cost(low, middle) + raise_cost(middle, high)


@given(st.integers(-3, 12), st.integers(1, 6), st.integers(0, 20), seeds)
def test_each_hit_costs_one_save_at_most_and_rest_never_restores_more_than_the_maximum(
    damage: int, hits: int, hours: int, dice: FairDice
) -> None:
    ward = Layer.fresh("ward", "Ward", LayerKind.ABILITY, (4, 6))
    hero = figure("CON 3", belongings=("leather",), health=RpjHealth(layers=(ward,)))

    told = take_hit(hero, Strike(damage=damage, hits=hits), dice)
    after = told[-1].health
    lost = sum(save.is_lost for layer in layers_of(with_health(hero, after)) for save in layer.saves)

    assert lost == sum(struck.lost is not None for struck in told) <= hits
    assert len(rested(after, hours).lost_base) <= len(after.lost_base)
