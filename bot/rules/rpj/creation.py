"""How characters come into a campaign: ready-made, or plain ones of the GM."""

from typing import cast

from bot.rules.rpj.attributes import Attribute
from bot.rules.rpj.ready_made import ready_made
from bot.rules.rpj.settings import RpjSettings
from bot.rules.rpj.sheet import RpjSheet
from bot.rules.ruleset import Choice, Creation, Draft, Pick, Problem, Settings, Step

AVERAGE = 3


def _offered(settings: Settings) -> dict[str, RpjSheet]:
    return dict(ready_made(cast(RpjSettings, settings)))


def creation_steps(_draft: Draft, settings: Settings) -> tuple[Step, ...]:
    """The pages of the wizard for a draft as it stands."""
    choices = tuple(Choice(name, name, sheet.biography) for name, sheet in _offered(settings).items())
    pick = Pick(key="ready", prompt="Whom do you play?", choices=choices)
    return (Step(key="ready", title="Character", text="Take one of these.", picks=(pick,)),)


def creation_problems(draft: Draft, settings: Settings) -> tuple[Problem, ...]:
    """Everything still missing or not allowed."""
    known = next(iter(draft.get("ready", ())), "") in _offered(settings)
    return () if known else (Problem("ready", "Choose a character."),)


def build(draft: Draft, settings: Settings) -> RpjSheet:
    """The sheet of a draft without problems."""
    return _offered(settings)[draft["ready"][0]]


def plain_sheet() -> RpjSheet:
    """A sheet for a character of the GM: average throughout, nothing bought.

    Source: RPJ-GM-02.
    """
    return RpjSheet(attributes=dict.fromkeys(Attribute, AVERAGE))


CREATION = Creation(
    steps=creation_steps,
    problems=creation_problems,
    build=build,
    npc=plain_sheet,
    ready_made_in=_offered,
)
