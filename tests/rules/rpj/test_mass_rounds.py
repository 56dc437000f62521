"""Rounds of a battle at the table: rolls, morale, exits, the wounded, and a fight beside it."""

from typing import Any

import pytest

from bot.rules.rpj.character.damage_saves import base_layer
from bot.rules.rpj.character.sheet import figure_in
from bot.rules.rpj.mass_battle import RpjStatus
from bot.rules.rpj.module.defense_layers import Out, RpjHealth
from tests.rules.rpj.table import (
    breaks,
    button,
    d6,
    field,
    kept,
    labels,
    labels_of,
    markers,
    modifiers,
    others,
    rpj_table,
    seen,
    title,
)


class TestBattleRounds:
    @pytest.mark.rule("RPJ-MASS-12", "RPJ-MASS-13", "RPJ-MASS-04", "RPJ-MASS-05")
    def test_degrees_cost_markers_and_the_next_round_starts_without_modifiers(self) -> None:
        table = field(60, 60)
        rolled = table.do("GM", "mass.round", d6("5 4 1 2 4 4"))
        assert rolled.notes == ("Markers: Heroes 10 → 10; Rebels 10 → 8, morale holds.",)
        assert [
            (roll.roller.name, roll.purpose, roll.total, roll.against) for roll in rolled.rolls if roll.roller
        ] == [
            ("Heroes", "battle", 9, "7+"),
            ("Rebels", "battle", 3, "7+"),
            ("Rebels", "morale", 8, "5+"),
        ]
        assert (title(rolled), rolled.gathering) == ("round 2 starts", kept(table).key)
        assert modifiers(table) == [2, -2]

    @pytest.mark.rule("RPJ-MASS-12")
    def test_criticals_in_battle_rolls_count_whatever_the_modifier(self) -> None:
        table = field(7, 60)
        rolled = table.do("GM", "mass.round", d6("6 6 1 1 5 5"))
        assert rolled.notes == ("Markers: Heroes 2 → 2; Rebels 10 → 9, morale holds.",)

    @pytest.mark.rule("RPJ-MASS-13", "RPJ-MASS-15", "RPJ-MASS-16")
    def test_a_side_that_fails_morale_is_routed_and_loses_one_more_marker(self) -> None:
        table = field()
        ended = table.do("GM", "mass.round", d6("6 5 1 1 1 2"))
        assert ended.notes == ("Markers: Heroes 7 → 7, victorious; Rebels 10 → 8, morale fails, routed.",)
        assert [side.status for side in kept(table).battle.sides] == [RpjStatus.VICTORIOUS, RpjStatus.ROUTED]
        assert (title(ended), others(ended)) == ("victory for Heroes", ["Roll for the wounded (GM)"])

    @pytest.mark.rule("RPJ-MASS-14")
    def test_a_retreating_side_takes_its_losses_and_leaves_without_morale(self) -> None:
        table = field(60, 60)
        table.do("GM", "mass.retreat", side="Heroes")
        assert "retreats at the end" in seen(table).lines[0]
        ended = table.do("GM", "mass.round", d6("6 4"))
        assert ended.notes == ("Markers: Heroes 10 → 7, retreated; Rebels 10 → 10, victorious.",)

    @pytest.mark.rule("RPJ-MASS-14", "RPJ-MASS-16")
    def test_nobody_rolls_or_wins_when_both_sides_retreat(self) -> None:
        table = field()
        for side in ("Heroes", "Rebels"):
            table.do("GM", "mass.retreat", side=side)
        ended = table.do("GM", "mass.round")
        assert (ended.rolls, title(ended)) == ((), "nobody wins")

    @pytest.mark.rule("RPJ-MASS-14")
    def test_a_retreat_can_be_called_off(self) -> None:
        table = field()
        table.do("GM", "mass.retreat", side="Heroes")
        assert table.do("GM", "mass.retreat", side="Heroes").headline == "orders Heroes to stay"

    @pytest.mark.rule("RPJ-MASS-16")
    def test_both_sides_lose_when_both_are_wiped_out(self) -> None:
        table = field(60, 60)
        for side in ("Heroes", "Rebels"):
            table.do("GM", "mass.kills", side=side, count=54)
        ended = table.do("GM", "mass.round", d6("6 4 6 4"))
        assert title(ended) == "both lose"

    @pytest.mark.rule("RPJ-MASS-04")
    def test_a_battle_round_is_rolled_only_once(self) -> None:
        table = field(60, 60)
        first = button(seen(table), "Roll round 1")
        table.press("GM", first, d6("1 2 1 2"))
        refused = table.refused("GM", first.procedure, **first.options.model_dump())
        assert refused.what == "That round is already over."

    @pytest.mark.rule("RPJ-MASS-04")
    def test_the_battle_board_has_buttons_for_what_is_left_to_do(self) -> None:
        table = field()
        assert labels_of(seen(table)) == [
            "Command Heroes with …",
            "Fight for Heroes with …",
            "Roll round 1 (GM)",
        ]
        table.do("Ug", "mass.command", d6("4 3"), skill="Command")
        view = seen(table)
        assert [part.who for part in view.parts] == ["Ug"]
        assert labels_of(view) == ["Fight for Heroes with …", "Roll round 1 (GM)"]


class TestAftermath:
    @pytest.mark.rule("RPJ-MASS-17", "RPJ-MASS-18")
    @pytest.mark.parametrize(
        ("faces", "lost"),
        [
            ("3 2 6 5", "1 for good; 6 dead, lost or captured, 6 wounded"),  # the book's example
            ("3 2 2 1", "2 for good; 12 dead, lost or captured, 0 wounded"),
        ],
    )
    def test_each_lost_marker_is_rolled_for(self, faces: str, lost: str) -> None:
        table = field(60, 60)
        table.do("GM", "mass.kills", side="Rebels", count=6)
        ended = table.do("GM", "mass.round", d6("1 2 1 2 1 2"))
        assert ended.notes == ("Markers: Heroes 10 → 10, victorious; Rebels 9 → 8, morale fails, routed.",)
        counted = table.press("GM", ended.follow_ups[0], d6(faces))
        assert counted.notes[1] == f"Rebels, routed: 2 markers lost, {lost}."
        assert (
            table.refused("GM", "mass.aftermath").what
            == "The wounded of this battle have already been rolled."
        )

    @pytest.mark.rule("RPJ-MASS-17")
    def test_a_battle_still_going_on_has_no_aftermath(self) -> None:
        assert field().refused("GM", "mass.aftermath").what == "The battle isn't over yet."

    @pytest.mark.rule("RPJ-MASS-16")
    def test_the_gm_can_end_a_battle_by_command(self) -> None:
        table = field()
        table.do("GM", "mass.end")
        assert "There is no battle" in table.refused("GM", "mass.show").what


class TestBattleBesideAFight:
    @pytest.mark.rule("RPJ-MASS-08")
    def test_single_kills_add_up_to_a_lost_marker(self) -> None:
        table = field(60, 40)
        told = [table.do("GM", "mass.kills", side="Rebels", count=count).notes for count in (5, 1, 5, 6)]
        assert told == [
            (),
            ("Rebels: markers 7 → 6.",),
            ("Rebels: markers 6 → 5.",),
            ("Rebels: markers 5 → 4.",),
        ]

    @pytest.mark.rule("RPJ-MASS-19", "RPJ-MASS-08")
    def test_a_battle_round_is_offered_after_the_fights_round_and_counts_its_fallen(self) -> None:
        table = rpj_table(mass_combat=True)
        table.do("Laeniel", "encounter.start", others=("Ug", "Ogre"))
        table.do("GM", "fight.mooks", name="Goblin", count=6, attack=3, defense=7, damage=1)
        sides = {"own": "Us", "own_people": 60, "enemy": "Them", "enemy_people": 60}
        table.do("GM", "mass.start", **sides, mode="integrated", officers=True, playable=True)
        order = tuple(table.ids[name] for name in ("Laeniel", "Ug", "Ogre"))
        table.do("GM", "encounter.order", characters=order)
        table.do("GM", "encounter.next")
        refused = table.refused("Laeniel", "mass.contribute", skill="Archery")
        assert refused.what == "You take turns in the fight, so you can't contribute to the battle too."
        for who in ("Laeniel", "Ug", "GM"):
            assert "Roll round" not in " ".join(labels(table.do(who, "encounter.next")))
        after = table.do("GM", "encounter.next")
        assert "Roll round 1, after the fight's (GM)" in labels(after)

    @pytest.mark.rule("RPJ-MASS-19")
    def test_a_battle_round_is_offered_where_whoever_acts_last_is_passed_over(self) -> None:
        table = rpj_table(mass_combat=True)
        table.change("Ogre", health=RpjHealth(out=Out.KNOCKED_OUT))
        table.do("Laeniel", "encounter.start", others=("Ug", "Ogre"))
        sides = {"own": "Us", "own_people": 60, "enemy": "Them", "enemy_people": 60}
        table.do("GM", "mass.start", **sides, mode="integrated", officers=True, playable=True)
        order = tuple(table.ids[name] for name in ("Laeniel", "Ug", "Ogre"))
        table.do("GM", "encounter.order", characters=order)
        table.do("GM", "encounter.next")
        table.do("Laeniel", "encounter.next")

        after = table.do("Ug", "encounter.next")

        assert after.notes[0] == "Round 2 starts."
        assert labels(after) == ["Roll round 1, after the fight's (GM)"]

    @pytest.mark.rule("RPJ-MASS-08", "RPJ-MASS-19")
    def test_mooks_that_fall_in_the_fight_count_once_in_the_battle(self) -> None:
        table = rpj_table(mass_combat=True)
        table.change("Laeniel", belongings=("bow",))
        table.do("Laeniel", "encounter.start", others=("Ogre",))
        table.do("GM", "fight.mooks", name="Goblin", count=3, attack=3, defense=7, damage=1, region="2")
        sides = {"own": "Us", "own_people": 60, "enemy": "Them", "enemy_people": 60}
        table.do("GM", "mass.start", **sides, mode="integrated", officers=True, playable=True)
        order = tuple(table.ids[name] for name in ("Laeniel", "Ogre"))
        table.do("GM", "encounter.order", characters=order)
        table.do("GM", "encounter.next")
        for _ in range(2):
            table.do("Laeniel", "fight.attack", d6("5 5"), target="Goblin")
        assert markers(table) == [10, 10]
        table.do("GM", "mass.round", d6("1 2 1 2"))
        assert (kept(table).felled, kept(table).battle.sides[1].kills) == ((0, 2), 2)
        table.do("GM", "mass.round", d6("1 2 1 2"))
        assert kept(table).battle.sides[1].kills == 2


class TestStartOfABattle:
    @pytest.mark.rule("RPJ-MASS-02", "RPJ-MASS-05")
    @pytest.mark.parametrize(
        ("own", "enemy", "told"),
        [(40, 60, [7, 10]), (60, 60, [10, 10]), (31, 60, [6, 10]), (54, 60, [9, 10])],
    )
    def test_the_stronger_side_has_ten_markers(self, own: int, enemy: int, told: list[int]) -> None:
        assert markers(field(own, enemy)) == told

    @pytest.mark.rule("RPJ-MASS-02")
    def test_the_gm_weighs_equipment_at_the_start_of_a_battle(self) -> None:
        weighed = field().do("GM", "mass.side", side="heroes", gear=200)
        assert weighed.headline == "sets the sides' markers: Heroes 10 and Rebels 8"

    @pytest.mark.rule("RPJ-MASS-02", "RPJ-MASS-03")
    @pytest.mark.parametrize(
        ("who", "procedure", "faces", "options"),
        [
            ("Laeniel", "mass.contribute", "1 2", {"skill": "Archery"}),
            ("Ug", "mass.command", "4 3", {"skill": "Command"}),
            ("GM", "mass.round", "6 6 1 1 5 5", {}),
        ],
    )
    def test_nobody_surrenders_or_weighs_equipment_after_the_first_action_of_a_battle(
        self, who: str, procedure: str, faces: str, options: dict[str, str]
    ) -> None:
        table = field(50, 600)
        assert "surrender" in " ".join(labels_of(seen(table)))
        table.do(who, procedure, d6(faces), **options)
        refused = table.refused("GM", "mass.side", side="Heroes", gear=300)
        assert refused.what == "You can't change a side's strength once the battle has started."
        assert "surrender" not in " ".join(labels_of(seen(table)))

    @pytest.mark.rule("RPJ-MASS-01")
    def test_a_battle_of_very_few_people_comes_with_a_warning(self) -> None:
        table = rpj_table(mass_combat=True)
        begun = table.do("GM", "mass.start", own="Us", own_people=4, enemy="Orcs", enemy_people=5)
        assert begun.notes == ("With so few people, an ordinary fight would do.",)
        assert field().refused("GM", "mass.start", own="A", own_people=1, enemy="B", enemy_people=1).what == (
            "There is already a battle in this channel."
        )

    @pytest.mark.rule("RPJ-MASS-01")
    def test_a_battle_beside_a_fight_needs_officers_and_a_playable_part(self) -> None:
        table = rpj_table(mass_combat=True)
        sides = {"own": "Us", "own_people": 44, "enemy": "Them", "enemy_people": 62, "mode": "integrated"}
        assert (
            table.refused("GM", "mass.start", **sides).allowed
            == "Set officers and playable, or use mode independent."
        )
        table.do("GM", "mass.start", **sides, officers=True, playable=True)
        assert labels_of(seen(table))[-1] == "Roll round 1, after the fight's (GM)"

    @pytest.mark.rule("RPJ-MASS-03")
    def test_hopeless_odds_offer_surrender(self) -> None:
        table = field(5, 60)
        assert "Heroes: surrender (GM)" in labels_of(seen(table))
        given_up = table.press("GM", button(seen(table), "surrender"))
        assert given_up.headline == "lets Heroes surrender"
        assert "There is no battle" in table.refused("GM", "mass.round").what
        assert "surrender" not in " ".join(labels_of(seen(field(7, 60))))

    @pytest.mark.rule("RPJ-MASS-01")
    def test_a_campaign_without_mass_combat_refuses_its_commands(self) -> None:
        table = rpj_table()
        refused = table.refused("Laeniel", "mass.contribute", skill="Archery")
        assert refused.what == "This campaign doesn't use Mass combat."


class TestBattleBoard:
    @pytest.mark.rule("RPJ-MASS-04", "RPJ-MASS-07")
    def test_the_battle_board_shows_bars_and_every_part_of_the_modifier(self) -> None:
        table = field()
        table.do("GM", "mass.works", attacker="Heroes", size=2)
        assert seen(table).lines == (
            "Heroes ◼◼◼◼◼◼◼ 7 of 7 · −5 (−3 numbers −2 fortifications)",
            "Rebels ◼◼◼◼◼◼◼◼◼◼ 10 of 10 · +4 (+3 numbers +1 fortifications)",
        )

    @pytest.mark.rule("RPJ-MASS-07")
    @pytest.mark.parametrize(("size", "defense"), [(1, 3), (2, 4), (3, 4), (4, 5), (6, 6)])
    def test_defenders_gain_half_of_the_fortifications(self, size: int, defense: int) -> None:
        table = field()
        table.do("GM", "mass.works", attacker="Heroes", size=size)
        assert modifiers(table) == [-3 - size, defense]

    @pytest.mark.rule("RPJ-MASS-06", "RPJ-MASS-10", "RPJ-MASS-04", "RPJ-MASS-12")
    def test_the_books_example_of_a_battle_round_comes_out_right(self) -> None:
        table = field()
        table.do("GM", "mass.works", attacker="Heroes", size=1)
        led = table.do("Ug", "mass.command", d6("6 5"), skill="Command")
        assert (led.rolls[0].against, led.rolls[0].total) == ("10+", 11)
        fought = table.do("Laeniel", "mass.contribute", d6("6 3"), skill="Archery")
        assert (fought.rolls[0].against, fought.rolls[0].total) == ("13+", 15)
        assert others(fought)[:2] == ["Heroes +2", "Rebels −2"]
        table.press("Laeniel", button(fought, "Rebels"))
        assert modifiers(table) == [-3 + 1 - 1, 3 - 2]
        rolled = table.do("GM", "mass.round", d6("6 4 3 2"))
        assert rolled.notes == ("Markers: Heroes 7 → 7; Rebels 10 → 10.",)
        assert [roll.total for roll in rolled.rolls] == [7, 6]


class TestCommanding:
    @pytest.mark.rule("RPJ-MASS-06")
    def test_a_side_has_one_command_check_per_round_and_a_failed_one_costs_nothing(self) -> None:
        table = field()
        table.do("Ug", "mass.command", d6("4 3"), skill="Command")
        assert modifiers(table) == [-3, 3]
        refused = table.refused("Laeniel", "mass.command", skill="Command")
        assert refused.what == "Heroes have already had a command check this round."

    @pytest.mark.rule("RPJ-MASS-06")
    def test_the_enemy_can_have_a_commander_who_also_contributes(self) -> None:
        table = field(60, 40)
        table.do("Ug", "mass.command", d6("4 3"), skill="Command")
        table.do("GM Ogre", "mass.command", d6("6 5"), skill="Command", side="Rebels")
        fought = table.do("GM Ogre", "mass.contribute", d6("6 6"), skill="Blunt Weapons", side="Rebels")
        shared = table.do("GM Ogre", "mass.share", to_enemy=True)
        assert [deed.place for deed in (*kept(table).commands, *kept(table).contributions)] == [0, 1, 1]
        assert (fought.rolls[0].against, shared.headline) == ("13+", "uses the success: −2 for Heroes")

    @pytest.mark.rule("RPJ-MASS-06", "RPJ-MASS-12")
    def test_a_lucky_break_rescues_a_failed_command_check(self) -> None:
        table = field()
        failed = table.do("Ug", "mass.command", d6("4 4"), skill="Command")
        assert failed.paid is not None
        table.scene = failed.paid
        table.press("Ug", button(failed, "Lucky Break"), d6("6"))
        assert breaks(table, "Ug") == 1
        assert [deed.degrees for deed in kept(table).commands] == [0]

    @pytest.mark.rule("RPJ-MASS-06")
    def test_commanding_with_another_skill_needs_the_gms_approval(self) -> None:
        table = field()
        asked = table.do("Ug", "mass.command", skill="Intimidate")
        assert (asked.rolls, labels(asked)) == ((), ["Allow Intimidate (GM)"])
        table.press("GM Ug", asked.follow_ups[0], d6("6 3"))
        assert modifiers(table) == [0, 3]


class TestContributing:
    @pytest.mark.rule("RPJ-MASS-09")
    @pytest.mark.parametrize(
        ("own", "enemy", "against"), [(40, 60, "13+"), (60, 40, "10+"), (60, 60, "10+"), (1, 60, "19+")]
    )
    def test_contributing_is_harder_for_an_outnumbered_side(self, own: int, enemy: int, against: str) -> None:
        rolled = field(own, enemy).do("Laeniel", "mass.contribute", d6("1 2"), skill="Archery")
        assert rolled.rolls[0].against == against

    @pytest.mark.rule("RPJ-MASS-09")
    def test_a_character_contributes_once_per_round_and_other_skills_need_approval(self) -> None:
        table = field()
        asked = table.do("Ug", "mass.contribute", skill="Intimidate")
        assert labels(asked) == ["Allow Intimidate (GM)"]
        table.press("GM Ug", asked.follow_ups[0], d6("1 2"))
        refused = table.refused("Ug", "mass.contribute", skill="Blunt Weapons")
        assert refused.what == "You can contribute once per round, and not in a round when you take turns."

    @pytest.mark.rule("RPJ-MASS-10")
    def test_the_player_chooses_once_where_a_successful_contribution_counts(self) -> None:
        table = field(60, 60)
        fought = table.do("Laeniel", "mass.contribute", d6("6 3"), skill="Archery")
        table.press("Laeniel", button(fought, "Heroes +5"))
        assert modifiers(table) == [5, 0]
        refused = table.refused("Laeniel", "mass.share", to_enemy=True)
        assert refused.what == "You have already chosen where your success counts."

    @pytest.mark.rule("RPJ-MASS-10")
    def test_a_contribution_that_just_succeeds_changes_nothing(self) -> None:
        fought = field(60, 60).do("Laeniel", "mass.contribute", d6("3 1"), skill="Archery")
        assert fought.rolls[0].total == 10
        assert [one for one in others(fought) if "Heroes" in one] == []

    @pytest.mark.rule("RPJ-MASS-11")
    def test_a_failed_contribution_costs_the_next_save_without_a_roll(self) -> None:
        table = field()
        table.change("Laeniel", belongings=("leather",))
        failed = table.do("Laeniel", "mass.contribute", d6("1 2"), skill="Archery")
        lost = table.named("Laeniel").sheet.health.layers[0]
        assert (
            failed.notes[0] == f"Laeniel loses a {lost.name} save ({lost.saves[0].target}+) without a roll."
        )
        assert lost.saves[0].is_lost

    @pytest.mark.rule("RPJ-MASS-11")
    def test_a_character_who_loses_the_last_save_in_a_battle_contributes_no_more(self) -> None:
        table = field()
        laeniel = figure_in(table.scene, table.named("Laeniel"))
        saves = len(base_layer(laeniel).saves)
        table.change("Laeniel", health={"lost_base": (7,) * (saves - 1)})
        table.do("Laeniel", "mass.contribute", d6("1 2"), skill="Archery")
        assert table.named("Laeniel").sheet.health.out is Out.INCAPACITATED
        refused = table.refused("Laeniel", "mass.command", skill="Command")
        assert refused.what == "Laeniel is incapacitated and can't act in this battle."

    @pytest.mark.rule("RPJ-MASS-11", "RPJ-MASS-12")
    def test_a_lucky_break_rescues_a_failed_contribution_and_restores_the_save(self) -> None:
        table = field(60, 60)
        failed = table.do("Laeniel", "mass.contribute", d6("1 2"), skill="Archery")
        assert table.named("Laeniel").sheet.health.lost_base == (7,)
        assert failed.paid is not None
        table.scene = failed.paid
        turned = table.press("Laeniel", button(failed, "Lucky Break"), d6("6"))
        assert table.named("Laeniel").sheet.health.lost_base == ()
        assert (turned.rolls[0].total, others(turned)[:2]) == (14, ["Heroes +4", "Rebels −4"])

    @pytest.mark.rule("RPJ-MASS-11")
    @pytest.mark.parametrize(("loaded", "left"), [(3, 1), (1, 0), (0, 4)])
    def test_a_contribution_uses_ammunition_for_two_attacks(self, loaded: int, left: int) -> None:
        table = field(fire_and_movement=True, module="science_fiction")
        weapon = next(
            one
            for one in figure_in(table.scene, table.named("Ug")).module.weapons
            if one.ammunition is not None and one.ammunition.capacity >= 4
        )
        assert weapon.ammunition is not None
        skill = figure_in(table.scene, table.named("Ug")).known_skill(weapon.skill).name
        table.change("Ug", belongings=(weapon.id,), ammunition={weapon.id: {"loaded": loaded}})
        table.do("Ug", "mass.contribute", d6("1 2"), skill=skill)
        spent = table.named("Ug").sheet.ammunition[weapon.id]
        wanted = left if loaded else weapon.ammunition.capacity - 2
        assert (spent.loaded, spent.uses) == (wanted, 2)


@pytest.mark.rule("RPJ-MASS-06", "RPJ-MASS-07", "RPJ-MASS-08", "RPJ-MASS-09", "RPJ-MASS-10", "RPJ-MASS-11")
class TestWhatIsTold:
    @pytest.mark.parametrize(
        ("who", "command", "fall", "options", "headline", "notes", "buttons"),
        [
            ("Laeniel", "command", "6 5", {}, "commands Heroes with Command", (), []),
            (
                "Ug",
                "contribute",
                "6 5",
                {},
                "fights for Heroes with Blunt Weapons",
                (),
                ["Heroes +4", "Rebels −4"],
            ),
            (
                "Ug",
                "contribute",
                "6 5",
                {"side": "Rebels"},
                "fights for Rebels with Blunt Weapons",
                (),
                ["Rebels +7", "Heroes −7"],
            ),
            (
                "Laeniel",
                "contribute",
                "1 2",
                {},
                "fights for Heroes with Archery",
                ("Laeniel loses a Base save (7+) without a roll.",),
                [],
            ),
            (
                "GM",
                "works",
                "",
                {"attacker": "Heroes", "size": 3},
                "sets fortifications of strength 3: Heroes attack",
                (),
                [],
            ),
            (
                "GM",
                "kills",
                "",
                {"side": "Rebels", "count": 7},
                "counts 7 of Rebels as out of action",
                ("Rebels: markers 10 → 9.",),
                [],
            ),
            (
                "GM",
                "kills",
                "",
                {"side": "Rebels", "count": 5},
                "counts 5 of Rebels as out of action",
                (),
                [],
            ),
        ],
    )
    def test_each_command_tells_what_it_changes(
        self,
        who: str,
        command: str,
        fall: str,
        options: dict[str, Any],
        headline: str,
        notes: tuple[str, ...],
        buttons: list[str],
    ) -> None:
        done = field(40, 60).do(who, f"mass.{command}", d6(fall) if fall else "", **options)

        assert (done.headline, done.notes) == (headline, notes)
        assert [one.label for one in done.follow_ups if "Lucky" not in one.label] == buttons

    @pytest.mark.parametrize(("to_enemy", "told"), [(True, "−4 for Rebels"), (False, "+4 for Heroes")])
    def test_a_success_counts_once_where_its_player_says(self, to_enemy: bool, told: str) -> None:
        table = field(40, 60)
        assert (
            table.refused("Ug", "mass.share", to_enemy=to_enemy).what
            == "You have no success this round to use."
        )
        table.do("Ug", "mass.contribute", d6("6 5"))

        done = table.do("Ug", "mass.share", to_enemy=to_enemy)

        assert done.headline == f"uses the success: {told}"
        again = table.refused("Ug", "mass.share", to_enemy=not to_enemy)
        assert again.what == "You have already chosen where your success counts."

    def test_a_failed_contribution_has_nothing_to_share(self) -> None:
        table = field(40, 60)
        before = modifiers(table)
        table.do("Laeniel", "mass.contribute", d6("1 2"))

        assert modifiers(table) == before

        assert (
            table.refused("Laeniel", "mass.share", to_enemy=True).what
            == "You have no success this round to use."
        )


@pytest.mark.rule("RPJ-MASS-14", "RPJ-MASS-16", "RPJ-MASS-17")
@pytest.mark.parametrize(
    ("who", "command", "options"),
    [
        ("Laeniel", "mass.command", {}),
        ("Ug", "mass.contribute", {}),
        ("GM", "mass.round", {}),
        ("GM", "mass.kills", {"side": "Rebels", "count": 1}),
        ("GM", "mass.works", {"attacker": "Heroes", "size": 1}),
        ("GM", "mass.retreat", {"side": "Rebels"}),
    ],
)
@pytest.mark.parametrize("is_closed", [False, True])
def test_nothing_more_is_done_in_a_battle_that_is_over(
    who: str, command: str, options: dict[str, Any], is_closed: bool
) -> None:
    table = field(40, 40)
    table.do("GM", "mass.retreat", side="Heroes")
    table.do("GM", "mass.round", d6("1 2"))
    assert kept(table).battle.is_over
    if is_closed:
        table.do("GM", "mass.aftermath")

    assert table.refused(who, command, **options).what == "The battle is over."
