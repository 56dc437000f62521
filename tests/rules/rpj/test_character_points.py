"""Spending character points later, and getting more of them."""

from typing import Any

import pytest

from bot.rules.kernel import Audience
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.sheet import OwnTrait, Stats, TraitSource
from bot.rules.rpj.character_points import (
    attribute_price,
    award,
    lose_trait,
    raise_attribute,
    raise_skill,
    take_trait,
    traits_for_sale,
)
from bot.rules.rpj.module.basics import RpjAttribute, sessions_to, tier_of, triangle
from bot.rules.rpj.module.module_files import RpjSettings, module_in
from bot.rules.rpj.ways_to_join import module_problems
from tests.rules.rpj.people import FANTASY, figure, known, module_with, sheet, skill, with_trait
from tests.rules.rpj.table import d6, rpj_table

CHA, WIL, LUCK = RpjAttribute.CHA, RpjAttribute.WIL, RpjAttribute.LUCK


def ug(available: int = 22, total: int = 66, **more: Any) -> Stats:
    return figure("CHA 3 WIL 5 INT 3 DEX 5 LUCK 3", total_points=total, available_points=available, **more)


@pytest.mark.rule("RPJ-CHAR-15", "RPJ-CHAR-02")
class TestAwardedPoints:
    def test_an_award_of_points_raises_character_power_and_the_points_to_spend(self) -> None:
        awarded = award(sheet(total_points=50, available_points=6), 16)

        assert (awarded.total_points, awarded.available_points) == (66, 22)

    @pytest.mark.rule("RPJ-CHAR-17")
    @pytest.mark.parametrize(("kept", "points", "available"), [(5, 0, 5), (6, 3, 9), (6, -6, 0)])
    @pytest.mark.parametrize("spent", [0, 60])
    def test_unspent_character_points_are_kept(
        self, spent: int, kept: int, points: int, available: int
    ) -> None:
        before = sheet(total_points=spent + kept, available_points=kept)
        after = award(before, points)
        assert (after.total_points, after.available_points) == (spent + available, available)


@pytest.mark.rule("RPJ-CHAR-06")
class TestTierCap:
    @pytest.mark.parametrize(
        ("power", "level", "is_allowed"),
        [(40, 5, False), (50, 5, True), (50, 6, False), (66, 6, True), (130, 6, True)],
    )
    def test_no_skill_can_be_raised_above_the_tier(self, power: int, level: int, is_allowed: bool) -> None:
        hero = ug(available=100, total=power)

        if is_allowed:
            assert raise_skill(hero, skill("trade"), level).available_points < 100
        else:
            with pytest.raises(UserError, match=f"needs character power {level}0"):
                raise_skill(hero, skill("trade"), level)

    def test_a_raise_above_the_tier_is_refused_with_its_price(self) -> None:
        with pytest.raises(UserError) as refused:
            raise_skill(ug(available=33, total=40), skill("trade"), 5)

        assert refused.value.what == (
            "Trade 5 needs character power 50 (your highest level now: 4). "
            "It would cost 15 character points; 33 are left."
        )


@pytest.mark.rule("RPJ-CHAR-14", "RPJ-CHAR-16")
class TestRaisingSkills:
    def test_a_skill_raise_is_paid_at_once_without_approval(self) -> None:
        raised = raise_skill(ug(skills=[known("trade", 3)]), skill("trade"), 5)

        assert raised.available_points == 13
        assert raised.own_skill("trade") == known("trade", 5)
        assert raised.total_points == 66

    def test_a_new_skill_is_stored_with_its_specialty_and_linked_attribute(self) -> None:
        crafted = raise_skill(ug(), skill("crafting"), 1, specialty="Wood")
        rider = raise_skill(ug(), skill("horsemanship"), 1, linked=CHA)

        assert crafted.own_skill("crafting") == known("crafting", 1, "Wood")
        assert rider.own_skill("horsemanship") == known("horsemanship", 1, linked="CHA")

    def test_a_raise_without_enough_points_says_how_many_are_missing(self) -> None:
        with pytest.raises(UserError) as refused:
            raise_skill(ug(available=8, skills=[known("trade", 3)]), skill("trade"), 5)

        assert refused.value.sentences == (
            "Trade 5 costs 9 character points; 8 are left.",
            "You need 1 more.",
        )

    def test_a_skill_blocked_by_the_gm_cannot_be_learned(self) -> None:
        with pytest.raises(UserError) as refused:
            raise_skill(ug(), skill("trade"), 2, blocked=("trade",))

        assert refused.value.what == (
            "Trade can't be learned for now; the GM has blocked it. "
            "It would cost 3 character points; 22 are left."
        )

    def test_a_skill_can_only_be_raised_to_a_higher_level(self) -> None:
        with pytest.raises(UserError, match="Trade is already at 3"):
            raise_skill(ug(skills=[known("trade", 3)]), skill("trade"), 3)

    def test_a_second_specialty_for_the_same_skill_is_refused(self) -> None:
        carver = ug(skills=[known("crafting", 1, "Wood")])

        with pytest.raises(UserError, match=r"You already have Crafting .Wood."):
            raise_skill(carver, skill("crafting"), 2, specialty="Metal")
        assert raise_skill(carver, skill("crafting"), 2, specialty="Wood").available_points == 20


@pytest.mark.rule("RPJ-CHAR-18", "RPJ-TRAIT-01", "RPJ-TRAIT-03", "RPJ-TRAIT-04")
class TestTakingTraits:
    def test_a_trait_can_be_bought_with_the_gms_approval(self) -> None:
        bought = take_trait(ug(available=5), "alert", has_leave=True)

        assert bought.available_points == 1
        assert [own.trait for own in bought.traits] == ["alert"]

    def test_no_trait_can_be_bought_without_the_gms_approval(self) -> None:
        with pytest.raises(UserError) as refused:
            take_trait(ug(available=5), "alert", has_leave=False)

        assert refused.value.sentences == (
            "After creation, Alert needs the GM's approval.",
            "It would cost 4 character points; 5 are left.",
        )

    def test_an_approved_trait_is_still_refused_with_too_few_points(self) -> None:
        with pytest.raises(UserError, match="Alert costs 4 character points; 3 are left"):
            take_trait(ug(available=3), "alert", has_leave=True)

    def test_a_fault_refunds_points_without_raising_character_power(self) -> None:
        mute = Stats(take_trait(ug(), "totally_mute", has_leave=True), FANTASY)

        assert (mute.sheet.available_points, mute.sheet.total_points, mute.tier) == (26, 66, 6)

    @pytest.mark.parametrize(("cost", "left"), [(0, 22), (1, 21), (-1, 23)])
    def test_a_quirk_costs_its_price_or_nothing(self, cost: int, left: int) -> None:
        odd = {"id": "odd", "name": "Odd", "kind": "quirk", "cost": cost}
        module = module_with(traits=[*FANTASY.model_dump(mode="json")["traits"], odd])

        taken = take_trait(Stats(ug().sheet, module), "odd", has_leave=True)

        assert (taken.available_points, taken.total_points) == (left, 66)

    def test_an_awarded_trait_costs_nothing(self) -> None:
        awarded = take_trait(ug(available=0), "lucky", has_leave=True, source=TraitSource.AWARDED)

        assert (awarded.available_points, awarded.traits[0].source) == (0, "awarded")

    def test_an_unknown_trait_cannot_be_taken(self) -> None:
        with pytest.raises(UserError, match="This campaign has no trait “immortal”"):
            take_trait(ug(), "immortal", has_leave=True)

    @pytest.mark.parametrize("trait", ["alert", "slow_to_react"])
    def test_a_trait_cannot_be_taken_twice_or_with_one_that_excludes_it(self, trait: str) -> None:
        with pytest.raises(UserError, match="or a trait that excludes it"):
            take_trait(ug(traits=["alert"]), trait, has_leave=True)


@pytest.mark.rule("RPJ-CHAR-19")
class TestRaisingAttributes:
    @pytest.mark.parametrize(
        ("attribute", "price"),
        [(CHA, 8), (RpjAttribute.INT, 4), (WIL, 6), (RpjAttribute.DEX, 12), (LUCK, 8)],
    )
    def test_an_attribute_outside_the_primary_category_costs_double(
        self, attribute: RpjAttribute, price: int
    ) -> None:
        assert attribute_price(ug(), attribute) == price

    def test_raising_an_attribute_needs_the_gms_approval(self) -> None:
        with pytest.raises(UserError) as refused:
            raise_attribute(ug(), CHA, has_leave=False)

        assert refused.value.sentences == (
            "Raising Charisma needs the GM's approval.",
            "It would cost 8 character points; 22 are left.",
        )

    def test_ug_can_afford_two_of_the_three_raises_he_wants(self) -> None:
        hero = ug(skills=[known("alchemy", 5, linked="INT"), known("blunt_weapons", 3, linked="STR")])
        charmed = Stats(raise_attribute(hero, CHA, has_leave=True), FANTASY)
        magical = Stats(raise_skill(charmed, skill("alchemy"), 6), FANTASY)

        assert (charmed.sheet.attributes[CHA], charmed.sheet.available_points) == (4, 14)
        assert magical.sheet.available_points == 8
        with pytest.raises(UserError, match="Blunt Weapons 5 costs 9 character points; 8 are left"):
            raise_skill(magical, skill("blunt_weapons"), 5)

    def test_an_attribute_cannot_be_raised_above_6(self) -> None:
        with pytest.raises(UserError) as refused:
            raise_attribute(figure("INT 6"), RpjAttribute.INT, has_leave=True)

        assert refused.value.sentences == (
            "Intelligence can be 6 at most.",
            "It would cost 7 character points; 0 are left.",
        )

    def test_the_attribute_cap_of_character_creation_does_not_limit_later_raises(self) -> None:
        grown = raise_attribute(figure("DEX 4", available_points=10), RpjAttribute.DEX, has_leave=True)

        assert grown.attributes[RpjAttribute.DEX] == 5


@pytest.mark.rule("RPJ-TRAIT-06")
class TestOneTimePermissions:
    module = with_trait("late_bloomer", {"type": "attribute_raise_permit", "attribute": "CHA"})

    def hero(self) -> Stats:
        return figure("CHA 3", self.module, traits=["unheard_of", "late_bloomer"], available_points=40)

    def test_a_trait_may_replace_the_gms_approval_once(self) -> None:
        once = raise_attribute(self.hero(), CHA, has_leave=False)

        assert (once.attributes[CHA], once.available_points) == (4, 32)
        assert [own.used for own in once.traits] == [0, 1]
        with pytest.raises(UserError, match="needs the GM's approval"):
            raise_attribute(Stats(once, self.module), CHA, has_leave=False)

    def test_a_one_time_permission_is_kept_when_the_gm_approves_anyway(self) -> None:
        assert raise_attribute(self.hero(), CHA, has_leave=True).traits[1].used == 0

    def test_a_one_time_permission_covers_only_the_attribute_it_names(self) -> None:
        with pytest.raises(UserError, match="Raising Willpower needs the GM's approval"):
            raise_attribute(self.hero(), WIL, has_leave=False)


@pytest.mark.rule("RPJ-CHAR-20")
class TestPaceOfAdvancement:
    @pytest.mark.parametrize(
        ("total", "points", "sessions"), [(50, 4, 25), (50, 2, 50), (40, 4, 28), (150, 3, 0), (160, 3, 0)]
    )
    def test_a_character_reaches_150_points_after_the_expected_number_of_sessions(
        self, total: int, points: int, sessions: int
    ) -> None:
        assert sessions_to(150, total, points) == sessions

    @pytest.mark.rule("RPJ-CHAR-21")
    def test_forty_five_points_buy_four_skills_at_level_4(self) -> None:
        assert (tier_of(45), 4 * triangle(4), 45 - 4 * triangle(4)) == (4, 40, 5)

    def test_a_hundred_and_fifty_points_buy_seven_skills_at_6_or_fifteen_at_4(self) -> None:
        assert 7 * triangle(6) == 147
        assert 15 * triangle(4) == 150


class TestEffectsOfARaise:
    def test_constitution_3_brings_a_bonus_and_a_base_save(self) -> None:
        weak, fit = figure("CON 2"), figure("CON 3")

        assert [who.bonus(RpjAttribute.CON) for who in (weak, fit)] == [0, 1]
        assert [who.base_saves for who in (weak, fit)] == [(7, 7), (7, 7, 7)]

    def test_dexterity_4_brings_no_higher_bonus(self) -> None:
        assert [figure(level).bonus(RpjAttribute.DEX) for level in ("DEX 3", "DEX 4")] == [1, 1]


class TestMovingToAnotherModule:
    def test_whatever_does_not_fit_a_new_module_is_listed(self) -> None:
        hero = figure(
            "STR 7",
            class_id="druid",
            class_skills=["herbs"],
            skills=[known("surfing", 2), known("trade", 7), known("dodge", 6)],
            traits=["immortal", "alert"],
            belongings=("sword_of_doom", "dagger"),
        )

        assert tuple(problem.sentence for problem in module_problems(hero)) == (
            "Strength must be from 0 to 6, not 7.",
            "The module has no class druid.",
            "The module has no skill herbs (class skill).",
            "The module has no skill surfing (level 2).",
            "Trade can be 6 at most, not 7.",
            "The module has no trait immortal.",
            "The module has no item sword_of_doom (in use).",
        )
        assert hero.effects == figure(traits=["alert"]).effects

    def test_a_character_built_from_the_module_fits_the_module(self) -> None:
        knight = figure(
            "STR 4",
            class_id="knight",
            class_skills=["command"],
            skills=[known("trade", 3)],
            traits=["alert"],
            belongings=("longsword",),
        )

        assert module_problems(knight) == ()


class TestDroppedTraits:
    @pytest.mark.rule("RPJ-CHAR-18")
    @pytest.mark.parametrize(
        ("trait", "source", "left"),
        [
            ("slow_to_react", TraitSource.BOUGHT, 7),
            ("totally_mute", TraitSource.BOUGHT, 6),
            ("slow_to_react", TraitSource.AWARDED, 10),
            ("slow_to_react", TraitSource.CLASS, 10),
            ("haggler", TraitSource.BOUGHT, 10),
            ("unheard_of", TraitSource.BOUGHT, 10),
        ],
    )
    def test_a_dropped_fault_costs_what_it_gave_and_others_give_nothing_back(
        self, trait: str, source: TraitSource, left: int
    ) -> None:
        own = figure(available_points=10, traits=["alert", "tough"])
        own = Stats(
            own.sheet.model_copy(
                update={"traits": (*own.sheet.traits, OwnTrait(trait=trait, source=source))}
            ),
            own.module,
        )

        after = lose_trait(own, trait)

        assert after.available_points == left
        assert [one.trait for one in after.traits] == ["alert", "tough"]

    @pytest.mark.parametrize(("points", "is_allowed"), [(2, False), (3, True)])
    def test_a_fault_that_cannot_be_paid_for_stays(self, points: int, is_allowed: bool) -> None:
        own = figure(available_points=points, traits=["slow_to_react"])

        if is_allowed:
            assert lose_trait(own, "slow_to_react").available_points == 0
        else:
            with pytest.raises(UserError):
                lose_trait(own, "slow_to_react")


@pytest.mark.rule("RPJ-CHAR-18")
@pytest.mark.parametrize(
    ("cost", "more", "is_for_sale"),
    [(0, {}, False), (1, {}, True), (3, {"comes_with_class": True}, False), (-3, {"kind": "fault"}, False)],
)
def test_traits_that_cost_points_are_for_sale(cost: int, more: dict[str, Any], is_for_sale: bool) -> None:
    figures = [figure("", with_trait("odd", cost=cost, **more), traits=own) for own in ((), ("odd",))]

    assert ["odd" in {one.id for one in traits_for_sale(who)} for who in figures] == [is_for_sale, False]


@pytest.mark.rule("RPJ-CHAR-16")
def test_a_permit_is_used_up_and_every_other_trait_stays() -> None:
    module = with_trait("drilled", {"type": "attribute_raise_permit", "attribute": "WIL", "count": 2})
    own = figure("WIL 2", module, available_points=30, traits=["alert", "drilled", "tough", "haggler"])

    for level in (3, 4):
        own = Stats(raise_attribute(own, WIL, has_leave=False), module)
        assert own.sheet.attributes[WIL] == level
    assert [(one.trait, one.used) for one in own.sheet.traits] == [
        ("alert", 0),
        ("drilled", 2),
        ("tough", 0),
        ("haggler", 0),
    ]
    with pytest.raises(UserError, match="approval"):
        raise_attribute(own, WIL, has_leave=False)
    with pytest.raises(UserError, match="approval"):
        raise_attribute(own, CHA, has_leave=False)


@pytest.mark.rule("RPJ-TRAIT-01")
class TestMadeUpTraits:
    def test_a_trait_made_up_by_the_gm_affects_rolls(self) -> None:
        table = rpj_table()
        given = table.do(
            "GM", "give_trait", target="Ug", name="Bookworm", kind="gift", value=1, of="Knowledge", cost=0
        )

        assert given.headline == "gives Ug a gift: Bookworm"
        assert [own.trait for own in table.named("Ug").sheet.traits] == ["haggler", "bookworm"]
        rolled = table.do("Ug", "check", d6("4 3"), skill="Knowledge")
        assert [(term.label, term.value) for term in rolled.rolls[0].terms] == [("Bookworm", 1)]

    def test_the_gm_cannot_make_up_a_trait_whose_name_exists(self) -> None:
        table = rpj_table()

        refused = table.refused("GM", "give_trait", target="Ug", name="Lucky", kind="gift")

        assert refused.what == "This campaign already has a trait called Lucky."

    @pytest.mark.rule("RPJ-TRAIT-03")
    def test_a_made_up_fault_lowers_rolls_and_refunds_points(self) -> None:
        table = rpj_table()
        table.do(
            "GM",
            "give_trait",
            target="Ug",
            name="Near-sighted",
            kind="fault",
            value=-2,
            of="perception",
            cost=-3,
        )

        sheet = table.named("Ug").sheet
        assert (sheet.available_points, sheet.total_points) == (3, 60)
        rolled = table.do("Ug", "check", d6("4 3"), skill="Perception")
        assert [(term.label, term.value) for term in rolled.rolls[0].terms] == [
            ("Perception", 1),
            ("Near-sighted", -2),
        ]

    @pytest.mark.rule("RPJ-TRAIT-04")
    def test_a_made_up_quirk_may_have_no_effect(self) -> None:
        table = rpj_table()
        given = table.do("GM", "give_trait", target="Ug", name="Hums", about="Always the same tune.")

        assert given.notes == ("Always the same tune.",)
        assert isinstance(table.scene.settings, RpjSettings)
        trait = module_in(table.scene.settings).trait("hums")
        assert trait is not None
        assert trait.effects == ()

    def test_a_made_up_trait_may_apply_only_when_the_player_says_so(self) -> None:
        table = rpj_table()
        table.do(
            "GM",
            "give_trait",
            target="Ug",
            name="Night eyes",
            value=2,
            on="saving throw",
            of="Dexterity",
            when="in the dark",
        )

        plain = table.do("Ug", "attribute", d6("4 3"), attribute="DEX", rolled="saving throw")
        dark = table.do(
            "Ug", "attribute", d6("4 3"), attribute="DEX", rolled="saving throw", toggles="in the dark"
        )

        assert (plain.rolls[0].total, dark.rolls[0].total) == (9, 11)

    def test_a_made_up_trait_must_name_something_it_can_affect(self) -> None:
        table = rpj_table()

        wrong = table.refused("GM", "give_trait", target="Ug", name="Odd", value=1, on="initiative", of="DEX")
        unknown = table.refused("GM", "give_trait", target="Ug", name="Odd", value=1, of="Hacking")
        unnamed = table.refused("GM", "give_trait", target="Ug", name=" ")

        assert wrong.what == "A bonus to initiative can't be for “DEX”."
        assert unknown.what == "This campaign has no skill “Hacking”."
        assert unnamed.what == "A name needs at least one visible character."


@pytest.mark.rule("RPJ-TRAIT-03")
@pytest.mark.rule("RPJ-TRAIT-06")
class TestFaultsThatDoNotAlwaysHold:
    def test_a_success_has_a_button_for_a_situational_fault_that_would_make_it_fail(self) -> None:
        table = rpj_table()
        table.do(
            "GM",
            "give_trait",
            target="Ug",
            name="Dazzled",
            kind="fault",
            value=-2,
            of="Perception",
            when="in bright light",
            cost=-3,
        )
        seen = table.do("Ug", "check", d6("4 3"), skill="Perception", difficulty="1")
        button = next(one for one in seen.follow_ups if one.procedure == "toggle")
        assert (button.label, button.audience) == ("−2 in bright light (GM)", Audience.GM)

        dazzled = table.press("GM Ug", button)

        assert (dazzled.rolls[0].total, dazzled.passed) == (6, False)

    def test_a_situational_fault_that_would_change_nothing_has_no_button(self) -> None:
        table = rpj_table()
        fault = {
            "name": "Dazzled",
            "kind": "fault",
            "value": -1,
            "of": "Perception",
            "when": "in bright light",
        }
        table.do("GM", "give_trait", target="Ug", **fault)

        well = table.do("Ug", "check", d6("6 5"), skill="Perception")

        assert [one.label for one in well.follow_ups if one.procedure == "toggle"] == []
