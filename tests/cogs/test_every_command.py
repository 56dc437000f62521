"""Every command of every game, with what fits and with hostile texts; and every refusal has a reason."""

import json
import re
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import app_commands
from msgspec.structs import replace

from bot.rules import rulesets
from bot.rules.kernel.errors import UserError, UserErrors
from bot.rules.rpj import RULESET
from bot.table.campaigns.campaign_settings import setting_choices
from bot.table.characters import character_files
from bot.ui.input.answer import mistake_reply
from bot.ui.replies.result_replies import result_reply
from tests.cogs.desk import Desk, Sent, open_desk
from tests.cogs.played import Play, get_up, sit_down
from tests.cogs.test_character import GAMES as SHOWN
from tests.cogs.test_hidden_foes import Ambush, lay
from tests.e2e.test_hostile import HOSTILE, INVISIBLE, MARKUP, RAW
from tests.readme import leaves
from tests.table.conftest import Person

GAMES = rulesets()
Command = app_commands.Command[Any, ..., Any]
PLAIN: dict[discord.AppCommandOptionType, object] = {
    discord.AppCommandOptionType.string: "Ann",
    discord.AppCommandOptionType.boolean: True,
}
FEWEST_DONE = {  # commands that do something for all to see, so that the sweep keeps looking at something
    "compare_roll": 18,
    "post_magic_maid": 6,
    "rpj": 38,
    "swim_class": 20,
    "sword_and_swarm": 10,
}
AT_ONE_TABLE = 8  # procedures that are tried before the table is laid anew
FEWEST_REFUSED = 15  # refusals of a game, so that the sweep keeps looking at something
FEWEST_WORDS = 3
LACKS = re.compile(r"\b(costs?|has only|in hand|set aside|saved|don't have|enough|resource called)\b")
TYPED = re.compile(r"/[a-z-]+( [a-z-]+(:\S+)?)*")  # a command as it is typed, with its options
INTERNAL = re.compile(
    r"[a-z]_[a-z]|\bNone\b|\bTrue\b|\bFalse\b|[a-z][A-Z][a-z]+\(|<[a-z]|Input should|validation|Value error"
)


def commands_of(desk: Desk, command: str) -> Iterator[Command]:
    """What can be typed below /swim and /swim-gm, or another game's."""
    for top in desk.bot.tree.get_commands(type=discord.AppCommandType.chat_input):
        if top.name.split("-")[0] == command:
            yield from leaves(top)


async def fitting(desk: Desk, who: Person, command: Command) -> dict[str, Any]:
    """A value for each option that is required: what is offered first, else the least."""
    given: dict[str, Any] = {}
    for one in command.parameters:
        if not one.required:
            continue
        offered = [choice.value for choice in one.choices]
        if one.autocomplete:
            offered = await desk.offered(who, command.qualified_name, one.name, "", **given)
        plain = PLAIN.get(one.type, max(int(one.min_value or 0), 1))
        given[one.name] = offered[0] if offered else plain
    return given


def wrong_with(sent: list[Sent]) -> list[str]:
    """What is wrong with the answers to a command."""
    found = [] if sent else ["nothing is answered"]
    for one in sent:
        text = f"{one.text}\n{one.alt}"
        found += [f"{hit[0]!r} in {text}" for pattern in (RAW, INVISIBLE) if (hit := pattern.search(text))]
        found += [f"{hit[0]!r} in {text}" for hit in MARKUP.finditer(one.text)]
        found += [text] if "Something went wrong" in text else []
    return found


async def tried(desk: Desk, who: Person, command: Command) -> tuple[bool, list[str]]:
    """Whether a command with fitting options does something that all see; what is wrong, also with others."""
    values = await fitting(desk, who, command)
    sent = await desk.type(who, command.qualified_name, **values)
    wrong = wrong_with(sent)
    texts = [
        one.name
        for one in command.parameters
        if one.type is discord.AppCommandOptionType.string and not one.choices
    ]
    for kind in ("markup", "unseen", "programs") if texts else ():
        hostile = dict.fromkeys(texts, HOSTILE[kind][:100])
        wrong += wrong_with(await desk.type(who, command.qualified_name, **{**values, **hostile}))
    return not all(one.is_private for one in sent), [f"/{command.qualified_name}: {one}" for one in wrong]


@pytest.mark.parametrize("key", sorted(GAMES))
async def test_every_command_of_a_game_answers_whatever_is_typed(key: str, tmp_path: Path) -> None:
    ambush = await lay(GAMES[key], tmp_path)
    desk = await open_desk(ambush.sweep.table)
    wrong: list[str] = []
    done: set[str] = set()
    commands = [*commands_of(desk, GAMES[key].command)]
    for _ in ("in the fight", "after it"):
        for command in commands:
            for who in (ambush.alice, ambush.gwen):
                acted, faults = await tried(desk, who, command)
                done |= {command.qualified_name} if acted else set()
                wrong += faults
        await desk.type(ambush.gwen, "/gm encounter end")

    assert "\n".join(wrong) == ""
    assert len(done) >= FEWEST_DONE[key]
    await desk.bot.close()
    await ambush.sweep.table.store.close()


async def refuse(ambush: Ambush, key: str, version: sqlite3.Connection) -> list[UserError]:
    """Try a procedure as different people, at different targets; the refusals that changed something."""
    sweep, changed = ambush.sweep, []
    tries = (
        *((ambush.alice, target, None) for target in ("Ann", "Orc", "Ben", "Nobody Here")),
        (ambush.bob, "Ann", None),
        *(
            (ambush.gwen, target, acting)
            for target, acting in (("Ann", None), ("Orc", "Orc"), ("Ben", "Ann"))
        ),
    )
    for who, target, acting in tries:
        before, count = state(version), len(sweep.refused)
        result = await sweep.perform(who, key, target, acting)
        if result is None and state(version) != before:
            changed += [error for _key, error in sweep.refused[count:]]
    return changed


def state(version: sqlite3.Connection) -> int:
    """A number that changes whenever anything is saved."""
    found: int = version.execute("PRAGMA data_version").fetchone()[0]
    return found


def wrong_with_refusal(error: UserError) -> str:
    """What is wrong with how a refusal is told, or nothing."""
    problems = error.problems if isinstance(error, UserErrors) else (error.what,)
    sentences = (*problems, *error.sentences[1:])
    text = " ".join(sentences)
    if len(set(sentences)) < len(sentences):
        return "says something twice"
    if INTERNAL.search(TYPED.sub("", text)):
        return "names internals"
    if any(len(one.split()) < FEWEST_WORDS for one in problems):
        return "gives no reason"
    if any(TYPED.fullmatch(one) for one in sentences):
        return "names a command without saying what it is for"
    if any(one[-1] not in ".?!" and not TYPED.search(one) and ": " not in one for one in sentences):
        return "does not end as a sentence"
    if len(sentences) == 1 and LACKS.search(text):
        return "names no way out"
    return "" if mistake_reply(error).is_private else "is public"


@pytest.mark.parametrize("key", sorted(GAMES))
async def test_every_refusal_is_private_changes_nothing_and_says_why(key: str, tmp_path: Path) -> None:
    game = GAMES[key]
    every, faults, refused = list(game.procedures), set(), set()
    for number in range(0, len(every), AT_ONE_TABLE):
        (folder := tmp_path / str(number)).mkdir()
        ambush = await lay(game, folder)
        with closing(sqlite3.connect(folder / "table.db")) as version:
            for one in every[number : number + AT_ONE_TABLE]:
                faults |= {
                    (one, "changes something", *error.sentences)
                    for error in await refuse(ambush, one, version)
                }
        for one, error in ambush.sweep.refused:
            refused.add(error.sentences)
            if wrong := wrong_with_refusal(error):
                faults.add((one, wrong, *error.sentences))
        await ambush.sweep.table.store.close()
    assert sorted(faults) == []
    assert len(refused) >= FEWEST_REFUSED


@pytest.mark.parametrize(
    ("error", "wrong"),
    [
        (UserError("Ann has no action left.", "End the turn with /encounter next."), ""),
        (UserError("Not now."), "gives no reason"),
        (UserError("That costs 3 Coin; you have 1."), "names no way out"),
        (UserError("There is no spell fire_ball here."), "names internals"),
        (UserError("This fight is played in yards.", try_this="/rpj-fight cinema walk"), "names a command"),
        (UserErrors(("There is no Ann here.", "There is no Ann here.")), "says something twice"),
    ],
)
def test_what_is_wrong_with_a_refusal_is_found(error: UserError, wrong: str) -> None:
    assert wrong_with_refusal(error).startswith(wrong)
    assert bool(wrong_with_refusal(error)) is bool(wrong)


SET_TWICE: dict[str, list[tuple[str, dict[str, object]]]] = {
    "rpj": [("/rpj-gm health scale", {"scale": "normal"})],
    "swim_class": [
        ("/swim-gm rank", {"skill": "Brawn", "rank": 4}),
        ("/swim-gm state", {"state": "prone"}),
        ("/swim-gm mend", {"points": 2}),
        ("/swim-gm terrain", {"level": 2}),
    ],
    "compare_roll": [
        ("/compare-gm stat", {"stat": "AGI", "score": 9}),
        ("/compare-gm difficulty", {"name": "Odd", "number": 3}),
    ],
    "post_magic_maid": [("/maid-gm magic", {"allowed": True})],
    "sword_and_swarm": [
        ("/swarm-gm ranks", {"proficiency": "Architecture", "ranks": 3}),
        ("/swarm-gm attributes", {"mallet": 5}),
    ],
}


@pytest.mark.parametrize("key", sorted(SET_TWICE))
async def test_f_own_08_what_is_set_already_is_refused_in_private(key: str, tmp_path: Path) -> None:
    shown = SHOWN[key]
    play = await sit_down(tmp_path, shown.game, shown.alices, shown.bobs)
    for line, options in SET_TWICE[key]:
        whom = {} if line.endswith(("terrain", "difficulty")) else {"target": shown.alices}
        await play.types(play.gwen, line, **whom, **options)
        entries = (await play.types(play.gwen, "/log")).text

        again = await play.types(play.gwen, line, **whom, **options)

        assert again.is_private, again.text
        assert "That would change nothing" in again.text
        assert (await play.types(play.gwen, "/log")).text == entries
    await get_up(play)


@pytest.mark.parametrize("key", sorted(SET_TWICE))
async def test_a_character_fights_in_one_channel_at_a_time(key: str, tmp_path: Path) -> None:
    shown = SHOWN[key]
    play = await sit_down(tmp_path, shown.game, shown.alices, shown.bobs)
    elsewhere = replace(play.bob, places=(51, 40))
    await play.types(play.alice, "/encounter start", others=shown.bobs)

    refused = await play.types(elsewhere, "/encounter start")
    await play.types(play.bob, "/encounter leave")
    started = await play.types(elsewhere, "/encounter start")

    assert refused.is_private
    assert refused.text == (
        f"{shown.bobs} is already in a fight in another channel. "
        "Leave that one first on your sheet there, or ask a GM to end it. It is in <#50>."
    )
    assert "starts a fight" in started.text
    await get_up(play)


MARIT, OSKAR = "Marit Vance", "Oskar Brandt"


@pytest.fixture
async def play(tmp_path: Path) -> AsyncIterator[Play]:
    play = await sit_down(tmp_path, RULESET, MARIT, OSKAR)
    yield play
    await get_up(play)


async def test_a_purchase_that_cannot_be_made_is_refused_in_private(play: Play) -> None:
    """F-RPJ-19."""
    await play.set("money", "yes")
    await play.set("acquisition_checks", "yes")

    said = await play.types(play.alice, "/rpj-gear buy", item="Light armor")

    assert said.is_private
    assert "Coin; Marit Vance has 0." in said.text
    assert "/rpj-gear shop lists what is for sale." in said.text
    log = await play.types(play.bob, "/log")
    assert "wants to buy" not in log.text


async def test_setting_what_is_set_already_is_refused_in_private(play: Play) -> None:
    """F-RPJ-23."""
    has = await play.points(MARIT, "lucky_breaks")

    said = await play.types(
        play.gwen, "/gm set resource", resource="Lucky Breaks", value=has, character=MARIT
    )

    assert said.is_private
    assert "Marit Vance already has" in said.text


async def test_time_that_passes_names_timers_in_words_and_only_running_ones(play: Play) -> None:
    """F-RPJ-23: no "due → 1 h", no "off → 7 h 59 min"."""
    layer = await play.types(play.alice, "/rpj health layer", name="Rock", saves="5", minutes=10)

    assert "rock timer none → 10 min left" in layer.text
    passed = await play.types(play.gwen, "/gm time", amount=11)
    assert "Marit Vance loses the protection of rock." in passed.text
    assert "timer" not in passed.text


async def test_a_setting_left_to_the_module_shows_what_is_in_force(play: Play) -> None:
    """F-RPJ-23: no "maneuvers = none (on)"."""
    offered = await setting_choices(play.table, play.gwen.asks(), "maneuvers")

    assert [one.label for one in offered] == ["maneuvers = on (default)"]


async def test_a_countdown_takes_a_value_and_no_number_for_a_name(play: Play) -> None:
    """F-RPJ-23."""
    await play.types(play.gwen, "/gm countdown create", name="Alarm", kind="failure", difficulty=6)

    refused = await play.types(play.gwen, "/gm countdown set", name="Alarm", to="5")
    set_ = await play.types(play.gwen, "/gm countdown set", name="Alarm", value=5)
    again = await play.types(play.gwen, "/gm countdown set", name="Alarm", value=5)
    beyond = await play.types(play.gwen, "/gm countdown set", name="Alarm", value=7)

    assert refused.is_private
    assert "“5” is a number, no name. Use the option value to set its value." in refused.text
    assert "Alarm 0 → 5 of 6" in set_.text
    assert (again.text, again.is_private) == ("Alarm is at 5 already. Nothing was changed.", True)
    assert (beyond.text, beyond.is_private) == ("Alarm ends at 6. Choose a lower value.", True)


async def test_giga_damage_without_a_save_is_refused_with_the_way_out(play: Play) -> None:
    """F-RPJ-23."""
    await play.set("damage_scales", "yes")

    said = await play.types(play.alice, "/rpj save", damage=2, scale="giga")

    assert said.is_private
    assert "There is no save against giga damage" in said.text
    assert said.text.endswith("A GM applies it with /rpj-gm health harm.")


async def test_a_fight_offers_yards_where_cinematic_fights_are_on(play: Play) -> None:
    """F-RPJ-23."""
    await play.set("cinematic_combat", "yes")
    await play.types(play.alice, "/encounter start")

    assert not [label for label in play.labels(play.alice) if label.startswith("Play in yards")]
    said = await play.presses(play.gwen, "Play in yards, cinematic")
    assert "it is played in yards, as a cinematic fight" in said.text


async def test_a_move_names_its_regions(play: Play) -> None:
    """F-RPJ-23."""
    await play.types(play.alice, "/encounter start")
    await play.types(play.bob, "/encounter join")
    await play.types(play.gwen, "/encounter next", "d6:6 d6:6 d6:1 d6:1")
    await play.types(play.gwen, "/encounter next")

    said = await play.types(play.alice, "/rpj-fight move", region="2")

    assert "**Marit Vance** moves from Region 1 to Region 2" in said.text, play.end


async def test_an_import_request_names_everything_above_a_beginners_whole(play: Play) -> None:
    """F-RPJ-23: no "a beginne…"."""
    _name, content = await character_files.export(play.table, play.alice.asks(), None)
    file = json.loads(content)
    file["name"], file["sheet"]["available_points"], file["sheet"]["total_points"] = "Rich", 200, 300
    file["sheet"]["skills"] = [{**one, "base": 6} for one in file["sheet"]["skills"]]

    asked = await character_files.import_(play.table, play.stranger.asks(), json.dumps(file).encode())

    text = result_reply(asked).text.replace("\\", "")
    assert "Above what a new character gets: Character points " in text
    assert "Concealment 6 (a beginner: 4)" in text
    assert "…" not in text


async def test_f_own_11_nothing_is_haggled_for_without_any_coin(play: Play) -> None:
    await play.set("money", "yes")

    said = await play.types(play.alice, "/rpj-gear buy", item="Light armor")

    assert said.is_private
    assert f"costs 6 Coin; {MARIT} has 0." in said.text
    await play.types(play.gwen, "/gm award", resource="Coin", amount=1, characters=MARIT)
    assert (await play.types(play.alice, "/rpj-gear buy", item="Light armor")).labels[0].startswith("Haggle")


@pytest.mark.rule("RPJ-GCS-32")
async def test_whoever_is_out_of_action_can_roll_nothing_but_saving_throws(play: Play) -> None:
    checked = await play.types(play.alice, "/rpj check", "d6:1 d6:2", skill="Concealment")
    assert "Again" in checked.labels
    await play.types(play.gwen, "/rpj-gm health ambush", target=MARIT, how="out of action at once")

    refused = [
        await play.types(play.alice, "/rpj check", skill="Concealment"),
        await play.types(play.alice, "/rpj attribute", attribute="STR"),
        await play.types(play.alice, "/rpj-together assisted", skill="Concealment"),
        await play.types(play.alice, "/rpj propose", skill="Concealment", how="hide in a barrel"),
        await play.types(play.alice, "/rpj-together opposed", skill="Concealment", target=OSKAR),
        await play.presses(play.alice, "Again"),
    ]
    saved = await play.types(
        play.alice, "/rpj attribute", "d6:6 d6:5", attribute="STR", rolled="saving throw"
    )
    ruled = await play.types(play.gwen, "/rpj check", "d6:6 d6:5", skill="Concealment", **{"as": MARIT})

    assert {one.text for one in refused} == {
        f"{MARIT} is incapacitated and can't make checks. Saving throws and Luck are still possible. "
        "Someone else can help them up from their own sheet."
    }
    await play.set("mass_combat", "yes")
    await play.set("structured_magic", "yes")
    sides = {"own": "Heroes", "own_people": 40, "enemy": "Rebels", "enemy_people": 60}
    await play.types(play.gwen, "/rpj-gm-fight mass start", **sides)
    for line, act, options in (
        ("/rpj-mass command", "act in this battle", {"skill": "Command"}),
        ("/rpj-magic cast", "cast spells", {"spell": "Hail"}),
    ):
        refused.append(await play.types(play.alice, line, **options))
        assert refused[-1].text == (
            f"{MARIT} is incapacitated and can't {act}. Someone else can help them up from their own sheet."
        )
    assert all(one.is_private for one in refused)
    assert not saved.is_private
    assert not ruled.is_private
