"""What every game shares: dice, odds, rules, help, and what stands under a result."""

import asyncio
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import aiohttp
import discord
import pytest
from discord import app_commands
from structlog.testing import capture_logs

from bot.rules import compare_roll, post_magic_maid, rpj, swim_class
from bot.rules.kernel import Ruleset
from bot.store.records import ALL_SHARDS
from bot.table import watch
from bot.table.base import live_rows
from bot.table.base.access import Request
from bot.table.base.live_rows import CLAIM_SECONDS
from bot.table.base.table import Table
from bot.table.base.turn import StoreUnavailable
from bot.table.play import play
from bot.table.sessions import meetings
from bot.ui.commands.session_posts import ended_reply
from bot.ui.input.answer import answer
from bot.ui.input.presses import Press, press_id, request_of
from bot.ui.replies.result_replies import result_reply
from cogs.help import _described
from cogs.watch import Unpressed
from tests.cogs.desk import Desk, Sent
from tests.cogs.played import get_up, sit_down
from tests.cogs.test_character import GAMES
from tests.paces import QUICK
from tests.table.conftest import MORNING, Clock, Person


async def do(desk: Desk, who: Person, procedure: str, **given: Any) -> Sent:
    """Do a procedure of the toy, which has no command of its own."""

    async def perform(interaction: Any, _press: Press) -> None:
        table = interaction.client.table
        await answer(
            interaction, result_reply(await play.perform(table, request_of(interaction), procedure, given))
        )

    kind = f"try{procedure}"
    if kind not in desk.kinds:
        desk.bot.presses.add(kind, perform)
        desk.kinds.add(kind)
    (sent,) = await desk.press(who, press_id(kind))
    return sent


async def failed_check(desk: Desk, who: Person) -> Sent:
    """A check that failed, with its Push button."""
    for _ in range(20):
        check = await do(desk, who, "check", bonus=-5)
        if "Push · 1 Luck" in check.controls:
            return check
    raise AssertionError("every check succeeded")


class TestRoll:
    async def test_dice_are_rolled_in_public(self, desk: Desk, ada: Person) -> None:
        (told,) = await desk.type(ada, "/roll", expression="2d1+3", label="the rope")

        assert not told.is_private
        assert told.text.splitlines()[0] == "**Alice** rolls the rope"
        assert "= **5**" in told.text

    async def test_a_secret_roll_is_shown_privately(self, desk: Desk, ada: Person) -> None:
        (told,) = await desk.type(ada, "/roll", expression="1d6", secret=True)

        assert told.is_private

    async def test_an_unreadable_expression_is_reported_to_the_person_alone(
        self, desk: Desk, ada: Person
    ) -> None:
        (told,) = await desk.type(ada, "/roll", expression="2d")

        assert told.is_private


class TestOdds:
    async def test_odds_of_free_dice_are_shown(self, desk: Desk, ada: Person) -> None:
        (told,) = await desk.type(ada, "/odds dice", expression="1d2")

        assert told.text == "**1d2**\n-# 1 to 2, 1.50 on average, median 1"
        assert "1 50%, 2 50%" in told.alt

    async def test_odds_of_a_games_check_are_shown(self, desk: Desk, ada: Person) -> None:
        (told,) = await desk.type(ada, "/odds toy", target=2)

        assert "success: **33%**" in told.text

    async def test_an_option_out_of_bounds_is_reported_in_words(self, desk: Desk, ada: Person) -> None:
        (told,) = await desk.type(ada, "/odds toy", target=6)

        assert "success: **100%**" in told.text


class TestRulesAndHelp:
    async def test_a_rule_can_be_looked_up(self, desk: Desk, ada: Person) -> None:
        assert await desk.complete(ada, "/rules", "about", "che") == ["Checks"]

        (told,) = await desk.type(ada, "/rules", about="Checks")

        assert told.is_private
        assert told.text == "**Checks**\nA d6 at or below Brawn succeeds.\n-# Toy Game\n-# Nobody"

    async def test_help_shows_what_to_do_now_and_every_command_of_a_word(
        self, desk: Desk, ada: Person
    ) -> None:
        (help_,) = await desk.type(ada, "/help")
        assert help_.text.startswith("**What you can do now**\n")

        (chosen,) = await desk.choose(ada, help_.controls["Commands"], "character")

        assert "`/character create` Make a character, step by step or ready-made" in chosen.text

    async def test_f_perf_13_remembered_words_of_a_command_are_its_words(self, desk: Desk) -> None:
        own = [one for one in desk.bot.tree.walk_commands() if isinstance(one, app_commands.Command)]

        remembered = [_described(one) for one in own]

        assert len(own) > 50
        assert remembered == [_described(one) for one in own] == [_described.__wrapped__(one) for one in own]


class TestUnderAResult:
    async def test_a_press_shows_its_result_in_the_same_message(self, desk: Desk, ada: Person) -> None:
        """F-ALL-08."""
        check = await failed_check(desk, ada)

        (edited,) = await desk.press(ada, check.controls["Push · 1 Luck"])

        assert edited.how == "edit"
        assert "Push · 1 Luck" not in edited.controls
        assert edited.text.startswith(check.text)
        assert "\n**Ada** pushes · **" in edited.text
        assert "Luck 2 → 1" in edited.text

    async def test_a_strangers_press_is_answered_to_them_alone(
        self, desk: Desk, ada: Person, bo: Person
    ) -> None:
        check = await failed_check(desk, ada)

        (told,) = await desk.press(bo, check.controls["Push · 1 Luck"])

        assert told.is_private
        assert told.text == "That button is for Ada. Only its player or a GM can press it."

    async def test_details_are_shown_to_whoever_asks(self, desk: Desk, ada: Person, bo: Person) -> None:
        check = await failed_check(desk, ada)

        (details,) = await desk.press(bo, check.controls["Details"])

        assert details.is_private
        assert "▸ failure: 100% (6 of 6)" in details.text

    async def test_the_same_press_delivered_twice_acts_once(self, desk: Desk, ada: Person) -> None:
        check = await failed_check(desk, ada)

        first = await desk.press(ada, check.controls["Push · 1 Luck"], "9001")
        second = await desk.press(ada, check.controls["Push · 1 Luck"], "9001")

        assert [sent.text for sent in first] == [sent.text for sent in second]

    async def test_a_refused_answer_still_tells_the_person_that_the_action_is_done(
        self, desk: Desk, ada: Person
    ) -> None:
        check = await failed_check(desk, ada)
        answered: Any = type("Answered", (), {"status": 400, "reason": "Bad Request"})()
        desk.wire.refusal = discord.HTTPException(answered, {"code": 50035, "message": "Invalid Form Body"})

        (told,) = await desk.press(ada, check.controls["Push · 1 Luck"])

        assert told.is_private
        assert told.text.startswith(
            r"Discord didn't accept my answer. It was done and saved all the same: see /log."
        )


class TestUndo:
    async def test_a_player_undoes_their_own_last_change(self, desk: Desk, ada: Person) -> None:
        await do(desk, ada, "spend")

        (told,) = await desk.type(ada, "/undo")

        assert told.text == r"**Alice** undoes\: Ada spends Luck" "\nAda: Luck 1 → 2"

    async def test_an_undo_that_involves_dice_needs_the_gms_press(
        self, desk: Desk, gm: Person, ada: Person
    ) -> None:
        check = await failed_check(desk, ada)
        (pushed,) = await desk.press(ada, check.controls["Push · 1 Luck"])

        (asked,) = await desk.press(ada, pushed.controls["Undo"])
        (stranger,) = await desk.press(ada, asked.controls["Undo it (GM)"])
        (done,) = await desk.press(gm, asked.controls["Undo it (GM)"])

        assert asked.text.startswith("**Alice** asks the GM to undo: **Ada** pushes")
        assert "It has a roll in it, so the GM decides. Rolls stay in the journal." in asked.text
        assert not asked.is_private
        assert (stranger.is_private, stranger.text.startswith("Only a GM can press that button.")) == (
            True,
            True,
        )
        assert (done.how, done.text) == ("edit", r"**Gwen** undoes\: Ada pushes" "\nAda: Luck 1 → 2")

    async def test_obstacles_to_an_undo_can_be_undone_together_with_it(self, desk: Desk, ada: Person) -> None:
        first = await do(desk, ada, "spend")
        await do(desk, ada, "spend")

        (blocked,) = await desk.press(ada, first.controls["Undo"])
        edited, told = await desk.press(ada, blocked.controls["Undo all 2"])

        assert blocked.is_private
        assert (edited.how, edited.text) == ("edit", "All of it is undone.")
        assert told.text == (
            r"**Alice** undoes\: Ada spends Luck"
            "\n"
            "Ada: Luck 0 → 2\n"
            r"Also undone\: Ada spends Luck."
        )

    @pytest.mark.parametrize("line", ["/undo", "/character list", "/character sheet"])
    async def test_undo_without_a_campaign_says_so(self, desk: Desk, neighbour: Person, line: str) -> None:
        (told,) = await desk.type(neighbour, line)

        assert told.is_private
        assert told.text == (
            "There is no campaign here yet. Someone with Manage Server can create one with /campaign create."
        )


EVENING = MORNING + 10 * 3600


class SlowFirst:
    """What the bot sends, of which the first change of a message arrives late."""

    def __init__(self, desk: Desk) -> None:
        self._request = desk.wire.request
        self.is_on_its_way = asyncio.Event()
        self.may_arrive = asyncio.Event()
        self.is_promised = asyncio.Event()
        self.is_changed_again = asyncio.Event()

    async def request(self, route: Any, session: Any, **given: Any) -> Any:
        """Take a request of discord.py's."""
        if not self.is_on_its_way.is_set():
            self.is_on_its_way.set()
            await self.may_arrive.wait()
            return await self._request(route, session, **given)
        taken = await self._request(route, session, **given)
        (self.is_promised if "callback" in route.path else self.is_changed_again).set()
        return taken


async def test_the_card_shows_everybody_who_answers_at_once(
    desk: Desk, gm: Person, ada: Person, bo: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    await meetings.plan(desk.bot.table, gm.asks(), "Friday", EVENING)
    slow, coming = SlowFirst(desk), press_id("meet", "yes", EVENING)
    monkeypatch.setattr(desk.wire, "request", slow.request)

    first = asyncio.create_task(desk.press(ada, coming))
    await slow.is_on_its_way.wait()
    second = asyncio.create_task(desk.press(bo, coming))
    await slow.is_promised.wait()
    slow.may_arrive.set()
    await asyncio.gather(first, second, slow.is_changed_again.wait())

    changes = [one.text for one in desk.wire.sent if one.how != "defer"]
    assert [("Alice" in one, "Bob" in one) for one in changes] == [(True, False), (True, True)]


KEEPS_FIGHTS = {"rpj", "post_magic_maid"}  # the other games' fights end with the session
SEVEN_HOURS = 7 * 3600


class Database:
    """A store with nothing in it, that can be away."""

    is_away = False

    async def read(self, _query: object) -> list[object]:
        if self.is_away:
            raise StoreUnavailable("The disk is full.")
        return []


async def test_each_outage_of_the_database_is_logged_once() -> None:
    database = Database()
    table = SimpleNamespace(store=database)
    unpressed = Unpressed(cast(Any, SimpleNamespace(table=table, pace=QUICK)))

    with capture_logs() as lines:
        for is_away in (True, True, True, False, True, True):
            database.is_away = is_away
            await unpressed.press_due()

    line = {"event": "prompts not looked after", "log_level": "warning", "reason": "The disk is full."}
    assert lines == [line, line]


@pytest.mark.parametrize("name", GAMES)
async def test_f_all_34_a_session_that_ends_by_itself_tells_what_became_of_its_fight(
    name: str, tmp_path: Path
) -> None:
    shown = GAMES[name]
    play = await sit_down(tmp_path, shown.game, shown.alices, shown.bobs)
    await play.types(play.gwen, "/session start")
    await play.types(play.alice, "/encounter start", others=shown.bobs)
    for _ in range(2):
        await play.types(play.gwen, "/encounter next")
    assert "Players: **" in (await play.types(play.alice, "/session status")).text
    play.clock.seconds += SEVEN_HOURS

    (watched,) = await watch.watched(play.table)
    assert await watch.end_if_due(play.table, watched) is not None
    (task,) = await live_rows.due(play.table, live_rows.RECAP)
    news = await watch.news_of(play.table, task)
    assert news is not None
    assert "Nothing needed a reset." not in ended_reply(*news).text

    goes_on = name in KEEPS_FIGHTS
    came, other = "A fight goes on in round 1", "The fight ended in round 1"
    if not goes_on:
        came, other = other, came
    recap = await play.types(play.gwen, "/session recap")
    for told in (ended_reply(*news).text, recap.text):
        assert told.count(came) == 1
        assert other not in told
    status = (await play.types(play.alice, "/encounter status")).text
    assert ("Round 1" in status) is goes_on
    assert ("There is no fight in this channel." in status) is not goes_on
    await get_up(play)


@pytest.mark.parametrize(
    ("dice", "break_", "why"),
    [
        ("d6:4 d6:6", "", "just enough"),
        ("d6:6 d6:5", "", "more than enough, which was rarer"),
        ("d6:5 d6:2", "d6:6", "a Lucky Break, which changed the chance afterwards"),
    ],
)
async def test_what_went_well_against_the_odds_has_the_chance_that_the_check_showed(
    dice: str, break_: str, why: str, tmp_path: Path
) -> None:
    play = await sit_down(tmp_path, rpj.RULESET, "Marit Vance", "Oskar Brandt")
    await play.types(play.gwen, "/session start")
    checked = await play.types(play.alice, "/rpj check", dice, skill="Concealment", difficulty="17+")
    if break_:
        await play.presses(play.alice, "Lucky Break", break_)

    recap = await play.types(play.gwen, "/session recap")

    assert "chance was 17%" in checked.text
    assert re.search(r"Roll of the evening: Marit Vance .*Con.* \(17%\)", recap.text), why
    await get_up(play)


async def test_a_roll_of_the_evening_that_beat_no_odds_is_told_with_its_outcome(tmp_path: Path) -> None:
    play = await sit_down(tmp_path, rpj.RULESET, "Marit Vance", "Oskar Brandt")
    await play.types(play.gwen, "/session start")
    await play.types(play.alice, "/rpj check", "d6:2 d6:3", skill="Concealment", difficulty="14+")
    await play.presses(play.alice, "Lucky Break", "d6:6")
    await play.presses(play.alice, "Undo")
    await play.presses(play.gwen, "Undo it")

    recap = await play.types(play.gwen, "/session recap")

    best = next(line for line in recap.text.splitlines() if line.startswith("Roll of the evening"))
    assert best.endswith("success, 2 degrees (33%, undone)"), best
    await get_up(play)


HOW = press_id("fair", "how")


def refusal(status: int = 404, code: int = 10062) -> discord.HTTPException:
    answered: Any = type("Answered", (), {"status": status, "reason": "Not Found"})()
    kinds = {404: discord.NotFound, 503: discord.DiscordServerError}
    return kinds.get(status, discord.HTTPException)(answered, {"code": code, "message": "Unknown"})


async def roll_in_vain(desk: Desk, who: Person, error: Exception) -> None:
    desk.wire.refusal = error
    assert await desk.type(who, "/roll", expression="1d1", label="stairs", secret=True) == []


async def told(desk: Desk, who: Person) -> list[Sent]:
    """What comes behind the answer to somebody's next press."""
    _answer, *more = await desk.press(who, HOW)
    return more


@pytest.mark.parametrize("error", [refusal(), refusal(503, 0), aiohttp.ServerDisconnectedError()])
async def test_a_saved_result_is_told_once_at_the_next_press(
    desk: Desk, gm: Person, ada: Person, clock: Clock, error: Exception
) -> None:
    await roll_in_vain(desk, gm, error)

    (missed,) = await told(desk, gm)

    assert (missed.how, missed.is_private) == ("follow-up", True)
    assert missed.text.startswith(
        f"Your roll at <t:{clock.seconds}:t> was saved, but Discord didn't take my answer:\n"
        "**Gwen** rolls stairs"
    )
    assert "Details" in missed.controls
    assert await told(desk, gm) == []
    assert await told(desk, ada) == []


async def test_a_saved_result_is_told_by_whoever_looks_after_its_server(desk: Desk, gm: Person) -> None:
    await roll_in_vain(desk, gm, refusal())
    desk.bot.missed.forget(ALL_SHARDS)
    assert await told(desk, gm) == []

    await desk.bot.missed.load()

    (missed,) = await told(desk, gm)
    assert "was saved" in missed.text


async def test_an_answer_that_got_through_before_is_not_told_again(desk: Desk, gm: Person) -> None:
    await roll_in_vain(desk, gm, refusal(400, 40060))

    assert await told(desk, gm) == []


async def test_a_result_that_was_told_is_not_told_again_when_something_later_fails(
    desk: Desk, gm: Person
) -> None:
    (sent,) = await desk.type(gm, "/roll", expression="1d1", secret=True)
    desk.wire.refusal = refusal()

    assert await desk.press(gm, sent.controls["Details"]) == []
    assert await told(desk, gm) == []


async def test_a_result_is_told_later_when_telling_fails_too(desk: Desk, gm: Person, clock: Clock) -> None:
    await roll_in_vain(desk, gm, refusal())
    interaction = desk.pressed(gm)
    await interaction.response.defer(ephemeral=True)
    desk.wire.refusal = refusal(503, 0)
    await desk.bot.missed.tell(interaction)

    assert await told(desk, gm) == []  # somebody may still be telling it
    clock.seconds += CLAIM_SECONDS

    (missed,) = await told(desk, gm)
    assert "was saved" in missed.text


async def test_a_form_is_not_followed_by_a_message(desk: Desk, gm: Person) -> None:
    await roll_in_vain(desk, gm, refusal())
    interaction = desk.pressed(gm)
    await interaction.response.send_modal(
        discord.ui.Modal(title="A form", custom_id="x").add_item(
            discord.ui.Label(text="A text", component=discord.ui.TextInput(custom_id="y"))
        )
    )
    before = len(desk.wire.sent)

    await desk.bot.missed.tell(interaction)

    assert len(desk.wire.sent) == before
    assert len(await told(desk, gm)) == 1


async def test_what_is_missed_while_something_else_is_told_is_told_next(
    desk: Desk, gm: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = watch.is_waiting

    async def misses_meanwhile(table: Table, request: Request) -> bool:
        is_waiting = await looks(table, request)
        monkeypatch.setattr(watch, "is_waiting", looks)
        await roll_in_vain(desk, gm, refusal())
        return is_waiting

    await roll_in_vain(desk, gm, refusal())
    monkeypatch.setattr(watch, "is_waiting", misses_meanwhile)
    interaction = desk.pressed(gm)
    await interaction.response.defer(ephemeral=True)
    await desk.bot.missed.tell(interaction)

    (missed,) = await told(desk, gm)
    assert "was saved" in missed.text


MAIDS = ("Nettle Quickwater", "Bram Ostergard")
SWIMMERS, RUNNERS = ("Sable Thornwick", "Ondra Kestrel"), ("Juno Marsh", "Otto Brandt")


@pytest.mark.parametrize(
    ("ruleset", "heroes", "typed", "understood"),
    [
        (swim_class.RULESET, SWIMMERS, "favourite", "favorite"),
        (swim_class.RULESET, SWIMMERS, "swim stabilise", "swim stabilize"),
        (compare_roll.RULESET, RUNNERS, "compare equip armour", "compare equip armor"),
        (compare_roll.RULESET, RUNNERS, "compare equip armor", "compare equip armor"),
    ],
)
async def test_what_commands_and_options_were_called_before_is_understood(
    tmp_path: Path, ruleset: Ruleset, heroes: tuple[str, str], typed: str, understood: str
) -> None:
    play = await sit_down(tmp_path, ruleset, *heroes)
    first, *more = typed.split()
    data: Any = {"name": first, "type": 1}
    place = data
    for number, word in enumerate(more, start=1):
        place["options"] = [{"name": word, "type": 1 if number == 1 else 3}]
        place = place["options"][0]

    command, options = play.desk.bot.tree._get_app_command_options(data)

    assert " ".join([command.qualified_name, *(one["name"] for one in options)]) == understood
    await get_up(play)


async def test_the_desk_says_who_asks_and_who_is_awaited(tmp_path: Path) -> None:
    marit, oskar = "Marit Vance", "Oskar Brandt"
    play = await sit_down(tmp_path, rpj.RULESET, marit, oskar)
    opposed = {"skill": "Diplomacy", "target": marit, "their_skill": "Read Person", "deed": "win the apple"}
    await play.types(play.bob, "/rpj-together opposed", **opposed)
    await play.types(play.alice, "/rpj-together assisted", skill="Dodge", helper=oskar, difficulty="11+")
    await play.types(play.gwen, "/rpj-gm group", skill="Dodge", members=oskar, difficulty="9+")

    await play.types(play.gwen, "/gm desk")

    awaited = [label for label, _value in play.messages[-1].choices["Remind …"]]
    assert awaited == [
        f"{marit}: {oskar} wants to check Diplomacy: win the apple against {marit}",
        f"{oskar}: {marit} asks for help from {oskar} with Dodge, against 11+",
        f"{marit} asks for help from {oskar} with Dodge, against 11+",
        f"{oskar}: group check: Dodge, against 9+",
    ]
    await get_up(play)


@pytest.mark.parametrize(
    ("ruleset", "heroes", "attack", "dice", "button", "defense"),
    [
        (
            swim_class.RULESET,
            SWIMMERS,
            {"targets": "Ondra Kestrel", "skill": "Basic Melee"},
            "d6:6",
            "Ondra Kestrel: Physical Defense",
            {},
        ),
        (
            post_magic_maid.RULESET,
            MAIDS,
            {"target": "Bram Ostergard", "first": "Dex", "second": "Str", "track": "blunt", "defended": True},
            "d20:18 d6:6",
            "Bram Ostergard defends",
            {"first": "Str", "second": "Wll"},
        ),
    ],
)
async def test_buttons_of_a_defense_go_when_somebody_has_typed_it(
    tmp_path: Path,
    ruleset: Ruleset,
    heroes: tuple[str, str],
    attack: dict[str, Any],
    dice: str,
    button: str,
    defense: dict[str, Any],
) -> None:
    play = await sit_down(tmp_path, ruleset, *heroes)
    await play.types(play.alice, f"/{ruleset.command} attack", dice, **attack)
    (message,) = [one for one in play.messages if any(label.startswith(button) for label in one.controls)]
    await play.types(play.bob, f"/{ruleset.command} defend", **defense)

    play.clock.seconds += 60
    await cast(Unpressed, play.desk.bot.get_cog("Unpressed")).press_due()
    await play.sees_the_undone()

    assert not [label for label in message.controls if "Bram" in label or "Ondra" in label]
    assert "can oppose" not in message.text
    await get_up(play)


@pytest.mark.parametrize("name", [name for name in GAMES if name != "sword_and_swarm"])
async def test_a_rest_of_nobody_says_whom_to_name(name: str, tmp_path: Path) -> None:
    shown = GAMES[name]
    play = await sit_down(tmp_path, shown.game, shown.alices, shown.bobs)

    refused = await play.types(play.gwen, "/gm rest", hours=8, now=True)

    assert refused.text == "Nobody has joined this rest. Name who rests, or let players join first."
    await get_up(play)
