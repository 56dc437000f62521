"""The pages for GMs can be played as written, from the campaign to the end of the session."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.playground.discord import Answer
from bot.ui.input.discord_format import COLOURS
from bot.ui.text.reply import Accent
from tests.e2e.people import Actor, Party
from tests.readme import game_pages, settings_named, spoken_lines

REFUSED = COLOURS[Accent.FAILURE]


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
