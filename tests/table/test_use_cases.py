"""What holds for every use case made by `act`, `unit` or `look`."""

import pkgutil
from collections.abc import Callable, Coroutine
from importlib import import_module
from typing import Any

import pytest

import bot.table
from bot.rules.shared.countdowns import Visibility
from bot.table.base.access import ForGmOnly, Request
from bot.table.base.results import Result
from bot.table.base.table import Table
from bot.table.base.turn import USE_CASES, Made, act
from bot.table.campaigns import campaign_settings, campaigns, fields
from bot.table.characters import characters
from bot.table.gm import desk, gm_secrets
from bot.table.gm import gm as gms
from bot.table.journal import journal
from bot.table.play import countdown_actions, countdown_plans
from bot.table.play.countdown_actions import Edit
from bot.table.sessions import sessions
from tests.table.conftest import Person
from tests.table.counting import a_plan, begin, everything, state

for found in pkgutil.walk_packages(bot.table.__path__, "bot.table."):
    import_module(found.name)


def name_of(one: Made) -> str:
    return f"{one.run.__module__.removeprefix('bot.table.')}.{one.run.__name__}"


OURS = sorted((one for one in USE_CASES if one.run.__module__.startswith("bot.")), key=name_of)

# What is not for GMs only, or asks by itself for a GM's rights.
OPEN_TO_PLAYERS = {
    "campaigns.bestiary": "names",
    "campaigns.campaign_settings": (
        "change_setting open_page played_here set_quietly setting_to_change settings"
    ),
    "campaigns.campaigns": (
        "_create archive bind campaign_choices listing make_default refuse_unclear_gms rename "
        "ruleset_choices set_gm set_gm_role setup unarchive unbind asking"
    ),
    "campaigns.modules": "entry_form open_list open_lists put_entry remove_entry",
    "campaigns.rulebook": "_played",
    "characters.character_files": "_import _save_portrait export has_portrait",
    "characters.characters": (
        "listing ready_heroes rename retire sheet sheet_of take_ready_made use waiting_sheet"
    ),
    "characters.controls": "compose keep open_controls open_favorite open_group take",
    "characters.creation_pages": "begin finish opened pick spend_rest throw throw_away to_write turn write",
    "characters.favorites": "own_favorites remove save_last",
    "characters.personal_data": "forget stored_about",
    "encounters.encounters": "_latest_turn fight_here gm_look participants take_up take_up_with_all",
    "gm.gm": "purge purge_preview",
    "gm.gm_secrets": "given read_handout read_shown",
    "journal.dice_stats": "fairness",
    "journal.journal": "entry_result undo",
    "journal.log": "numbered page",
    "journal.recap": "chronicle recap",
    "journal.suggest": "characters ready_made things",
    "own_drafts": "_open _save _save_head begin drafts undo",
    "own_games": (
        "_asked _changed_by _publish drop_draft export game_choices listing own_game remove "
        "require_writer save_draft"
    ),
    "play.countdown_actions": "_id_for_player press",
    "play.countdown_plans": "choices link_choices listing",
    "play.play": "_roll",
    "requests.gatherings": "follow_part join look_closer with_controls",
    "requests.requested_checks": "ask check_choices detail_choices",
    "sessions.meetings": "answer",
    "sessions.sessions": "note_thread start status wants_thread",
    "watch": "is_waiting",
}


def test_every_use_case_that_is_not_listed_here_is_for_gms_only() -> None:
    listed = {f"{module}.{name}" for module, names in OPEN_TO_PLAYERS.items() for name in names.split()}

    assert {name_of(one) for one in OURS if not one.gm} == listed


@pytest.mark.parametrize("one", [one for one in OURS if one.gm], ids=name_of)
async def test_a_gms_use_case_refuses_a_player(game: Table, ada: Person, one: Made) -> None:
    before = everything(game)

    with pytest.raises(ForGmOnly):
        await one.run(game, ada.asks())
    assert everything(game) == before


@pytest.mark.parametrize("one", [one for one in OURS if one.maker is act], ids=name_of)
async def test_an_interaction_handled_before_gets_the_same_answer(game: Table, gm: Person, one: Made) -> None:
    """It does so before the use case looks at anything else, even at its arguments."""
    request = gm.asks()
    first = await campaigns.rename(game, request, "The Short Road")
    before = everything(game)

    assert await one.run(game, request) == first
    assert everything(game) == before


Doing = Callable[[Table, Request], Coroutine[Any, Any, Result]]


async def started(table: Table, request: Request) -> Result:
    return (await countdown_plans.begin(table, request, a_plan("Storm"), a_plan("Escape"))).result


async def moved(table: Table, request: Request) -> Result:
    return (await countdown_actions.move(table, request, "Alarm", 4)).result


async def written(table: Table, request: Request) -> Result:
    return (await gm_secrets.save_handout(table, request, "The letter", "Come at midnight."))[1]


# What a GM does at the table below.
EXAMPLES: dict[str, Doing] = {
    "a campaign is bound": lambda at, by: campaigns.bind(at, by, 78, "#cave", None),
    "a campaign is unbound": lambda at, by: campaigns.unbind(at, by, 77, "#side"),
    "somebody becomes a GM": lambda at, by: campaigns.set_gm(at, by, 2, "Alice", is_gm=True),
    "a role becomes that of the GMs": lambda at, by: campaigns.set_gm_role(at, by, 9, "Masters"),
    "a campaign is renamed": lambda at, by: campaigns.rename(at, by, "The Short Road"),
    "another campaign is the default": lambda at, by: campaigns.make_default(at, by, "Side Road"),
    "a campaign is archived": lambda at, by: campaigns.archive(at, by, "Side Road"),
    "a setting is changed": lambda at, by: campaign_settings.change_setting(at, by, "luck_cap", "1"),
    "a field is set": lambda at, by: fields.set_field(at, by, "Ada", "brawn", "5"),
    "a character is renamed": lambda at, by: characters.rename(at, by, "Ada", "Adele"),
    "a character retires": lambda at, by: characters.retire(at, by, "Ada"),
    "a resource is awarded": lambda at, by: gms.award(at, by, "luck", 1, ("Ada", "Bo")),
    "a resource is set": lambda at, by: gms.set_resource(at, by, "luck", 0, "Ada"),
    "an NPC is made": lambda at, by: gms.make_npc(at, by, "Ogre", is_hidden=True),
    "an NPC hides": lambda at, by: gms.show_or_hide(at, by, "Wolf", is_hidden=True),
    "time passes": lambda at, by: gms.pass_time(at, by, 600),
    "something is watched": lambda at, by: desk.watch(at, by, ("Luck",)),
    "a note is written": written,
    "a session is linked": lambda at, by: sessions.link(at, by, event=5, voice=6),
    "two countdowns start": started,
    "a countdown ends": moved,
    "a countdown hides": lambda at, by: countdown_actions.change(
        at, by, "Alarm", Edit(name="Bell", visibility=Visibility.GM)
    ),
    "a countdown is linked": lambda at, by: countdown_actions.link(at, by, "Alarm", "check", is_linked=True),
    "a countdown is deleted": lambda at, by: countdown_actions.delete(at, by, "Alarm"),
}


@pytest.fixture
async def laid(game: Table, gm: Person) -> Table:
    """A table with a session, an NPC, a countdown, and a second campaign in another channel."""
    await sessions.start(game, gm.asks())
    await gms.make_npc(game, gm.asks(), "Wolf")
    await begin(game, gm, a_plan("Alarm"))
    await campaigns.create(game, gm.asks(place=77), "toy", "Side Road")
    return game


@pytest.mark.parametrize("example", EXAMPLES)
async def test_an_undo_restores_everything_and_its_undo_does_it_again(
    laid: Table, gm: Person, example: str
) -> None:
    before = state(laid)

    done = await EXAMPLES[example](laid, gm.asks())
    after = state(laid)
    undone = await journal.undo(laid, gm.asks(), done.entry, is_sure=True)

    assert after != before
    assert isinstance(undone, journal.Undone)
    assert state(laid) == before
    await journal.undo(laid, gm.asks(), undone.result.entry)
    assert state(laid) == after
