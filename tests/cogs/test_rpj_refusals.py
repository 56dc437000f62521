"""RPJ: what can't be done is refused in private, with the reason and a way out."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.rules.rpj import RULESET
from bot.table.campaigns.campaign_settings import setting_choices
from bot.table.characters import character_files
from bot.ui.replies.result_replies import result_reply
from tests.cogs.played import Play, get_up, sit_down

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

    offered = [label for label in play.labels(play.gwen) if label.startswith("Play in yards")]

    assert offered == ["Play in yards, cinematic (GM)"]
    said = await play.presses(play.gwen, "Play in yards")
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
