"""What always holds of a fight, whatever the game and whatever everybody does."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.rules import rulesets
from bot.rules.kernel import CharacterId, PersonId, Ruleset
from bot.rules.kernel import tracker as keys
from bot.rules.kernel.dice import FairDice
from bot.rules.kernel.errors import UserError
from bot.rules.kernel.tracker import encounter_key
from bot.rules.shared.encounters import Encounter, InTurn
from tests.rules.gm_buttons import GM
from tests.rules.playing import GameTable, lay_table

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


def lay(game: Ruleset) -> GameTable:
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
    table.scene = replace(table.scene, find_character=find, characters=kept)  # type: ignore[arg-type]  # as above


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
    table = lay(rulesets()[key])
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
    table = lay(rulesets()[key])
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
