"""Damage at a small table: what a GM deals, which save it meets, and layers that come and go."""

from typing import Any

import pytest
from msgspec.structs import replace

from bot.rules.kernel import Audience, DueTimer
from bot.rules.kernel.errors import UserError
from bot.rules.rpj.character.damage_saves import defense_modifiers, health_lines, layers_of, rested
from bot.rules.rpj.character.incapacity import Wait
from bot.rules.rpj.game_parts.rpj_resources import timers_due
from bot.rules.rpj.layers_and_saves import read_kinds, read_saves
from bot.rules.rpj.module.defense_layers import Layer, Out, RpjHealth
from bot.rules.rpj.module.effects import LayerKind
from bot.rules.rpj.module.items import Armor
from tests.rules.rpj.people import figure
from tests.rules.rpj.table import GameTable, d6, labels, others, rpj_table

OUT = RpjHealth(out=Out.INCAPACITATED)
SHELL = Layer.fresh("own shell", "Shell", LayerKind.ABILITY, (5,))


def table(health: RpjHealth | None = None, **more: Any) -> GameTable:
    """Ug in leather armor (5+, 5+) over three base saves (7+)."""
    made = rpj_table(**more)
    made.change("Ug", belongings=("leather",), health=health or RpjHealth())
    return made


def health(made: GameTable, name: str = "Ug") -> RpjHealth:
    return made.named(name).sheet.health


@pytest.mark.rule("RPJ-HEALTH-06")
@pytest.mark.parametrize(
    ("typed", "saves"),
    [
        ("5", (5,)),
        ("5 6", (5, 6)),
        ("5+/6+", (5, 6)),
        ("5, 6; 7", (5, 6, 7)),
        ("2 12", (2, 12)),
        ("1", None),
        ("13", None),
        ("5 six", None),
        ("", None),
        ("5 5 5 5 5 5 5 5 5 5", (5,) * 10),
        ("5 5 5 5 5 5 5 5 5 5 5", None),
    ],
)
def test_saves_are_read_as_one_to_ten_target_numbers(typed: str, saves: tuple[int, ...] | None) -> None:
    if saves is None:
        with pytest.raises(UserError, match="damage saves"):
            read_saves(typed)
    else:
        assert read_saves(typed) == saves


@pytest.mark.rule("RPJ-HEALTH-11")
def test_damage_bypasses_every_layer_but_the_base() -> None:
    assert read_kinds("Armor, shield,") == (LayerKind.ARMOR, LayerKind.SHIELD)
    assert read_kinds(" ") == ()
    for typed in ("base", "armor, skin"):
        with pytest.raises(UserError, match="isn't a layer damage can bypass"):
            read_kinds(typed)


@pytest.mark.rule("RPJ-HEALTH-02", "RPJ-HEALTH-03", "RPJ-HEALTH-11", "RPJ-HEALTH-12", "RPJ-HEALTH-17")
class TestDealingDamage:
    @pytest.mark.parametrize(
        ("options", "headline", "label"),
        [
            ({}, "deals 0 damage to Ug", "Ug: save 5+ · 83%"),
            ({"damage": 2}, "deals 2 damage to Ug", "Ug: save 7+ · 58%"),
            ({"damage": -1}, "deals −1 damage to Ug", "Ug: save 4+ · 92%"),
            (
                {"damage": 2, "reduce": 1},
                "deals 2 damage reduced by 1 to Ug",
                "Ug: save 6+ · 72%",
            ),
            ({"times": 1}, "deals 0 damage to Ug", "Ug: save 5+ · 83%"),
            ({"times": 2}, "deals 0 damage, 2 times to Ug", "Ug: save 5+ · 83%"),
            ({"nonlethal": True}, "deals 0 damage, nonlethal to Ug", "Ug: save 5+ · 83%"),
            ({"bypass": "armor"}, "deals 0 damage, bypassing armor to Ug", "Ug: save 7+ · 58%"),
            (
                {"bypass": "armor, shield, ability"},
                "deals 0 damage, base saves only to Ug",
                "Ug: save 7+ · 58%",
            ),
            ({"damage": 40}, "deals 40 damage to Ug", "Ug: save 45+ · 3%"),
        ],
    )
    def test_each_target_gets_a_button_with_the_target_number_of_the_layer_struck(
        self, options: dict[str, Any], headline: str, label: str
    ) -> None:
        dealt = table().do("GM", "harm", targets=("Ug",), **options)

        assert (dealt.headline, labels(dealt)) == (headline, [label])

    def test_those_already_out_are_named_and_nobody_is_asked_twice(self) -> None:
        made = table(OUT)

        dealt = made.do("GM", "harm", targets=("Laeniel", "Ug", "Laeniel"))

        assert dealt.headline == "deals 0 damage to Laeniel, Ug"
        assert dealt.notes == ("Ug is already out of action (incapacitated).",)
        assert len(labels(dealt)) == 1
        assert (
            made.refused("GM", "harm", targets=("Ug",)).what == "Ug is already out of action (incapacitated)."
        )

    def test_a_hit_that_does_its_damage_several_times_is_saved_against_as_often(self) -> None:
        made = table()
        dealt = made.do("GM", "harm", targets=("Ug",), damage=2, times=3)

        first = made.press("Ug", dealt.follow_ups[0], d6("6 5"))
        second = made.press("Ug", first.follow_ups[-1], d6("1 3"))
        third = made.press("Ug", second.follow_ups[-1], d6("6 5"))

        assert labels(first) == ["Ug: save 2 of 3, 7+ · 58%"]
        assert labels(second)[-1] == "Ug: save 3 of 3, 7+ · 58%"
        assert labels(third) == []
        assert [one.passed for one in (first, second, third)] == [True, False, True]

    @pytest.mark.parametrize(
        ("fall", "title", "lost", "notes"),
        [
            ("6 5", "saved", 0, ()),
            ("3 2", "failed: one 7+ save lost", 1, ()),
            ("1 1", "failed: one 7+ save lost", 1, ()),
        ],
    )
    def test_a_failed_save_is_crossed_off_and_only_a_broken_layer_is_told(
        self, fall: str, title: str, lost: int, notes: tuple[str, ...]
    ) -> None:
        made = table()

        saved = made.do("Ug", "save", d6(fall), bypass="armor")

        assert saved.verdict is not None
        assert (saved.verdict.title, len(health(made).lost_base)) == (title, lost)
        assert saved.notes == notes

    def test_the_last_save_of_armor_breaks_it_and_the_last_of_the_base_leaves_one_bleeding(self) -> None:
        made = table()
        told = [" ".join(made.do("Ug", "save", d6("1 2"), damage=10).notes) for _ in range(5)]

        assert ["Leather armor is broken." in notes for notes in told] == [False, True, False, False, False]
        assert ["bleeding out" in notes for notes in told] == [False, False, False, False, True]
        assert health(made).out is Out.INCAPACITATED

    @pytest.mark.rule("RPJ-DICE-03", "RPJ-HEALTH-13")
    def test_an_undecided_critical_save_waits_for_the_gms_word(self) -> None:
        made = table(combat_criticals="ask")

        open_ = made.do("Ug", "save", d6("6 6"), damage=10)

        assert open_.passed is None
        words = [one for one in open_.follow_ups if one.group == "word"]
        assert [(one.label, one.audience) for one in words] == [
            ("Accept the critical (GM)", Audience.GM),
            ("Overrule the critical (GM)", Audience.GM),
        ]
        accepted = made.press("GM Ug", words[0])
        assert accepted.passed
        overruled = table(combat_criticals="ask")
        again = overruled.do("Ug", "save", d6("6 6"), damage=10)
        assert (
            overruled.press("GM Ug", [one for one in again.follow_ups if one.group == "word"][1]).passed
            is False
        )


@pytest.mark.rule("RPJ-HEALTH-18")
class TestHelplessTargets:
    @pytest.mark.parametrize(
        ("state", "ways"),
        [
            (
                RpjHealth(),
                [
                    "Base saves only: 7+ (GM)",
                    "One base save, the best: 7+ (GM)",
                    "One base save, the worst: 7+ (GM)",
                    "Out of action at once (GM)",
                    "Dead at once (GM)",
                ],
            ),
            (OUT, ["Dead at once (GM)"]),
        ],
    )
    def test_the_gm_chooses_how_a_strike_at_the_helpless_is_resolved(
        self, state: RpjHealth, ways: list[str]
    ) -> None:
        struck = table(state).do("GM", "ambush", target="Ug", damage=2)

        assert struck.headline == "strikes Ug (helpless or unaware): 2 damage"
        assert labels(struck) == ways

    def test_nobody_strikes_the_dead(self) -> None:
        assert table(RpjHealth(out=Out.DEAD)).refused("GM", "ambush", target="Ug").what == "Ug is dead."

    @pytest.mark.parametrize(
        ("way", "headline", "out"),
        [("Out of action", "puts out of action Ug", Out.INCAPACITATED), ("Dead", "kills Ug", Out.DEAD)],
    )
    def test_the_gm_may_decide_without_a_roll(self, way: str, headline: str, out: Out) -> None:
        made = table()
        struck = made.do("GM", "ambush", target="Ug", damage=2)

        done = made.press("GM", next(one for one in struck.follow_ups if one.label.startswith(way)))

        assert (done.headline, health(made).out) == (headline, out)

    @pytest.mark.parametrize(
        ("way", "times", "label", "fall", "out"),
        [
            ("Base saves only", 2, "Ug: save 9+ · 28%", "1 2", Out.NO),
            ("One base save, the best", 2, "Ug: save 9+ · 28%", "1 2", Out.INCAPACITATED),
            ("One base save, the best", 2, "Ug: save 9+ · 28%", "6 5", Out.NO),
            ("One base save, the worst", 1, "Ug: save 9+ · 28%", "1 2", Out.INCAPACITATED),
        ],
    )
    def test_a_single_save_decides_about_everything(
        self, way: str, times: int, label: str, fall: str, out: Out
    ) -> None:
        made = table()
        struck = made.do("GM", "ambush", target="Ug", damage=2, times=times)
        asked = made.press("GM", next(one for one in struck.follow_ups if one.label.startswith(way)))

        saved = made.press("Ug", asked.follow_ups[0], d6(fall))

        assert labels(asked) == [label]
        assert health(made).out is out
        more = [one for one in others(saved) if "save 2 of" in one]
        assert bool(more) is (way == "Base saves only")

    def test_the_best_and_the_worst_save_are_told_apart(self) -> None:
        made = table(RpjHealth(lost_base=(7,)))
        made.change("Ug", traits=[{"trait": "tough"}])
        struck = made.do("GM", "ambush", target="Ug")
        best, worst = labels(struck)[1:3]

        assert best < worst or best.split(": ")[1] != worst.split(": ")[1]


@pytest.mark.rule("RPJ-HEALTH-06", "RPJ-HEALTH-08", "RPJ-HEALTH-09")
class TestTemporaryLayers:
    def test_a_layer_lies_outermost_unless_it_is_put_inside_another(self) -> None:
        made = table()

        first = made.do("Ug", "layer", name="Stone  Skin", saves="5 6")
        second = made.do("Ug", "layer", name="Frost", saves="6", inside="stone skin")

        assert first.headline == "is protected by Stone Skin, outermost"
        assert second.headline == "is protected by Frost, inside Stone Skin"
        assert [layer.name for layer in health(made).layers] == ["Stone Skin", "Frost"]
        assert labels(first) == []
        assert labels(second) == ["Outermost"]
        third = made.do("Ug", "layer", name="Thorns", saves="6")
        assert labels(third) == ["Inside Stone Skin", "Inside Frost"]

    def test_at_most_five_places_of_a_layer_are_offered(self) -> None:
        made = table()
        for name in ("A", "B", "C", "D", "E", "F"):
            made.do("Ug", "layer", name=name, saves="6")

        done = made.do("Ug", "layer", name="Frost", saves="6")

        assert labels(done) == ["Inside F", "Inside E", "Inside D", "Inside C", "Inside B"]

    def test_a_layer_is_never_put_inside_armor(self) -> None:
        made = table()
        torn = Layer.fresh("leather", "Leather armor", LayerKind.ARMOR, (5, 5)).marked(0, is_lost=True)
        made.change("Ug", belongings=("leather",), health=RpjHealth(layers=(torn,)))

        assert labels(made.do("Ug", "layer", name="Frost", saves="6")) == []

    @pytest.mark.parametrize(("minutes", "timer"), [(None, {}), (5, {"own frost": 300})])
    def test_a_layer_lasts_as_long_as_it_is_said_to(self, minutes: int | None, timer: dict[str, int]) -> None:
        made = table()

        made.do("Ug", "layer", name="Frost", saves="6", minutes=minutes)

        assert made.named("Ug").timers == timer
        assert health(made).layers[0].ends_at == timer.get("own frost")
        ended = made.do("GM", "end_layer", target="Ug", layer="frost")
        assert ended.headline == "ends Ug's Frost"
        assert (made.named("Ug").timers, health(made).layers) == ({}, ())

    @pytest.mark.parametrize("name", ["Frost", " frost ", "Base", "Leather Armor"])
    def test_no_two_layers_have_the_same_name(self, name: str) -> None:
        made = table()
        made.do("Ug", "layer", name="Frost", saves="6")

        assert made.refused("Ug", "layer", name=name, saves="6").what.startswith("There is already a layer")

    @pytest.mark.parametrize("layer", ["Leather armor", "Base"])
    def test_only_temporary_layers_are_ended(self, layer: str) -> None:
        refused = table().refused("GM", "end_layer", target="Ug", layer=layer)

        assert refused.what == f"{layer} isn't temporary."
        assert (
            table()
            .refused("GM", "end_layer", target="Ug", layer="Frost")
            .what.startswith("There is no layer")
        )


@pytest.mark.rule("RPJ-HEALTH-15", "RPJ-HEALTH-20")
class TestRepair:
    def test_repaired_armor_has_all_its_saves_again(self) -> None:
        made = table()
        for _ in range(2):
            made.do("Ug", "save", d6("1 2"), damage=10)
        assert made.refused("GM", "repair", target="Ug", layer="Base").what == "You can't repair Base."

        done = made.do("GM", "repair", target="Ug", layer="Leather armor")

        assert done.headline == "repairs Ug's Leather armor"
        assert health(made).layers == ()
        assert (
            made.refused("GM", "repair", target="Ug", layer="leather").what == "Leather armor isn't damaged."
        )

    def test_an_ability_is_not_repaired_but_a_temporary_shield_is(self) -> None:
        made = table(RpjHealth(layers=(SHELL.marked(0, is_lost=True),)))
        assert made.refused("GM", "repair", target="Ug", layer="Shell").what == "You can't repair Shell."
        made.do("Ug", "layer", name="Door", saves="5 6", kind="shield")
        made.do("Ug", "save", d6("1 1"), damage=10, bypass="ability")

        made.do("GM", "repair", target="Ug", layer="Door")

        door = next(layer for layer in health(made).layers if layer.name == "Door")
        assert [save.is_lost for save in door.saves] == [False, False]


@pytest.mark.rule("RPJ-HEALTH-16", "RPJ-GCS-41")
@pytest.mark.parametrize(
    ("before", "saves", "lost"),
    [((7, 7, 7), 1, 2), ((7, 7, 7), 2, 1), ((7, 7), 5, 0), ((7,), 1, 0)],
)
def test_healing_restores_base_saves_and_brings_back_into_action(
    before: tuple[int, ...], saves: int, lost: int
) -> None:
    made = table(RpjHealth(lost_base=before, out=Out.INCAPACITATED))

    made.do("GM", "heal", target="Ug", saves=saves)

    assert (len(health(made).lost_base), health(made).out) == (lost, Out.NO)
    assert table().refused("GM", "heal", target="Ug").what == "Ug hasn't lost a base save."


@pytest.mark.rule("RPJ-HEALTH-01", "RPJ-HEALTH-10", "RPJ-HEALTH-19")
def test_health_is_shown_with_the_chances_of_the_next_save() -> None:
    shown = table().do("Ug", "health")

    assert not shown.is_public
    assert shown.notes[-1].startswith("Next save: Leather armor 5+. Chance by damage: 0: 83% · ")


@pytest.mark.rule("RPJ-HEALTH-20", "RPJ-GCS-41")
@pytest.mark.parametrize("clock", [0, 5000])
@pytest.mark.parametrize(("hours", "lost"), [(1, 3), (2, 2), (3, 2), (4, 1), (6, 0), (7, 0)])
def test_two_hours_of_rest_restore_a_base_save_whenever_it_begins(clock: int, hours: int, lost: int) -> None:
    made = table(RpjHealth(lost_base=(7, 7, 7)))
    made.scene = replace(made.scene, clock=clock)

    made.do("GM", "rest", who=("Ug",), hours=hours)

    assert len(health(made).lost_base) == lost
    assert made.scene.clock == clock + hours * 3600


@pytest.mark.rule("RPJ-GCS-40", "RPJ-GCS-41")
@pytest.mark.parametrize(("hours", "is_weak", "lost"), [(7, True, 3), (8, False, 2), (10, False, 1)])
def test_rest_counts_from_the_moment_when_weakness_ends(hours: int, is_weak: bool, lost: int) -> None:
    made = table(RpjHealth(lost_base=(7, 7, 7), is_weak=True))
    made.scene = made.scene.with_character(made.named("Ug").with_timer(Wait.WEAK, 8 * 3600))

    made.do("GM", "rest", who=("Ug",), hours=hours)

    assert (health(made).is_weak, len(health(made).lost_base)) == (is_weak, lost)


@pytest.mark.rule("RPJ-GCS-37", "RPJ-GCS-39")
@pytest.mark.parametrize(
    ("procedure", "state", "seconds"),
    [
        ("fight.help_outside", RpjHealth(lost_base=(7, 7, 7), out=Out.INCAPACITATED), 60),
        ("fight.treat_outside", RpjHealth(lost_base=(7, 7, 7), is_weak=True), 3600),
    ],
)
@pytest.mark.parametrize(("fall", "works"), [("6 6", True), ("1 1", False)])
def test_help_and_treatment_take_their_time_whether_or_not_they_work(
    procedure: str, state: RpjHealth, seconds: int, fall: str, works: bool
) -> None:
    made = table(state)
    made.change("Laeniel", belongings=("bandages",))
    made.scene = replace(made.scene, clock=500)

    done = made.do("Laeniel", procedure, d6(fall), target="Ug")

    assert made.scene.clock == 500 + seconds
    assert done.paid is not None
    assert done.paid.clock == 500 + seconds
    assert done.verdict is not None
    assert done.verdict.title == ("back in action" if works else "no change")
    assert (health(made) != state) is works


ROCK = Layer.fresh("rock", "Rock Armor", LayerKind.ABILITY, (5, 6))
PEBBLE = Layer.fresh("pebble", "Pebble Armor", LayerKind.ABILITY, (4,))


@pytest.mark.rule("RPJ-HEALTH-10")
class TestHealthDisplay:
    def test_health_lists_the_base_first_and_the_next_layer_to_save_last(self) -> None:
        hero = figure("CON 3", belongings=("leather",), health=RpjHealth(layers=(ROCK, PEBBLE)))

        assert health_lines(hero) == (
            "Base: 3 of 3 (7+)",
            "Leather armor: 2 of 2 (5+)",
            "Pebble Armor: 1 of 1 (4+)",
            "▸ Rock Armor: 2 of 2 (5+, 6+)",
        )

    def test_health_marks_lost_saves_and_broken_layers(self) -> None:
        broken = PEBBLE.marked(0, is_lost=True)
        hero = figure("CON 3", health=RpjHealth(layers=(broken,), lost_base=(7,)))

        assert health_lines(hero) == ("▸ Base: 2 of 3 (7+)", "Pebble Armor: 0 of 1, broken")

    def test_health_says_that_a_character_is_knocked_out(self) -> None:
        hero = figure("CON 2", health=RpjHealth(lost_base=(7, 7), out=Out.KNOCKED_OUT))

        assert health_lines(hero) == ("Base: 0 of 2, broken", "knocked out")


@pytest.mark.rule("RPJ-HEALTH-20")
class TestRecoveryByRest:
    @pytest.mark.parametrize(
        ("hours", "lost"), [(4, (7,)), (1, (7, 7, 7)), (2, (7, 7)), (3, (7, 7)), (48, ())]
    )
    def test_two_hours_of_rest_restore_one_base_save(self, hours: int, lost: tuple[int, ...]) -> None:
        assert rested(RpjHealth(lost_base=(7, 7, 7)), hours).lost_base == lost

    def test_rest_restores_the_easiest_base_save_first(self) -> None:
        assert rested(RpjHealth(lost_base=(7, 6)), 2).lost_base == (7,)

    def test_a_player_can_choose_which_base_save_rest_restores_first(self) -> None:
        assert rested(RpjHealth(lost_base=(6, 7, 7)), 2, first=7).lost_base == (6, 7)
        assert rested(RpjHealth(lost_base=(6, 7)), 4, first=7).lost_base == ()
        assert rested(RpjHealth(lost_base=(6, 7)), 2, first=9).lost_base == (7,)

    def test_broken_leather_stays_broken_until_it_is_repaired(self) -> None:
        leather = Layer.fresh("leather", "Leather armor", LayerKind.ARMOR, (5, 5))
        broken = leather.marked(0, is_lost=True).marked(1, is_lost=True)
        slept = rested(RpjHealth(layers=(broken,)), 8)

        assert slept.layers == (broken,)
        hero = figure("CON 3", belongings=("leather",), health=slept.without_layer("leather"))
        assert str(layers_of(hero)[0]) == "5+/5+"

    def test_an_incapacitated_character_does_not_recover_by_rest(self) -> None:
        out = RpjHealth(lost_base=(7, 7), out=Out.INCAPACITATED)

        assert rested(out, 8) == out


@pytest.mark.rule("RPJ-HEALTH-15")
class TestBrokenArmor:
    @pytest.mark.parametrize(
        ("adds", "is_broken", "modifiers"),
        [
            ((-2, 1), False, (-2, 1)),
            ((-2, 1), True, (-2, 0)),
            ((1, -2), False, (1, -2)),
            ((1, -2), True, (0, -2)),
        ],
    )
    def test_broken_armor_loses_its_bonus_and_keeps_its_penalty(
        self, adds: tuple[int, int], is_broken: bool, modifiers: tuple[int, int]
    ) -> None:
        dodge, absorb = adds
        plate = Armor(id="plate", name="Plate", saves=(5,), dodge=dodge, absorb=absorb, reduction=1)
        layer = Layer.fresh("plate", "Plate", LayerKind.ARMOR, (5,), reduction=1)
        hero = figure("CON 3", health=RpjHealth(layers=(layer.marked(0, is_lost=is_broken),)))

        assert defense_modifiers(hero, plate) == modifiers

    def test_armor_that_was_never_hit_has_its_bonus_and_its_penalty(self) -> None:
        plate = Armor(id="plate", name="Plate", saves=(5,), dodge=-2, absorb=1)

        assert defense_modifiers(figure("CON 3"), plate) == (-2, 1)


DOWN = {
    "bleeding": RpjHealth(lost_base=(7, 7, 7), out=Out.INCAPACITATED),
    "waking": RpjHealth(lost_base=(7, 7, 7), out=Out.KNOCKED_OUT),
    "sleeping": RpjHealth(lost_base=(7, 7, 7), out=Out.INCAPACITATED, is_stable=True),
    "weak": RpjHealth(lost_base=(7, 7), is_weak=True),
}


@pytest.mark.rule("RPJ-GCS-33", "RPJ-GCS-35", "RPJ-GM-07")
class TestRollsByTheClock:
    """Bleeding is rolled every minute, waking every five."""

    def waiting(self, wait: str, due: int, clock: int) -> GameTable:
        """Ug is out of action, with a roll due at a moment."""
        made = rpj_table()
        made.change("Ug", health=DOWN[wait])
        made.scene = replace(made.scene.with_character(made.named("Ug").with_timer(wait, due)), clock=clock)
        return made

    @pytest.mark.parametrize("wait", ["bleeding", "waking"])
    @pytest.mark.parametrize(
        ("early", "told"),
        [(1, "1 minute"), (60, "1 minute"), (61, "2 minutes"), (120, "2 minutes"), (121, "3 minutes")],
    )
    def test_a_roll_before_its_time_says_how_many_minutes_are_left(
        self, wait: str, early: int, told: str
    ) -> None:
        refused = self.waiting(wait, 1000 + early, 1000).refused("Ug", wait)

        assert refused.what == f"Ug's next roll is due in {told} of game time."

    @pytest.mark.parametrize(("wait", "every"), [("bleeding", 60), ("waking", 300)])
    @pytest.mark.parametrize("late", [0, 1])
    def test_the_next_roll_is_due_after_its_time_or_at_once_if_that_has_passed(
        self, wait: str, every: int, late: int
    ) -> None:
        soon = self.waiting(wait, 1000, 1000 + every - 1)
        now = self.waiting(wait, 1000, 1000 + every + late)

        later, at_once = soon.do("Ug", wait, d6("1 2")), now.do("Ug", wait, d6("1 2"))

        assert (soon.named("Ug").timers, health(soon).due, others(later)) == ({wait: 1000 + every}, None, [])
        assert (now.named("Ug").timers, health(now).due) == ({}, 1000 + every)
        assert len(others(at_once)) == 1

    @pytest.mark.parametrize(("due", "is_made"), [(1000, False), (940, True), (1060, True)])
    def test_a_button_rolls_for_its_own_moment_only(self, due: int, is_made: bool) -> None:
        made = self.waiting("bleeding", 1000, 1100)

        if is_made:
            assert made.refused("Ug", "bleeding", due=due).what == "This roll has already been made."
        else:
            made.do("Ug", "bleeding", d6("1 2"), due=due)
            assert health(made).bleeding == 1

    @pytest.mark.rule("RPJ-GCS-34", "RPJ-GCS-40")
    @pytest.mark.parametrize(
        ("wait", "told", "rolls", "out"),
        [
            ("bleeding", "Ug bleeds: a roll is due.", 1, Out.INCAPACITATED),
            ("waking", "Ug is unconscious: a roll is due.", 1, Out.KNOCKED_OUT),
            ("sleeping", "Ug is back in action.", 0, Out.NO),
            ("weak", "Ug is back in action.", 0, Out.NO),
        ],
    )
    def test_what_is_due_is_announced_by_what_it_is_about(
        self, wait: str, told: str, rolls: int, out: Out
    ) -> None:
        made = self.waiting(wait, 1000, 1000)

        turned = timers_due(made.scene, [DueTimer(made.ids["Ug"], wait)])
        made.scene = turned.scene

        assert (turned.notes, len(turned.follow_ups)) == ((told,), rolls)
        assert (health(made).out, health(made).is_weak) == (out, False)
        assert wait not in made.named("Ug").timers

    @pytest.mark.parametrize("wait", ["bleeding", "waking"])
    def test_whoever_is_in_action_has_nothing_to_roll(self, wait: str) -> None:
        told = {"bleeding": "Ug isn't bleeding out.", "waking": "Ug isn't knocked out."}

        assert rpj_table().refused("Ug", wait).what == told[wait]

    @pytest.mark.parametrize("has_begun", [True, False])
    def test_only_those_in_a_fight_that_has_begun_wait_for_their_turn(self, has_begun: bool) -> None:
        made = rpj_table()
        made.do("Laeniel", "encounter.start", others=("Ogre",) if has_begun else ("Ug", "Ogre"))
        if has_begun:
            made.do("GM", "encounter.order", characters=("Laeniel", "Ogre"))
            made.do("GM", "encounter.next")
        made.change("Ug", health=DOWN["bleeding"])

        made.do("Ug", "bleeding", d6("1 2"))

        assert health(made).bleeding == 1
