"""The playground's scenes and the pages for GMs can be played as written."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.playground.discord import Answer, Channel, Member, button_labels
from bot.playground.discord.hands import Hands
from bot.playground.discord.payloads import Payload
from bot.playground.page import Scene, Step, gather, shipped_scenes
from bot.ui.input.discord_format import COLOURS
from bot.ui.text.reply import Accent
from tests.e2e.people import Actor, Party
from tests.e2e.table import Table
from tests.readme import game_pages, settings_named, spoken_lines

MOST_LOOKED_AT = 4  # messages, as on the page
REFUSED = COLOURS[Accent.FAILURE]


async def play(step: Step, person: Member, channel: Channel) -> Answer:
    """Play a step as the page does: an option with autocompletion takes its first choice."""
    hands = person.discord.hands
    command = await person.discord.offered(step.command, person.server)
    picked: dict[str, object] = {}
    for name, text in step.options.items():
        picked[name] = text
        if command.option(name).get("autocomplete"):
            found = await hands.autocomplete(person, step.command, name, str(text), dict(picked), channel)
            picked[name] = found[0]["value"] if found else text
    answer = await person.send_command(step.command, picked, channel=channel)
    assert answer.failed is None
    for label in step.press:
        answer = await person.press(await newest(person, channel, label), label)
    return answer


async def newest(person: Member, channel: Channel, label: str) -> Payload:
    """The newest message with a button, once there is one, as the page finds it."""

    def found() -> list[Payload]:
        return [one for one in person.sees(channel)[-MOST_LOOKED_AT:] if label in button_labels(one)]

    await person.discord.until(lambda: bool(found()))
    return found()[-1]


async def fresh(step: Step, person: Member, channel: Channel) -> Step:
    """The step with names that nobody has yet, numbered as the page does."""
    hands, options = person.discord.hands, dict(step.options)
    for name, where in step.fresh.items():
        command, option = where.split(":")
        number = 1
        while await is_taken(hands, person, (command, option), str(options[name]), channel):
            number += 1
            options[name] = f"{step.options[name]} {number}"
    return step.model_copy(update={"options": options})


async def is_taken(hands: Hands, person: Member, where: tuple[str, str], name: str, channel: Channel) -> bool:
    """Whether a name is among the completions of an option."""
    found = await hands.autocomplete(person, *where, name, {}, channel)
    return name.lower() in [choice["name"].lower() for choice in found]


@pytest.mark.parametrize("scene", shipped_scenes(), ids=lambda scene: scene.title)
async def test_f_all_06_every_scene_plays_again_in_the_same_channel(house: Table, scene: Scene) -> None:
    """Only steps that are marked as private are answered privately."""
    cast = gather(house.discord)
    people = {person.name: person for person in cast.people}
    channel = cast.servers[0].channels[1]
    opening = next(step for step in scene.steps if "name" in step.fresh)
    name = str(opening.options["name"])

    for called in (name, f"{name} 2"):
        for step in scene.steps:
            person = people[step.person]
            answer = await play(await fresh(step, person, channel), person, channel)
            assert answer.failed is None
            assert (step.command, answer.ephemeral and not step.press) == (step.command, step.is_private)
            if step is opening:
                assert f"**{called}** · " in answer.text


def is_refused(answer: Answer) -> bool:
    """Whether an answer is a private refusal."""
    containers = (answer.message or {}).get("components", ())
    return answer.ephemeral and any(one.get("accent_color") == REFUSED for one in containers)


async def entered(person: Actor, line: str) -> dict[str, object]:
    """What a line enters into the open form, by label; the line names how each label begins."""
    _, form = await person.opened_form()
    pairs = [field.split(": ", 1) for field in line.split("; ")]
    labels = [str(one["label"]) for one in form["components"] if one.get("label")]
    found = {next(one for one in labels if one.startswith(name)): value for name, value in pairs}
    assert len(found) == len(labels), f"{labels} are not all named by {line!r}"
    return {**found}


@pytest.fixture(params=game_pages(), ids=lambda page: page.stem)
def text(request: pytest.FixtureRequest) -> str:
    """The text of a game's page."""
    page: Path = request.param
    return page.read_text(encoding="utf-8")


async def test_the_evening_on_each_page_can_be_played_as_written(party: Party, text: str) -> None:
    people = {"GM": party.gwen, "Alice": party.alice, "Bob": party.bob}

    for who, line in spoken_lines(text):
        person = people[who]
        button, _, choice = line.removeprefix("[").partition("] ")
        if line.startswith("/"):
            answer = await person.types(line)
        elif not line.startswith("["):
            answer = await person.writes(await entered(person, line))
        elif choice:
            answer = await person.chooses(button, choice)
        else:
            answer = await person.presses(button.removesuffix("]"))
        assert not is_refused(answer), party.transcript.end
    for setting in settings_named(text):
        offered = await party.gwen.is_offered("/campaign settings", "setting", setting)
        assert any(one.startswith(f"{setting} = ") for one in offered), setting
