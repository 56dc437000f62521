"""What everybody does in a fight, played under the ruleset whose order is nothing but agreed on."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bot.rules import rulesets
from bot.rules.kernel import Audience, CharacterId, EncounterView, PersonId, Ruleset, evolve
from bot.rules.kernel import tracker as keys
from bot.rules.kernel.dice import FairDice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.tracker import encounter_key
from bot.rules.shared.encounters import SHAPE, Combatant, Encounter, InTurn, hidden_in
from tests.rules.offers import GM
from tests.rules.playing import GameTable, lay_table
from tests.rules.rpj.combat.played.brawl import brawl, d6, fight, fighter, in_shape_1, labels
from tests.rules.sword_and_swarm.play import lay


@pytest.fixture
def table() -> GameTable:
    """Ash and Bram have gathered, and the Ogre with them."""
    laid = lay()
    laid.do("GM", keys.START, others=("Ash", "Bram", "Ogre"))
    return laid


def view(table: GameTable) -> EncounterView:
    tracker = table.game.tracker
    assert tracker is not None
    found = tracker.view(table.scene)
    assert found is not None
    return found


def order(table: GameTable) -> list[str]:
    """Everybody in their order; whoever is on stands in brackets."""
    return [f"[{line.name}]" if line.is_on else line.name for line in view(table).lines]


class TestGathering:
    def test_everybody_gathers_before_the_first_round(self, table: GameTable) -> None:
        assert (view(table).title, view(table).on) == ("Before round 1", "Waiting to start")
        assert order(table) == ["Ash", "Bram", "Ogre"]

    def test_a_channel_has_one_fight_at_a_time(self, table: GameTable) -> None:
        assert table.refused("Ash", keys.START).what == "There is already a fight in this channel."

    def test_whoever_starts_takes_part_and_others_join(self) -> None:
        table = lay()
        table.do("Ash", keys.START)
        table.do("Bram", keys.JOIN)

        assert order(table) == ["Ash", "Bram"]
        assert table.refused("Bram", keys.JOIN).what == "Bram is already in the fight."

    def test_a_player_cannot_bring_somebody_elses_character(self) -> None:
        table = lay()
        table.do("Ash", keys.START)

        assert table.refused("Ash", keys.JOIN, character="Bram").what == "Bram isn't your character."
        assert table.do("GM", keys.JOIN, character="Bram").headline == "brings Bram into the fight"

    def test_a_fight_needs_at_least_two_combatants(self) -> None:
        table = lay()
        table.do("Ash", keys.START)

        assert table.refused("Ash", keys.NEXT).what == "Nobody else has joined yet."

    def test_a_player_who_does_not_take_part_cannot_begin_the_first_round(self) -> None:
        table = lay()
        table.do("GM", keys.START, others=("Ash", "Ogre"))

        table.refused("Bram", keys.NEXT)
        assert not view(table).has_begun
        table.do("Ash", keys.NEXT)
        assert view(table).has_begun

    def test_fight_commands_without_a_fight_are_refused(self) -> None:
        table = lay()

        for key in (keys.JOIN, keys.NEXT, keys.DELAY, keys.LEAVE):
            assert table.refused("Ash", key).what == "There is no fight in this channel."
        assert table.game.tracker is not None
        assert table.game.tracker.view(table.scene) is None
        assert table.game.tracker.choices(table.scene) == ()


class TestTurns:
    def test_one_acts_after_the_other_and_then_a_new_round_begins(self, table: GameTable) -> None:
        table.do("Ash", keys.NEXT)
        assert order(table) == ["[Ash]", "Bram", "Ogre"]
        table.do("Ash", keys.NEXT)
        table.do("Bram", keys.NEXT)
        assert order(table) == ["Ash", "Bram", "[Ogre]"]
        table.do("GM", keys.NEXT)

        assert view(table).title == "Round 2"
        assert order(table) == ["[Ash]", "Bram", "Ogre"]

    def test_only_its_player_or_the_gm_ends_a_turn(self, table: GameTable) -> None:
        table.do("GM", keys.NEXT)

        refusal = table.refused("Bram", keys.NEXT)
        assert (refusal.what, refusal.allowed) == ("It is Ash's turn.", "Only its player or a GM can end it.")

    def test_a_button_ends_the_turn_it_was_made_for_and_no_other(self, table: GameTable) -> None:
        table.do("GM", keys.NEXT)
        assert table.game.tracker is not None
        button = table.game.tracker.choices(table.scene)[-1]
        assert button.label == "End turn"
        table.press("Ash", button)

        refusal = table.refused("GM", keys.NEXT, **button.options.model_dump())
        assert (refusal.what, refusal.allowed) == ("That turn is already over.", "It is Bram's turn.")

    def test_a_latecomer_acts_last(self) -> None:
        table = lay()
        table.do("GM", keys.START, others=("Ash", "Ogre"))
        table.do("GM", keys.NEXT)
        table.do("Bram", keys.JOIN)

        assert order(table) == ["[Ash]", "Ogre", "Bram"]


class TestLater:
    def test_the_acting_combatant_can_delay_behind_the_next(self, table: GameTable) -> None:
        table.do("GM", keys.NEXT)
        table.do("Ash", keys.DELAY)

        assert order(table) == ["[Bram]", "Ash", "Ogre"]

    def test_a_combatant_can_delay_behind_a_named_one(self, table: GameTable) -> None:
        table.do("GM", keys.NEXT)
        table.do("GM", keys.NEXT)
        table.do("Ash", keys.DELAY, after="Ogre")

        assert order(table) == ["[Bram]", "Ogre", "Ash"]

    def test_a_combatant_cannot_move_ahead_by_delaying(self, table: GameTable) -> None:
        assert (
            table.refused("Bram", keys.DELAY, after="Ash").what
            == "You can only delay to a later place in the order."
        )

    def test_the_turn_stays_when_the_gm_sets_the_order(self, table: GameTable) -> None:
        table.do("GM", keys.NEXT)
        table.do("GM", keys.ORDER, characters=("Ogre", "Bram"))

        assert order(table) == ["Ogre", "Bram", "[Ash]"]


class TestLeaving:
    def test_the_turn_passes_on_when_its_combatant_leaves(self, table: GameTable) -> None:
        table.do("GM", keys.NEXT)
        table.do("Ash", keys.LEAVE)

        assert order(table) == ["[Bram]", "Ogre"]

    def test_the_turn_stays_when_somebody_else_leaves(self, table: GameTable) -> None:
        table.do("GM", keys.NEXT)
        table.do("GM", keys.NEXT)
        table.do("Ash", keys.LEAVE)

        assert order(table) == ["[Bram]", "Ogre"]

    def test_the_last_one_cannot_leave(self, table: GameTable) -> None:
        table.do("GM", keys.NEXT)
        table.do("Ash", keys.LEAVE)
        table.do("Bram", keys.LEAVE)

        assert table.refused("GM", keys.LEAVE, character="Ogre").what == "Nobody would be left in the fight."

    def test_ending_a_fight_removes_it(self, table: GameTable) -> None:
        ended = table.do("GM", keys.END)

        assert ended.headline == "ends the fight before the first round"
        assert table.scene.document("encounter/7") is None


class TestHidden:
    def lay(self) -> GameTable:
        table = lay()
        table.do("GM", keys.START, others=("Ash", "Bram"))
        return table

    def test_a_hidden_combatant_has_no_turn_and_is_shown_to_the_gm_alone(self) -> None:
        table = self.lay()
        added = table.do("GM", keys.ADD, characters=("Ogre",), hidden=True)
        table.do("GM", keys.NEXT)
        table.do("Ash", keys.NEXT)
        table.do("Bram", keys.NEXT)

        assert not added.is_public
        assert order(table) == ["[Ash]", "Bram"]
        assert [line.name for line in view(table).hidden] == ["Ogre"]
        assert "Ogre" not in str(view(table).lines)

    def test_a_revealed_combatant_is_visible_to_everybody(self) -> None:
        table = self.lay()
        table.do("GM", keys.ADD, characters=("Ogre",), hidden=True)
        table.do("GM", keys.NEXT)
        revealed = table.do("GM", keys.REVEAL, character="Ogre")

        assert revealed.is_public
        assert order(table) == ["[Ash]", "Bram", "Ogre"]
        assert view(table).hidden == ()
        assert table.refused("GM", keys.REVEAL, character="Ogre").what == "Ogre isn't hidden in this fight."

    def test_a_hidden_combatant_leaves_unseen(self) -> None:
        table = self.lay()
        table.do("GM", keys.ADD, characters=("Ogre",), hidden=True)
        left = table.do("GM", keys.LEAVE, character="Ogre")

        assert not left.is_public
        assert view(table).hidden == ()

    def test_a_combatant_cannot_be_added_twice(self) -> None:
        table = self.lay()

        assert table.refused("GM", keys.ADD, characters=("Ash",)).what == "Ash is already in the fight."


class TestClosing:
    def test_an_end_lists_what_is_open_and_a_leaving_player_waits_for_it(self) -> None:
        table = brawl("Ogre")
        table.do("GM Ogre", "fight.attack", d6("5 5"), target="Ug")

        asked = table.do("GM", keys.END)

        assert asked.headline.startswith("can't end the fight yet: ")
        assert asked.is_public
        assert [one for one in labels(asked) if "and end" in one] == [
            "Settle it and end (GM)",
            "Waive it and end (GM)",
        ]
        refusal = table.refused("Ug", keys.LEAVE)
        assert refusal.what == "Ug can't leave yet."
        assert refusal.allowed.startswith("Still open: Ug")
        left = table.do("GM", keys.LEAVE, character="Ug")
        assert left.headline == "takes Ug out of the fight"

    def test_two_open_things_are_settled_or_waived_together_and_hidden_ones_are_the_gms(self) -> None:
        table = lay()
        table.settings(adv_attribute="ask")
        table.do("GM", keys.START, others=("Ash", "Bram"))
        for name in ("Ash", "Bram"):
            table.do(name, "test", "d6:5", attribute="Key", advantage=True)
        assert [one for one in labels(table.do("GM", keys.END)) if "and end" in one] == [
            "Settle all 2 and end (GM)",
            "Waive all 2 and end (GM)",
        ]
        table.scene = table.scene.with_character(replace(table.named("Bram"), is_hidden=True))

        assert not table.do("GM", keys.END).is_public


class TestSteps:
    def test_a_lone_starter_gathers_and_two_begin_at_once_if_told_to(self) -> None:
        for others, at_once, begun, steps in (
            ((), True, False, 0),  # alone there is no first round to begin
            (("Bram",), True, True, 1),
            (("Bram",), False, False, 1),
        ):
            table = lay()
            table.do("Ash", keys.START, others=others, at_once=at_once)
            assert view(table).has_begun is begun
            tracker = table.game.tracker
            assert tracker is not None
            assert len(tracker.turn_ends(table.scene)) == steps

    def test_a_turn_is_its_players_to_end_and_the_gms_if_the_player_is_gone(self, table: GameTable) -> None:
        table.do("GM", keys.NEXT)
        tracker = table.game.tracker
        assert tracker is not None
        (button,) = tracker.turn_ends(table.scene)

        assert (button.audience, button.character) == (Audience.OWNER, table.ids["Ash"])

    def test_whoever_leaves_says_so_and_the_gm_takes_out_others(self, table: GameTable) -> None:
        assert table.refused("Bram", keys.LEAVE, character="Ogre").what == "Ogre isn't your character."
        assert table.do("Bram", keys.LEAVE).headline == "leaves the fight"
        assert table.do("GM", keys.LEAVE, character="Ogre").headline == "takes Ogre out of the fight"
        assert table.refused("GM", keys.LEAVE, character="Ogre").what == "Ogre isn't in the fight."

    def test_a_hidden_combatant_is_no_secret_to_leave_by(self, table: GameTable) -> None:
        table.do("GM", keys.LEAVE, character="Bram")
        table.do("GM", keys.ADD, characters=("Bram",), hidden=True)

        assert table.refused("Bram", keys.LEAVE).what == "Bram isn't in the fight."

    def test_an_addition_is_public_unless_it_is_hidden_in_part(self, table: GameTable) -> None:
        table.do("GM", keys.LEAVE, character="Bram")
        table.do("GM", keys.LEAVE, character="Ogre")
        assert table.do("GM", keys.ADD, characters=("Bram",)).is_public
        table.do("GM", keys.LEAVE, character="Bram")
        table.scene = table.scene.with_character(replace(table.named("Ogre"), is_hidden=True))

        added = table.do("GM", keys.ADD, characters=("Bram", "Ogre"))

        assert not added.is_public
        assert order(table) == ["Ash", "Bram"]
        assert hidden_in(table.scene) == (table.ids["Ogre"],)


FOUR = tuple(Combatant(character=CharacterId(n), name=name) for n, name in enumerate("ABCD", 1))


def walk(*combatants: Combatant, turn: int = 0, round_: int = 1) -> InTurn[Combatant]:
    return InTurn[Combatant](combatants=combatants, round=round_, turn=turn)


class TestOrder:
    def test_the_turn_stays_with_whoever_has_it(self) -> None:
        second = walk(*FOUR, turn=1)

        assert second.without(CharacterId(1)).turn == 0
        assert second.without(CharacterId(4)).turn == 1
        assert second.without(CharacterId(2)).turn == 1  # the next one's
        assert walk(*FOUR, turn=3).without(CharacterId(4)).turn == 2
        assert walk(FOUR[0]).without(CharacterId(1)).turn == 0
        assert walk(*FOUR, round_=0).in_order(reversed(FOUR)).turn == 0
        assert second.in_order(reversed(FOUR)).turn == 2

    def test_others_stay_behind_those_who_are_put_in_order(self) -> None:
        shade = Combatant(character=CharacterId(9), name="Shade", is_hidden=True)
        kept = walk(shade, *FOUR)

        assert [one.name for one in kept.ordered(FOUR).combatants] == ["A", "B", "C", "D", "Shade"]
        assert kept.acting.name == "A"
        assert kept.ordered([evolve(shade, is_hidden=False)]).combatants[0].name == "Shade"

    @pytest.mark.parametrize(
        ("body", "turn", "round_", "why"),
        [
            ({"turn": 3, "round": 2}, 1, 2, "beyond the last of those whom everybody sees"),
            ({"turn": 1, "round": 2}, 1, 2, "as it was"),
            ({"turn": -2, "round": 2}, 0, 2, "before the first"),
            ({"turn": "x", "round": 2}, 0, 2, "no number"),
            ({}, 0, 0, "nothing is stored of it"),
            ({"turn": 0, "round": 2, "combatants": []}, 0, 0, "nobody is left"),
        ],
    )
    def test_a_broken_turn_is_mended(self, body: dict[str, object], turn: int, round_: int, why: str) -> None:
        rows = [FOUR[0], FOUR[1], FOUR[1], evolve(FOUR[2], is_hidden=True)]
        stored = {"combatants": [one.model_dump(mode="json") for one in rows], **body}

        mended = InTurn[Combatant].model_validate(InTurn[Combatant].mended(stored))

        assert (mended.turn, mended.round) == (turn, round_), why
        assert mended.contradiction() == ""

    def test_in_a_fight_without_turns_everybody_seen_is_on_once_it_has_begun(self) -> None:
        shade = Combatant(character=CharacterId(9), name="Shade", is_hidden=True)
        kept = Encounter[Combatant](combatants=(*FOUR, shade), round=1)

        assert kept.is_on(CharacterId(1))
        assert not kept.is_on(CharacterId(9))
        assert not kept.changed(round=0).is_on(CharacterId(1))


ANN, BEN, ORC = 1, 2, 7
OWN: dict[str, dict[str, Any]] = {
    "swim_class": {"values": [6, 4], "halves_used": 1},
    "compare_roll": {"side": "players", "moved": 2, "burn": 1},
    "post_magic_maid": {"card": "8♥", "drawn": 1, "bonus_dice": 2},
    "sword_and_swarm": {},
}
IN_TURN = {"swim_class", "post_magic_maid", "sword_and_swarm"}


@pytest.mark.parametrize("key", sorted(OWN))
def test_a_fight_stored_in_shape_1_is_read_whole(key: str) -> None:
    """Those who hid were a list of their own, without a name and without what they have left."""
    seats = [{"character": ANN, "name": "Ann", **OWN[key]}, {"character": BEN, "name": "Ben", **OWN[key]}]
    turn = {"turn": 1} if key in IN_TURN else {}
    stored = {"version": 4, "seats": seats, "lurking": [ORC], "round": 3, **turn}

    read = rulesets()[key].documents["encounter"].model_validate(stored)

    assert isinstance(read, Encounter)
    assert (read.shape, read.version, read.round) == (SHAPE, 4, 3)
    assert [(one.character, one.name, one.is_hidden) for one in read.combatants] == [
        (ANN, "Ann", False),
        (BEN, "Ben", False),
        (ORC, "", True),
    ]
    written = read.model_dump(mode="json")
    for one in written["combatants"][:2]:
        assert {field: one[field] for field in OWN[key]} == OWN[key]
    assert read.turn_key == {True: f"3/{BEN}", False: read.turn_key}[key in IN_TURN]
    assert "seats" not in written
    assert "lurking" not in written
    assert type(read).model_validate(written) == read


def test_an_rpj_fight_stored_in_shape_1_is_the_same_fight() -> None:
    """Everybody was there twice, with side, kind and round; most of the rest was a part of its own."""
    table = brawl("Ogre")
    table.do("GM", "fight.mooks", name="Goblin", count=2)
    table.do("GM Ogre", "fight.attack", d6("5 5"), target="Ug")
    kept = fight(table)
    stored = in_shape_1(kept)
    assert set(stored) == {
        *("version", "steps", "stances", "legends", "surprise"),
        *("round", "seats", "lurking", "fight"),
    }
    assert [one["name"] for one in stored["seats"]] == ["Laeniel", "Ug", "Ogre"]
    assert len(stored["fight"]["fighters"]) == 5
    assert [step["type"] for step in stored["steps"]] == ["saves"]

    assert type(kept).model_validate(stored) == kept


def test_an_rpj_fight_stored_in_shape_1_plays_on() -> None:
    table = brawl("Ogre")
    table.do("GM Ogre", "fight.attack", d6("5 5"), target="Ug")
    stored = in_shape_1(fight(table))
    stored["seats"][1]["saves_lost"] = 2
    table.scene = table.scene.with_document("encounter/7", type(fight(table)).model_validate(stored))

    assert fighter(table, "Ug").saves_lost == 2
    saved = table.do("Ug", "fight.save", d6("6 6"), target=f"c{table.ids['Ug']}")
    assert saved.verdict is not None
    assert saved.verdict.title == "saved"
    table.do("GM", "encounter.next")
    assert "seats" not in fight(table).model_dump()
    assert labels(table.do("GM", "encounter.end")) == []


def test_an_rpj_fight_with_a_turn_of_a_missing_combatant_is_repaired() -> None:
    table = brawl("Ug")
    body = fight(table).model_dump(mode="json")
    body |= {"usual": ["c9", "c1"], "together": ["c9"], "turn": "c9", "grapples": [{"a": "c9", "b": "c1"}]}

    mended = type(fight(table)).model_validate(type(fight(table)).mended(body))

    assert (mended.usual, mended.together, mended.grapples) == (("c1",), (), ())
    assert mended.turn == mended.order[0]


def test_whoever_is_taken_out_of_an_rpj_fight_in_a_shared_turn_leaves_it_to_the_other() -> None:
    kept = fight(brawl("Ug")).changed(together=("c1", "c2"), turn="c2")

    left = kept.without_fighter("c2")

    assert (left.turn, left.together) == ("c1", ("c1",))
    assert left.contradiction() == ""


# A game whose turns are made of steps of their own tests them itself.
TRACKED = ("compare_roll", "post_magic_maid", "swim_class", "sword_and_swarm")
NAMES = ("Ash", "Bram", "Cleo", "Ogre", "Wolf", "Wraith")
WHO = st.sampled_from(NAMES)
MOVES = st.one_of(
    st.tuples(st.just(keys.JOIN), st.builds(lambda who: {"character": who}, WHO)),
    st.tuples(
        st.just(keys.ADD),
        st.builds(lambda who, hidden: {"characters": (who,), "hidden": hidden}, WHO, st.booleans()),
    ),
    st.tuples(st.just(keys.NEXT), st.just({})),
    st.tuples(st.just(keys.NEXT), st.just({})),
    st.tuples(
        st.just(keys.DELAY), st.builds(lambda who, after: {"character": who, "after": after}, WHO, WHO)
    ),
    st.tuples(st.just(keys.LEAVE), st.builds(lambda who: {"character": who}, WHO)),
    st.tuples(st.just(keys.REVEAL), st.builds(lambda who: {"character": who}, WHO)),
    st.tuples(st.just(keys.ORDER), st.builds(lambda who: {"characters": (who,)}, WHO)),
    st.tuples(st.just("retire"), st.builds(lambda who: {"character": who}, WHO)),
    st.tuples(st.just("press"), st.integers(0, 5)),
)


def lay_game(game: Ruleset) -> GameTable:
    sheets = list(game.creation.ready_made.values())
    npc = game.creation.npc()
    return lay_table(game, dict(zip(NAMES[:3], sheets, strict=False)), dict.fromkeys(NAMES[3:], npc))


def try_it(table: GameTable, key: str, options: dict[str, object], number: int) -> None:
    """Do something as the GM, who may do everything; what is not allowed changes nothing."""
    procedure = table.game.procedures[key]
    given_ = {
        name: table.ids[value]
        if isinstance(value, str) and value in table.ids
        else tuple(table.ids[one] for one in value)
        if isinstance(value, tuple)
        else value
        for name, value in options.items()
    }
    before = replace(table.scene, is_gm=True, person=GM, actor_id=None, moment=str(number))
    try:
        outcome = procedure.run(
            before, procedure.options.model_validate(given_), FairDice(b"s" * 32, str(number))
        )
    except UserError:
        return
    table.scene = outcome.scene


def retire(table: GameTable, name: str) -> None:
    gone, before = table.ids[name], table.scene.find_character

    def find(id_: CharacterId) -> object:
        if id_ == gone:
            raise UserError("There is no such character here.")
        return before(id_)

    kept = {id_: one for id_, one in table.scene.characters.items() if id_ != gone}
    table.scene = replace(table.scene, find_character=find, characters=kept)


def press(table: GameTable, place: int, number: int) -> None:
    """Press one of the buttons that the board offers."""
    assert table.game.tracker is not None
    offered = [one for one in table.game.tracker.choices(table.scene) if not one.choices]
    if not offered:
        return
    one = offered[place % len(offered)]
    procedure = table.game.procedures[one.procedure]
    scene = replace(table.scene, is_gm=True, person=PersonId(99), actor_id=one.character, moment=str(number))
    try:
        table.scene = procedure.run(scene, one.options, FairDice(b"s" * 32, str(number))).scene
    except UserError:
        return


def holds(table: GameTable) -> None:
    """What always holds."""
    tracker, kept = table.game.tracker, table.scene.document(encounter_key(table.scene.channel))
    assert tracker is not None
    assert isinstance(kept, Encounter)
    seated = [seat.character for seat in kept.shown]
    assert len(set(seated)) == len(seated)
    assert not set(seated) & {one.character for one in kept.hidden}
    if isinstance(kept, InTurn):
        assert kept.turn < max(1, len(seated))
    view = tracker.view(table.scene)
    assert view is not None
    assert [line.character for line in view.lines] == seated
    hidden = [line.name for line in view.hidden]
    offered = tracker.choices(table.scene)
    assert all(one in offered for one in tracker.turn_ends(table.scene))
    told = repr((view.title, view.on, view.lines, view.notes, offered))
    assert not [name for name in hidden if f"'{name}'" in told]
    assert type(kept).model_validate_json(kept.model_dump_json()) == kept


@pytest.mark.parametrize("key", TRACKED)
@given(moves=st.lists(MOVES, max_size=25))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_sequence_of_actions_keeps_one_place_each_and_hides_the_hidden(
    key: str, moves: list[tuple[str, object]]
) -> None:
    table = lay_game(rulesets()[key])
    try_it(table, keys.START, {"others": ()}, 0)
    for name in NAMES[:2]:
        try_it(table, keys.JOIN, {"character": name}, 1)
    for number, (what, options) in enumerate(moves, 2):
        if what == "retire" and isinstance(options, dict):
            retire(table, options["character"])
        elif what == "press" and isinstance(options, int):
            press(table, options, number)
        elif isinstance(options, dict):
            try_it(table, what, options, number)
        holds(table)


@pytest.mark.parametrize("key", TRACKED)
def test_the_gm_can_end_the_turn_of_somebody_who_left_the_campaign(key: str) -> None:
    table = lay_game(rulesets()[key])
    try_it(table, keys.START, {"others": ("Ash", "Bram", "Cleo")}, 0)
    try_it(table, keys.NEXT, {}, 1)
    tracker = table.game.tracker
    assert tracker is not None
    before = tracker.view(table.scene)
    assert before is not None
    on = next(line.name for line in before.lines if line.is_on)
    retire(table, on)
    next_ones = [one for one in tracker.choices(table.scene) if one.procedure == keys.NEXT]
    assert [one.character for one in next_ones] == [None]
    try_it(table, keys.NEXT, {}, 2)

    after = tracker.view(table.scene)
    assert after is not None
    assert after.turn != before.turn
    assert ("gone",) in [line.facts for line in after.lines]
