"""Opposed rolls as they are made: dice, targets, questions; which skills may defend, and what buttons say."""

from typing import Any

import pytest

from bot.rules.kernel import Family, Place, Verdict, evolve
from bot.rules.swim_class.attacks import counters_of, range_bonus
from bot.rules.swim_class.defending import (
    SwimDefendOptions,
    best_first,
    defence_buttons,
    defence_inputs,
    is_helpless,
    legal_defences,
)
from bot.rules.swim_class.encounter import Ground, with_ground
from bot.rules.swim_class.powers import (
    SpellKey,
    SwimCastOptions,
    area_bonus,
    line_bonus,
    size_of,
    undead_sheet,
)
from bot.rules.swim_class.settling import Effect, SwimContest
from bot.rules.swim_class.sheet import (
    Mod,
    Reserve,
    ReserveKind,
    States,
    SwimItem,
    SwimRole,
    SwimSettings,
    book_of,
)
from bot.rules.swim_class.tables import SPELLS, Pool
from tests.rules.swim_class.play import GameTable, id_of, lay_table, sheet, solo, words
from tests.rules.swim_class.test_effects import contest


def contest_of(table: GameTable) -> SwimContest:
    """The only opposed roll that is open."""
    (found,) = [one for one in table.scene.documents.values() if isinstance(one, SwimContest)]
    return found


@pytest.mark.rule("SWIM-COMB-02")
@pytest.mark.parametrize(
    ("targets", "shares", "places"),
    [
        (("Orc",), "", [(0, 1, 2, 3)]),
        (("Orc",), "2", [(0, 1)]),
        (("Orc", "Beast"), "", [(0, 1), (2, 3)]),
        (("Orc", "Beast"), "3,1", [(0, 1, 2), (3,)]),
        (("Orc", "Beast"), "1, 1", [(0,), (1,)]),
        (("Orc", "Beast", "Bram"), "", [(0, 1), (2,), (3,)]),
    ],
)
def test_dice_are_divided_among_the_targets(
    targets: tuple[str, ...], shares: str, places: list[tuple[int, ...]]
) -> None:
    table = lay_table(Ash=sheet({"basic_melee": 4}))
    table.do("Ash", "attack", "5 5 5 5", skill="basic melee", targets=targets, shares=shares)

    assert [share.places for share in contest_of(table).shares] == places


@pytest.mark.rule("SWIM-OPP-04")
@pytest.mark.parametrize(
    ("targets", "told"),
    [(("Orc", "Beast"), "4 dice to stop"), (("Orc",), "4 dice to stop"), (("Beast",), "4 hits")],
)
def test_an_attack_waits_while_any_of_its_targets_can_defend(targets: tuple[str, ...], told: str) -> None:
    table = lay_table(Ash=sheet({"basic_melee": 4}))
    table.set("Beast", "physical_wounds", 5)
    struck = table.do("Ash", "attack", "5 5 5 5", skill="basic melee", targets=targets)

    assert words(struck).startswith(told)


@pytest.mark.rule("SWIM-COMB-02", "SWIM-OPP-01")
@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"targets": ("Orc", "Beast"), "shares": "3,2"}, "You have 4 dice to divide."),
        ({"targets": ("Orc",), "shares": "5"}, "You have 4 dice to divide."),
        ({"targets": ("Orc", "Beast"), "shares": "4"}, "Divide your dice among the targets."),
        ({"targets": ("Orc",), "shares": "2,2"}, "Divide your dice among the targets."),
        ({"targets": ("Orc", "Orc")}, "Choose each target only once."),
        ({"targets": ("Ash",)}, "You can't target yourself."),
        ({"targets": ("Bram",)}, "Bram is dead."),
        ({"targets": ("Orc",), "distance": 2}, "Orc is 2 squares away."),
    ],
)
def test_who_and_what_cannot_be_attacked(options: dict[str, Any], told: str) -> None:
    table = lay_table(Ash=sheet({"basic_melee": 4}), Bram=sheet(is_dead=True))

    assert table.why("Ash", "attack", skill="basic melee", **options) == told


@pytest.mark.rule("SWIM-AREA-03")
@pytest.mark.parametrize(
    ("distance", "increment", "bonus"), [(0, 2, 0), (1, 2, 0), (2, 2, 1), (5, 2, 2), (5, 0, 0), (3, 1, 3)]
)
def test_distance_helps_the_defense_by_the_increment(distance: int, increment: int, bonus: int) -> None:
    assert range_bonus(distance, increment) == bonus


@pytest.mark.rule("SWIM-AREA-04", "SWIM-AREA-05")
@pytest.mark.parametrize(("length", "bonus"), [(1, 0), (2, 1), (3, 2), (4, 2), (6, 4)])
def test_a_line_helps_the_defense_by_two_thirds_of_its_length(length: int, bonus: int) -> None:
    options = SwimCastOptions(spell=SpellKey("blaze"), line=length)

    assert line_bonus(length) == bonus
    assert area_bonus(SPELLS["blaze"], options) == (bonus, length)


@pytest.mark.rule("SWIM-AREA-04", "SWIM-MAGIC-06", "SWIM-MAGIC-08", "SWIM-MAGIC-10", "SWIM-MAGIC-12")
@pytest.mark.parametrize(
    ("spell", "form", "options", "told"),
    [
        ("blaze", "fire", {"line": 2}, (1, "")),
        ("blaze", "fire", {"area": 2}, (0, "Blaze has no option “area”.")),
        ("blaze", "fire", {}, (0, "Blaze needs a line.")),
        ("quake", "earth", {"area": 2}, (2, "")),
        ("quake", "earth", {}, (0, "Quake needs an area.")),
        ("spray", "water", {"area": 3}, (3, "")),
        ("spray", "water", {"line": 3}, (2, "")),
        ("spray", "water", {"line": 3, "area": 1}, (0, "Choose an area or a line, not both.")),
        ("spray", "water", {}, (0, "Spray needs an area or a line.")),
    ],
)
def test_a_power_that_fills_an_area_needs_its_shape(
    spell: str, form: str, options: dict[str, int], told: tuple[int, str]
) -> None:
    table = solo({form: 2})
    if told[1]:
        assert table.why("Ash", "cast", spell=spell, targets=("Orc",), **options) == told[1]
        return
    table.do("Ash", "cast", "5 5", spell=spell, targets=("Orc",), **options)
    contest = contest_of(table)

    assert [share.bonus for share in contest.shares] == [told[0]]
    assert (contest.is_area, contest.is_magic, contest.is_melee) == (True, True, False)


@pytest.mark.rule("SWIM-MAGIC-09")
@pytest.mark.parametrize(
    ("traits", "size"), [({}, 0), ({"large": 2}, 2), ({"small": 1}, -1), ({"large": 3, "small": 1}, 2)]
)
def test_the_large_are_harder_to_lift_and_the_small_easier(traits: dict[str, int], size: int) -> None:
    table = lay_table(Ash=sheet({"wind": 2}), Bram=sheet(traits=traits))
    done = table.do("Ash", "cast", "6 6", spell="fly", targets=("Bram",))

    assert size_of(table.sheet("Bram")) == size
    assert done.rolls[0].against == f"{max(1, 3 + size)}+ a die"


@pytest.mark.rule("SWIM-MAGIC-19")
@pytest.mark.parametrize(("successes", "rank", "death"), [(1, 1, 0), (3, 4, 3), (2, 0, 0)])
def test_the_raised_dead_are_made_of_successes_and_their_casters_rank(
    successes: int, rank: int, death: int
) -> None:
    made = undead_sheet(successes, rank, id_of("Ash"))

    assert made.ranks == {"physical_defense": successes, "death": death}
    assert (made.tags, made.raised_by) == (("undead",), id_of("Ash"))


@pytest.mark.rule("SWIM-MAGIC-19")
def test_a_corpse_rises_unhurt_and_without_money() -> None:
    table = lay_table(Ash=sheet({"death": 2}))
    table.change("Orc", is_dead=True)
    for key in table.named("Orc").resources:
        table.set("Orc", key, 3)
    table.do("Ash", "cast", "6 6", spell="raise", corpse="Orc")

    assert set(table.named("Orc").resources.values()) == {0}


@pytest.mark.rule("SWIM-MAGIC-07")
@pytest.mark.parametrize(
    ("faces", "told", "squares"), [("1 1", "lights 0 squares", 0), ("3 1", "lights 4 squares", 4)]
)
def test_each_success_lights_two_squares(faces: str, told: str, squares: int) -> None:
    table = solo({"fire": 2})
    table.change("Ash", states=States(light=9))
    done = table.do("Ash", "cast", faces, spell="light", push=2)

    assert (words(done), table.sheet("Ash").states.light) == (told, squares)
    assert done.verdict is not None
    assert (done.verdict.family == "success") is bool(squares)


@pytest.mark.rule("SWIM-OPP-01", "SWIM-COMB-03", "SWIM-CHAR-07")
@pytest.mark.parametrize(
    ("skill", "counters"),
    [
        ("stealth", ("spot", "mental_defense")),
        ("grapple", ("brawn",)),
        ("climb", ("climb",)),
        ("craft:wood", ("craft",)),
        ("basic_melee", ("physical_defense",)),
        ("basic_ranged", ("physical_defense",)),
    ],
)
def test_a_skill_is_opposed_by_its_counter_its_defense_or_itself(
    skill: str, counters: tuple[str, ...]
) -> None:
    assert counters_of(book_of(SwimSettings()), skill) == counters


@pytest.mark.rule("SWIM-SKILL-03")
def test_only_the_holder_lets_go_and_only_the_held_break_free(table: GameTable) -> None:
    table.change("Bram", states=States(held_by=id_of("Ash")))

    assert table.why("Cleo", "release", target="Bram") == "Cleo isn't holding Bram."
    assert table.why("Ash", "release", target="Cleo") == "Ash isn't holding Cleo."
    assert table.why("Ash", "escape") == "Ash isn't held."
    assert table.do("Ash", "release", target="Bram").headline == "lets go of Bram"
    assert table.sheet("Bram").states.held_by is None


@pytest.mark.rule("SWIM-OPP-05")
@pytest.mark.parametrize(
    ("procedure", "options"),
    [
        ("attack", {"skill": "basic melee", "targets": ("Orc",)}),
        ("stealth", {"observers": ("Orc",)}),
        ("oppose", {"skill": "climb", "targets": ("Orc",)}),
    ],
)
def test_only_a_gm_makes_targets_unaware(table: GameTable, procedure: str, options: dict[str, Any]) -> None:

    assert table.why("Ash", procedure, unaware=True, **options) == "Only a GM can make targets unaware."
    assert any(
        "can't defend" in note for note in table.do("GM Ash", procedure, "4", unaware=True, **options).notes
    )


ALL = {
    "physical_defense": 2, "mental_defense": 2, "social_defense": 2, "basic_melee": 1, "basic_melee:axe": 1,
    "basic_ranged": 1, "brawn": 1, "grapple": 1, "spot": 1, "dark_vision": 1, "far_vision": 1, "swim": 1,
    "fire": 1, "water": 1, "life": 1, "wind": 1, "earth": 1, "death": 1, "stealth": 1, "throw": 1,
}  # fmt: skip


@pytest.mark.rule("SWIM-COMB-03", "SWIM-MAGIC-04", "SWIM-MAGIC-20", "SWIM-OPP-01")
@pytest.mark.parametrize(
    ("effect", "options", "ranks", "legal"),
    [
        (Effect.HIT, {"skill": "basic_melee", "is_melee": True}, ALL,
         ("physical_defense", "basic_melee", "basic_melee:axe")),
        (Effect.HIT, {"skill": "basic_melee", "is_melee": True}, {"physical_defense": 0, "basic_melee": 0},
         ()),
        (Effect.HIT, {"skill": "basic_ranged"}, ALL, ("physical_defense",)),
        (Effect.HIT, {"skill": "throw"}, ALL, ("physical_defense",)),
        (Effect.HIT, {"skill": "basic_ranged", "pool": Pool.MENTAL}, ALL, ("mental_defense",)),
        (Effect.HOLD, {"skill": "grapple", "is_melee": True, "counters": ("brawn",)}, ALL,
         ("brawn", "grapple")),
        (Effect.ESCAPE, {"skill": "brawn", "counters": ("grapple",)}, ALL, ("grapple",)),
        (Effect.HIDE, {"skill": "stealth", "counters": ("spot",)}, ALL,
         ("spot", "dark_vision", "far_vision")),
        (Effect.HIDE, {"skill": "stealth", "counters": ("spot",)}, {"spot": 0, "dark_vision": 2},
         ("dark_vision",)),
        (Effect.TASK, {"skill": "stealth", "counters": ("spot",)}, ALL,
         ("spot", "dark_vision", "far_vision")),
        (Effect.TASK, {"skill": "swim", "counters": ("swim",)}, ALL, ("swim",)),
        (Effect.TASK, {"skill": "grapple", "counters": ("brawn",)}, ALL, ("brawn",)),
        (Effect.HIT, {"skill": "fire", "is_magic": True}, ALL, ("physical_defense", "fire", "water")),
        (Effect.LIFT, {"skill": "wind", "is_magic": True, "counters": ("brawn",)}, ALL,
         ("brawn", "wind", "earth")),
        (Effect.HIT, {"skill": "death:death", "is_magic": True, "is_melee": True}, ALL,
         ("physical_defense", "death", "life", "basic_melee", "basic_melee:axe")),
    ],
)  # fmt: skip
def test_which_skills_can_defend(
    effect: Effect, options: dict[str, Any], ranks: dict[str, int], legal: tuple[str, ...]
) -> None:
    table = lay_table(Orc=sheet(ranks))
    fought = contest(effect, 0, **options)

    assert legal_defences(table.scene, fought, table.named("Orc")) == legal
    assert is_helpless(table.scene, fought, table.named("Orc")) is (not legal)


@pytest.mark.parametrize("rank", range(5))
def test_an_artifact_lets_a_skill_of_any_rank_defend(rank: int) -> None:
    table = lay_table(Orc=sheet({"fire": rank}, items=["Eternal Torch"]))
    fought = contest(Effect.HIT, 0, skill="fire", is_magic=True)

    assert legal_defences(table.scene, fought, table.named("Orc")) == ("physical_defense", "fire")


def inputs_of(
    table: GameTable, fought: SwimContest, skill: str = "physical_defense", **options: Any
) -> tuple[list[tuple[str, int, int]], dict[str, int], int]:
    """The dice of the Orc's defense by source, its modifiers, and that of implicit 1s."""
    found = defence_inputs(
        table.scene, fought, fought.shares[0], skill, SwimDefendOptions.model_validate(options)
    )
    groups = [(str(group.source), group.count, group.modifier) for group in found.groups]
    return groups, {term.label: term.value for term in found.terms}, found.implicit_modifier


class TestDice:
    @pytest.mark.rule("SWIM-POOL-06", "SWIM-POOL-10")
    @pytest.mark.parametrize(
        ("strain", "factor", "dice"), [(False, 1, 3), (True, 1, 6), (False, 2, 6), (True, 3, 18)]
    )
    def test_straining_and_a_pushed_attack_multiply_the_dice(
        self, strain: bool, factor: int, dice: int
    ) -> None:
        table = lay_table(Orc=sheet({"physical_defense": 3}))

        groups, _, _ = inputs_of(table, contest(Effect.HIT, 0, factor=factor), strain=strain)
        assert groups == [("skill", dice, 0)]

    @pytest.mark.rule("SWIM-IMPL-03", "SWIM-POOL-10")
    @pytest.mark.parametrize(("factor", "dice"), [(1, 1), (2, 2)])
    def test_an_artifacts_dice_are_multiplied_by_a_pushed_attack_but_not_by_straining(
        self, factor: int, dice: int
    ) -> None:
        table = lay_table(Orc=sheet({"fire": 2}, items=["Eternal Torch"]))
        fought = contest(Effect.HIT, 0, skill="fire", is_magic=True, factor=factor)

        assert inputs_of(table, fought, "fire", strain=True)[0] == [
            ("skill", 4 * factor, 0),
            ("artifact", dice, 0),
        ]

    @pytest.mark.rule("SWIM-COMB-13")
    @pytest.mark.parametrize(
        ("rank", "kind", "held", "factor", "added"),
        [
            (3, ReserveKind.DEFENCE, "basic_melee", 1, [("added", 2, 0)]),
            (3, ReserveKind.DEFENCE, "basic_melee", 2, [("added", 4, 0)]),
            (2, ReserveKind.DEFENCE, "basic_melee", 1, [("added", 1, 0)]),
            (1, ReserveKind.DEFENCE, "basic_melee", 1, []),
            (0, ReserveKind.DEFENCE, "basic_melee", 1, []),
            (3, ReserveKind.ACTION, "basic_melee", 1, []),
            (3, ReserveKind.DEFENCE, "physical_defense", 1, []),
        ],
    )
    def test_a_reserve_adds_one_die_less_than_its_rank_to_another_skill(
        self, rank: int, kind: ReserveKind, held: str, factor: int, added: list[tuple[str, int, int]]
    ) -> None:
        table = lay_table(Orc=sheet({"physical_defense": 2, "basic_melee": rank}))
        table.change("Orc", states=States(reserve=Reserve(skill=held, kind=kind)))

        groups, _, _ = inputs_of(table, contest(Effect.HIT, 0, factor=factor))
        assert groups == [("skill", 2 * factor, 0), *added]

    @pytest.mark.rule("SWIM-COMB-13", "SWIM-AREA-04")
    def test_each_die_of_a_reserve_has_its_own_modifiers_and_the_rolls(self) -> None:
        table = lay_table(
            Orc=sheet(
                {"physical_defense": 2, "brawn": 2, "basic_melee:axe": 3},
                items=["Great Sword"],
                traits={"large": 1},
            )
        )
        fought = contest(Effect.HIT, 0)
        fought = fought.with_share(evolve(fought.shares[0], bonus=2))
        held = States(reserve=Reserve(skill="basic_melee:axe", kind=ReserveKind.DEFENCE))
        table.change("Orc", states=held)

        groups, terms, implicit = inputs_of(table, fought, modifier=3)
        assert groups == [("skill", 2, 5), ("added", 2, 7)]
        named = {"Great Sword": 1, "trait": -1, "distance or area": 2, "circumstances": 3}
        assert (terms, implicit) == (named, 5)


@pytest.mark.rule("SWIM-SKILL-06", "SWIM-MAGIC-12", "SWIM-SYN-06", "SWIM-COMB-03")
@pytest.mark.parametrize(
    ("skill", "attack", "friends", "terms"),
    [
        ("social_defense", "basic_melee", True, {"friends": 1}),
        ("social_defense", "basic_melee", False, {}),
        ("mental_defense", "basic_melee", True, {}),
        ("physical_defense", "fire", False, {"wet ground": 3}),
        ("physical_defense", "fire:blaze", False, {"wet ground": 3}),
        ("physical_defense", "water", False, {}),
        ("physical_defense", "basic_melee", False, {}),
        ("basic_melee:axe", "basic_melee", False, {"specialized": 1}),
        ("swim", "swim", False, {"trait": 2}),
    ],
)
def test_every_modifier_of_a_defense_is_named(
    skill: str, attack: str, friends: bool, terms: dict[str, int]
) -> None:
    table = lay_table(Orc=sheet({skill: 2}, traits={"fins": 2}))
    table.settings(friends_bonus=1)
    table.scene = with_ground(table.scene, Ground(resistance=(3, 1)))
    fought = contest(Effect.HIT, 0, skill=attack, is_magic=attack.startswith(("fire", "water")))

    assert inputs_of(table, fought, skill, friends=friends)[1] == terms


@pytest.mark.rule("SWIM-MAGIC-12")
def test_wet_ground_helps_only_against_fire_that_is_magic() -> None:
    table = lay_table(Orc=sheet({"physical_defense": 2}))
    table.scene = with_ground(table.scene, Ground(resistance=(0, 2)))

    assert inputs_of(table, contest(Effect.HIT, 0, skill="fire", is_magic=True))[1] == {}


class TestButtons:
    def labels(self, table: GameTable, fought: SwimContest) -> list[str]:
        return [one.label for one in defence_buttons(table.scene, "contest/1", fought, fought.shares[0])]

    @pytest.mark.rule("SWIM-COMB-03")
    @pytest.mark.parametrize(
        ("faces", "ranks", "label"),
        [
            ("6", {"physical_defense": 1}, "Orc: Physical Defense · ≈ 0.8 hits"),
            ("6", {"physical_defense": 6}, "Orc: Physical Defense · ≈ 0.3 hits"),
            ("2", {"physical_defense": 1}, "Orc: Physical Defense · ≈ 0.2 hits"),
            ("2", {"physical_defense": 3}, "Orc: Physical Defense · < 0.1 hits"),
            ("1", {"physical_defense": 1}, "Orc: Physical Defense · ≈ 0.0 hits"),
            ("6 6 6", {"physical_defense": 1}, "Orc: Physical Defense · ≈ 2.8 hits"),
        ],
    )
    def test_a_button_says_what_its_defense_lets_through(
        self, faces: str, ranks: dict[str, int], label: str
    ) -> None:
        table = lay_table(Orc=sheet(ranks))

        assert self.labels(table, contest(Effect.HIT, 0, faces=faces, skill="basic_ranged"))[0] == label

    @pytest.mark.rule("SWIM-COMB-03")
    @pytest.mark.parametrize(
        ("effect", "told"),
        [
            (Effect.HIT, "≈ 1.7 hits · stops all 3%"),
            (Effect.SHIFT, "≈ 1.7 squares · stops all 3%"),
            (Effect.HIDE, "stops it 3%"),
        ],
    )
    def test_a_menu_says_both_where_each_hit_counts(self, effect: Effect, told: str) -> None:
        table = lay_table(Orc=sheet({"physical_defense": 2, "basic_melee": 1}))
        fought = contest(effect, 0, faces="6 6", skill="basic_melee", is_melee=True)
        menu = defence_buttons(table.scene, "contest/1", fought, fought.shares[0])[2]

        assert [one.label for one in menu.choices] == ["Physical Defense, 2 dice", "Basic Melee, 1 die"]
        assert menu.choices[0].note == told

    @pytest.mark.parametrize(
        ("targets", "buttons", "place"),
        [(1, 3, Place.VERDICT), (2, 3, Place.BELOW), (3, 3, Place.BELOW), (4, 2, Place.BELOW)],
    )
    def test_up_to_three_targets_have_a_menu_each(self, targets: int, buttons: int, place: Place) -> None:
        table = lay_table(Orc=sheet({"physical_defense": 1, "basic_melee": 1}))
        fought = contest(Effect.HIT, 0, skill="basic_melee", is_melee=True)
        fought = evolve(fought, shares=fought.shares * targets)
        found = defence_buttons(table.scene, "contest/1", fought, fought.shares[0])

        assert [len(found), found[0].place, found[0].note] == [buttons, place, "Orc can oppose."]
        assert {one.group for one in found} == {f"defence/{id_of('Orc')}"}

    @pytest.mark.parametrize(("ranks", "buttons"), [({"basic_melee": 0}, 2), ({"basic_melee": 1}, 3)])
    def test_a_menu_needs_two_skills(self, ranks: dict[str, int], buttons: int) -> None:
        table = lay_table(Orc=sheet({"physical_defense": 1, **ranks}))

        assert len(self.labels(table, contest(Effect.HIT, 0, skill="basic_melee", is_melee=True))) == buttons

    @pytest.mark.rule("SWIM-OPP-05")
    @pytest.mark.parametrize(("seconds", "after"), [(0, None), (30, 30)])
    def test_the_best_defense_is_taken_after_the_campaigns_time(
        self, seconds: int, after: int | None
    ) -> None:
        table = lay_table(Orc=sheet({"physical_defense": 1}))
        table.settings(defense_seconds=seconds)
        fought = contest(Effect.HIT, 0, skill="basic_ranged")
        best, decline = defence_buttons(table.scene, "contest/1", fought, fought.shares[0])

        assert (best.after_seconds, decline.after_seconds) == (after, None)

    @pytest.mark.rule("SWIM-COMB-03", "SWIM-OPP-05")
    @pytest.mark.parametrize(
        ("effect", "needed", "best"),
        [
            (Effect.HIT, 1, "physical_defense"),
            (Effect.SHIFT, 1, "physical_defense"),
            (Effect.HOLD, 1, "basic_melee"),
            (Effect.STUN, 2, "physical_defense"),
        ],
    )
    def test_the_best_defense_has_the_fewest_hits_or_stops_most_often(
        self, effect: Effect, needed: int, best: str
    ) -> None:
        """One die that is likely to stop one of two 6s, or two that may stop both."""
        ward = SwimItem(
            name="Ward", mods=(Mod(role=SwimRole.DEFENCE, skills=("physical_defense",), bonus=4),)
        )
        table = lay_table(Orc=sheet({"physical_defense": 1, "basic_melee": 2}, items=[ward]))
        fought = contest(effect, 0, faces="6 6", skill="basic_melee", is_melee=True, needed=needed)

        assert best_first(table.scene, fought, fought.shares[0])[0].skill == best


@pytest.mark.rule("SWIM-POOL-06")
@pytest.mark.parametrize(("rank", "skills"), [(1, []), (2, ["physical_defense"])])
def test_only_a_skill_of_rank_2_is_strained_to_defend(rank: int, skills: list[str]) -> None:
    table = lay_table(Orc=sheet({"physical_defense": rank}))
    fought = contest(Effect.HIT, 0, skill="basic_ranged")
    strained = SwimDefendOptions(strain=True)

    assert [one.skill for one in best_first(table.scene, fought, fought.shares[0], strained)] == skills


@pytest.mark.rule("SWIM-OPP-01", "SWIM-SKILL-03", "SWIM-RACE-05")
@pytest.mark.parametrize(
    ("procedure", "skill", "options", "told"),
    [
        ("escape", "brawn", {}, {"1": "Ash breaks free", "6": "Ash is still held"}),
        ("oppose", "swim", {"skill": "swim", "targets": ("Orc",)},
         {"1": "Ash: success, 1 progress", "6": "Ash: fails"}),
        ("stealth", "stealth", {"observers": ("Orc",)}, {"1": "unnoticed by Orc", "6": "noticed by Orc"}),
    ],
)  # fmt: skip
@pytest.mark.parametrize("face", ["1", "6"])
def test_a_defenses_verdict_is_the_attackers_turned_around(
    procedure: str, skill: str, options: dict[str, Any], told: dict[str, str], face: str
) -> None:
    table = lay_table(
        Ash=sheet({skill: 1}), Orc=sheet({"grapple": 1, "swim": 1, "spot": 1, "mental_defense": 1})
    )
    table.change("Ash", states=States(held_by=id_of("Orc")))
    table.do("Ash", procedure, "4", **options)
    done = table.do("GM Orc", "defend", face)

    assert words(done) == told[face]
    assert isinstance(done.verdict, Verdict)
    assert done.verdict.family is (Family.FAILURE if face == "1" else Family.SUCCESS)
