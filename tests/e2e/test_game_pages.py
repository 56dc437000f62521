"""The pages for GMs can be played as written, from the campaign to the end of the session."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.playground.discord import Answer
from bot.ui.input.discord_format import COLOURS
from bot.ui.text.reply import Accent
from tests.e2e.people import Party
from tests.readme import game_pages, settings_named, spoken_lines

pytestmark = pytest.mark.asyncio(loop_scope="module")

REFUSED = COLOURS[Accent.FAILURE]


def is_refused(answer: Answer) -> bool:
    """Whether an answer is a private refusal."""
    containers = (answer.message or {}).get("components", ())
    return answer.ephemeral and any(one.get("accent_color") == REFUSED for one in containers)


@pytest.fixture(params=game_pages(), ids=lambda page: page.stem)
def text(request: pytest.FixtureRequest) -> str:
    """The text of a game's page."""
    page: Path = request.param
    return page.read_text(encoding="utf-8")


async def test_the_evening_on_each_page_can_be_played_as_written(party: Party, text: str) -> None:
    people = {"GM": party.gwen, "Alice": party.alice, "Bob": party.bob}

    for who, line in spoken_lines(text):
        person = people[who]
        if line.startswith("["):
            answer = await person.presses(line.strip("[]"))
        else:
            answer = await person.types(line)
        assert not is_refused(answer), party.transcript.end
    for setting in settings_named(text):
        offered = await party.gwen.is_offered("/campaign settings", "setting", setting)
        assert any(one.startswith(f"{setting} = ") for one in offered), setting
