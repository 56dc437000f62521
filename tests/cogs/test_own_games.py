"""Games of one's own at the table, from the file to the recap: typed and pressed through the real client."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

from bot.app.command_sync import server_definitions
from bot.rules.own.game_forms import skeletons
from bot.store.journalled_tables import from_text
from bot.store.records import CampaignId
from bot.table.characters import character_files, characters
from bot.table.journal import journal
from bot.table.journal.verify import export_lines, verify_lines
from bot.table.play import play as playing
from tests.cogs.own_games import (
    INES,
    TAM,
    begin,
    closed,
    does,
    fresh,
    imports,
    numbers,
    opened,
    read,
    restarted,
    wide,
)
from tests.cogs.played import Play
from tests.rules.own.games import WIDE, shipped
from tests.table.conftest import ELSEWHERE, Person

ONE_MORE = 'label = "One more", cost = ["guts - 1"], add = "deck", often = "paid"'


@pytest.fixture
async def play(tmp_path: Path) -> AsyncIterator[Play]:
    """A table that plays Salt and Signal: Alice plays Ines Moreau, Bob plays Tam Okafor."""
    play = await fresh(tmp_path)
    yield play
    await closed(play)


class TestAnEvening:
    async def test_goes_from_the_file_to_the_recap_and_over_a_restart(self, tmp_path: Path) -> None:
        play = await fresh(tmp_path)
        await play.types(play.gwen, "/session start")

        missed = await play.types(play.alice, "/salt roll", "d6:1 d6:2", what="Brave the weather")

        assert f"**{INES}** rolls Brave the weather · **Miss**" in missed.text
        assert "Marks 0/5 → 1/5 · Harm 0/4 → 1/4" in missed.text
        assert "The storm 0 → 1 of 6" in missed.text
        assert "chance was 58%" in missed.text
        assert missed.labels[0] == "Spend Luck · 58% better · 1 Luck"

        play = await restarted(play, tmp_path)
        refused = await play.presses(play.stranger, "Spend Luck")
        again = await play.presses(play.alice, "Spend Luck", "d6:6 d6:5")

        assert refused.is_private
        assert "Only its player or a GM" in refused.text
        assert "~~Miss~~ **Hit**" in again.text
        assert await numbers(play, INES) | {"bold": 0} == {
            "bold": 0,
            "calm": 1,
            "keen": -1,
            "odd": 2,
            "hold": 1,
            "luck": 0,
            "xp": 0,
            "harm": 0,
        }

        await play.types(play.gwen, "/salt set", what="Harm", value="2", target=TAM)
        mended = await play.types(play.alice, "/salt roll", "d6:6 d6:3", what="Mend somebody", at=TAM)
        asked = await play.types(play.gwen, "/gm ask", check="move", what="Listen to the radio")
        await play.types(play.gwen, "/session end")
        ended = await play.presses(play.gwen, "End the session")

        assert f"{TAM}: Harm 2/4 → 0/4" in mended.text
        assert f"{INES}: roll · 83%" in asked.labels
        assert "then reset to 1" in ended.text
        assert (await numbers(play, INES))["luck"] == 1
        assert (await numbers(play, INES))["hold"] == 0

        undone = await play.types(play.gwen, "/undo")

        assert f"{INES}: Hold 0/3 → 1/3 · Luck 1/1 → 0/1" in undone.text
        assert (await numbers(play, INES))["luck"] == 0
        await closed(play)

    async def test_its_journal_can_be_verified_by_itself(self, play: Play) -> None:
        await play.types(play.alice, "/salt roll", "d6:1 d6:2", what="Brave the weather")
        await play.presses(play.alice, "Spend Luck")
        await play.types(play.bob, "/salt roll", what="Make a move", answers="stat=Odd, bonus=1")
        lines = [line async for line in export_lines(play.table, play.gwen.asks())]

        report = verify_lines(lines)

        assert (report.rolls, report.faults) == (3, [])
        forged = [line.replace('is = \\"10+\\"', 'is = \\"9+\\"') for line in lines]
        assert forged != lines
        assert verify_lines(forged).faults

    @pytest.mark.parametrize(
        ("game", "hero", "other", "what", "dice", "said"),
        [
            ("lamp", "Oriel", "Brand", "Light a lamp", "d6:3 d6:6", "Success"),
            ("ash", "Juno Marsh", "Cole", "Take the wheel", "d100:37", "Success by 3"),
        ],
    )
    async def test_the_other_shipped_games_are_played_alike(
        self, tmp_path: Path, game: str, hero: str, other: str, what: str, dice: str, said: str
    ) -> None:
        play = await opened(tmp_path)
        await begin(play, game, hero, other)

        rolled = await play.types(play.alice, f"/{game} roll", dice, what=what)

        assert f"**{hero}** rolls {what} · **{said}**" in rolled.text
        await closed(play)

    @pytest.mark.parametrize(
        ("key", "change", "dice", "answers", "said"),
        [
            ("d100", ("", ""), "d100:58", "skill=sneak, hard=-20", "d100 **58** against 25"),
            (
                "d100",
                ('{ name = "Success", ', '{ name = "Hard", when = "n <= target / 2" }, { name = "Success", '),
                "d100:58",
                "skill=sneak",
                "d100 **58** against 22.5 and 45",
            ),
            ("d100", ("n <= target", "n <= 45"), "d100:58", "skill=sneak", "d100 **58**\n-# "),
            (
                "d20",
                ("", ""),
                "d20:9",
                "stat=quick, against=Hard",
                "d20 **9**\nRead: 9 + Quick 3 = 12 against 16.",
            ),
            ("d20", ("", ""), "d20:9", "stat=wise, against=Hard", "Read: 9 − Wise 1 = 8 against 16."),
            ("count", ("", ""), "d6:6 d6:1", "stat=quick, needed=3", "Read: hits 1 against 3."),
            (
                "count",
                ("pool >= 5", "pool <= needed"),
                "d6:6 d6:2",
                "stat=quick, needed=3",
                "Read: hits 1 against 3 (against 3 a die).",
            ),
            ("pool", ("sixes >= 2", "best > alarm"), "d6:6 d6:2", "skill=fight", "Read: best 6, sixes 1."),
        ],
    )
    async def test_a_result_says_what_the_dice_are_compared_with(
        self, tmp_path: Path, key: str, change: tuple[str, str], dice: str, answers: str, said: str
    ) -> None:
        play = await opened(tmp_path)
        text = skeletons()[key].text.replace(*change) if change[0] else skeletons()[key].text
        text = text.replace('label = "Alarm"', 'label = "Alarm", seen = "gm"')
        stats = {
            "d100": "sneak = 45",
            "d20": "quick = 3, wise = -1",
            "count": "quick = 2",
            "pool": "fight = 2",
        }
        hero = f'[heroes.one]\nlabel = "One"\nattributes = {{ {stats[key]} }}\n'
        await imports(play, f"{text}\n{hero}")
        await does(play, play.gwen, "/campaign create", ruleset="mygame", name="Night")
        await characters.take_ready_made(play.table, play.alice.asks(), "One")

        what = {"d100": "skill", "d20": "test", "count": "pool", "pool": "act"}[key]
        rolled = await play.types(play.alice, "/mygame roll", dice, what=what, answers=answers)

        assert said in read(rolled)
        await closed(play)

    @pytest.mark.parametrize(
        ("game", "act", "dice", "button", "again", "said"),
        [
            ("salt", "Brave the weather", "d6:1 d6:2", "Spend Luck", "d6:6 d6:6", "~~Miss~~ **Hit**"),
            ("lamp", "Light a lamp", "d6:1 d6:4", "Burn oil", "d6:6", "~~Mixed~~ **Success**"),
            ("ash", "Take the wheel", "d100:62", "Push", "d100:44", "~~Failure by 0~~ **Critical**"),
        ],
    )
    async def test_is_played_by_presses_only(
        self, tmp_path: Path, game: str, act: str, dice: str, button: str, again: str, said: str
    ) -> None:
        play = await opened(tmp_path)
        await imports(play, shipped(game))
        await does(play, play.gwen, "/campaign create", ruleset=game, name="Night")
        for who, place in ((play.alice, 0), (play.bob, 1)):
            await play.presses(who, "Ready-made hero")
            heroes = play.messages[-1].choices["Play a ready-made hero …"]
            await play.chooses(who, "Play a ready-made hero", heroes[place][0])
        await play.presses(play.gwen, "Desk")
        await play.presses(play.gwen, "Start session")
        await play.presses(play.alice, "My sheet")

        await play.presses(play.alice, act, dice)
        better = await play.presses(play.alice, button, again)
        await play.presses(play.gwen, "Desk")
        await play.presses(play.gwen, "End session")
        await play.presses(play.gwen, "End the session")

        assert said in better.text
        assert any("**Session 1 ended**" in one.text for one in play.messages)
        await closed(play)

    async def test_the_sheet_and_its_controls_show_what_one_can_do(self, play: Play) -> None:
        sheet = await play.types(play.alice, "/character sheet")
        opened = await play.types(play.alice, "/sheet")

        assert "Bold 0 · Calm 1 · Keen −1 · Odd 2" in sheet.text
        assert "Hold 0/3" in sheet.alt
        assert "Wet sleeves, always." in sheet.text
        assert opened.is_private

    async def test_rules_odds_and_completion_come_from_the_file(self, play: Play) -> None:
        rules = await play.types(play.alice, "/rules", about="storm")
        odds = await play.types(play.alice, "/salt odds", what="Make a move", answers="stat=Odd")
        offered = await play.desk.complete(play.alice, "/salt roll", "what", "l")
        answers = await play.desk.complete(play.alice, "/salt roll", "answers", "stat=B", what="Make a move")

        assert "It comes closer with every miss." in rules.text
        assert "Hit 42%" in odds.alt
        assert f"for {INES}" in odds.text
        assert "Listen to the radio" in offered
        assert answers == ["stat=Bold"]


class TestThings:
    async def test_are_given_used_up_and_dropped_and_entries_written_on_the_sheet(
        self, tmp_path: Path
    ) -> None:
        play = await wide(tmp_path)
        await play.types(play.gwen, "/wide give", item="Torch", target="Mo")
        full = await play.types(play.gwen, "/wide give", item="Anvil", target="Mo")
        await play.types(play.alice, "/sheet")
        await play.presses(play.alice, "Use …")
        used = await play.chooses(play.alice, "Use …", "Use Torch", "d4:2")
        await play.types(play.alice, "/wide use", item="Torch")
        spent = await play.types(play.alice, "/wide use", item="Torch")
        rested = await play.types(play.gwen, "/wide event", event="rest")
        await play.presses(play.alice, "Grow …")
        await play.chooses(play.alice, "Grow …", "Write under Bonds")
        wrong = await play.writes(play.alice, name="The smith", value="9")
        await play.chooses(play.alice, "Grow …", "Write under Bonds")
        noted = await play.writes(play.alice, name="The smith", value="3")

        assert "Mo has no room for Anvil. Drop something first." in full.text
        assert "Doom 0/5 → 2/5 · Torch 2/2 → 1/2" in used.text
        assert "Torch is used up. It returns at: rest." in read(spent)
        assert "Torch 0/2 → 2/2" in rested.text
        assert "It is one of 1, 2, 3." in wrong.text
        assert "The smith none → 3" in noted.text
        await closed(play)

    async def test_a_usage_die_that_is_gone_pays_nothing_and_returns_with_a_reset(
        self, tmp_path: Path
    ) -> None:
        play = await wide(tmp_path)
        await play.types(play.gwen, "/wide set", what="Oil", value="d4", target="Mo")
        await play.types(play.alice, "/wide roll", "d6:1 d6:1 d6:2", what="Push", answers="stat=Hand")

        last = await play.presses(play.alice, "Add one", "d6:5")
        rolled = await play.types(
            play.alice, "/wide roll", "d6:1 d6:1 d6:2", what="Push", answers="stat=Hand"
        )
        rested = await play.types(play.gwen, "/wide event", event="rest")

        assert "Oil d4 → none" in last.text
        assert not [label for label in rolled.labels if label.startswith("Add one")]
        assert "Oil none → d8" in rested.text
        await closed(play)

    async def test_a_number_in_a_moves_name_stays_in_its_button(self, tmp_path: Path) -> None:
        play = await opened(tmp_path)
        await imports(play, shipped("salt").replace("Listen to the radio", "Listen on channel 9"))
        await does(play, play.gwen, "/campaign create", ruleset="salt", name="The Long Night")
        await characters.take_ready_made(play.table, play.alice.asks(), INES)

        sheet = await play.types(play.alice, "/sheet")

        assert "Listen on channel 9 · 83%" in sheet.labels
        await closed(play)

    async def test_one_more_card_is_drawn_from_those_that_are_left(self, tmp_path: Path) -> None:
        cards = WIDE.replace('label = "Draw again", cost = ["guts - 1"], reroll = "all"', ONE_MORE)
        read_too = 'low = "lowest deck", last = "suit deck" }\nvalue = "low"'
        cards = cards.replace('high = "highest deck" }', read_too).replace('"2 cards"', '"2 cards of 54"')
        play = await wide(tmp_path, cards)

        drawn = await play.types(play.alice, "/wide roll", "d54:1 d53:1", what="Draw")
        await play.presses(play.alice, "One more · 1 Guts", "d52:52")
        more = await play.presses(play.alice, "One more · 1 Guts", "d51:51")
        report = verify_lines([line async for line in export_lines(play.table, play.gwen.asks())])

        assert "2♣ 2♦\nRead: low 2, last diamonds." in read(drawn)
        assert "2♣ 2♦ Joker Joker" in more.text
        assert (report.rolls, report.faults) == (3, [])
        await closed(play)


class TestResets:
    async def test_dice_at_a_session_end_are_rolled_by_a_button(self, tmp_path: Path) -> None:
        play = await wide(tmp_path)
        await play.types(play.gwen, "/session start")
        await play.types(play.gwen, "/wide set", what="Doom", value="4", target="Mo")
        await play.types(play.gwen, "/session end")
        await play.presses(play.gwen, "End the session")

        refused = await play.presses(play.alice, "Roll for “session end”")
        rolled = await play.presses(play.gwen, "Roll for “session end”", "d4:3")

        assert refused.is_private
        assert "Doom 4/5 → 1/5" in rolled.text
        assert (await numbers(play, "Mo"))["doom"] == 1
        await closed(play)


class TestACharacterFile:
    async def test_carries_its_game_and_moves_to_the_version_played(self, play: Play) -> None:
        _name, content = await character_files.export(play.table, play.alice.asks(), None)
        elsewhere = Person(8, "Ada", play.gwen.interactions, ELSEWHERE, manages_server=True)
        await imports(play, second_version(), elsewhere)
        await does(play, elsewhere, "/campaign create", ruleset="salt", name="Theirs")

        await character_files.import_(play.table, elsewhere.asks(), content)

        assert json.loads(content)["game"] == shipped("salt")
        stored = await play.table.store.read(lambda reader: reader.characters(ELSEWHERE, CampaignId(1))[0])
        brought = from_text(stored.sheet)["numbers"]
        assert (stored.name, brought["brave"], brought["odd"]) == (INES, 0, 1)


class TestMakingACharacter:
    async def test_goes_page_by_page_with_a_playbook_dice_and_points(self, tmp_path: Path) -> None:
        play = await wide(tmp_path)

        await play.types(play.stranger, "/character create")
        await play.chooses(play.stranger, "Choose a playbook", "Scout")
        await play.presses(play.stranger, "Next")
        rolled = await play.presses(play.stranger, "Roll the dice", "d4:3 d4:2")
        await play.presses(play.stranger, "Next")
        await play.chooses(play.stranger, "Eye", "+3")
        missing = await play.chooses(play.stranger, "Hand", "+2")
        await play.chooses(play.stranger, "Hand", "+0")
        spent = await play.presses(play.stranger, "Spend the rest for me")
        there = await play.presses(play.stranger, "Next")

        assert "Grit 5" in rolled.text
        assert "You spent 5 of 4 points." in missing.text
        assert "Spend the rest for me" not in spent.labels
        assert "In words" in there.text
        await closed(play)

    async def test_spreads_the_rest_from_the_highest_on_and_keeps_what_was_chosen(self, play: Play) -> None:
        await play.types(play.stranger, "/character create")
        await play.chooses(play.stranger, "Calm", "+2")
        await play.presses(play.stranger, "Spend the rest for me")
        await play.presses(play.stranger, "Next")
        await play.presses(play.stranger, "Next")
        await play.presses(play.stranger, "Enter a name")
        await play.writes(play.stranger, name="Wren")
        await play.presses(play.stranger, "Finish")

        made = await numbers(play, "Wren")
        assert [made[name] for name in ("bold", "calm", "keen", "odd")] == [1, 2, 0, -1]


class TestHelp:
    async def test_lists_the_commands_of_the_game_that_is_played_here(self, play: Play) -> None:
        for_a_player = await play.types(play.alice, "/help")
        for_the_gm = await play.types(play.gwen, "/help")

        assert "/salt roll" in for_a_player.text
        assert "/salt event" not in for_a_player.text
        assert "/salt roll" in for_the_gm.text


class TestUndo:
    DEEDS: ClassVar[tuple[tuple[str, dict[str, Any]], ...]] = (
        ("roll", {"what": "push", "first": "hand"}),
        ("roll", {"what": "spy"}),
        ("roll", {"what": "bond"}),
        ("roll", {"what": "make"}),
        ("roll", {"what": "fate"}),
        ("roll", {"what": "rally", "at": "Mo"}),
        ("roll", {"what": "wrestle", "at": "Ada"}),
        ("take", {"item": "torch", "target": "Mo"}),
        ("use", {"item": "torch"}),
        ("drop", {"item": "torch"}),
        ("entry", {"kind": "bonds", "name": "The smith", "value": "3"}),
        ("change", {"what": "doom", "by": 3, "target": "Mo"}),
        ("set", {"what": "oil", "value": "d4", "target": "Mo"}),
        ("change", {"what": "night", "by": 2}),
        ("event", {"event": "rest"}),
        ("roll", {"what": "push", "first": "eye"}),
    )

    async def test_takes_back_whatever_was_done_one_after_the_other(self, tmp_path: Path) -> None:
        play = await wide(tmp_path)

        async def state() -> tuple[Any, ...]:
            clocks = await play.document("clocks")
            return (await play.kept("Mo")).sheet, (await play.kept("Ada")).sheet, clocks

        before, done = [await state()], []
        for procedure, given in self.DEEDS:
            asked = play.gwen.asks()
            done.append(await playing.perform(play.table, asked, procedure, given, acting="Mo"))
            before.append(await state())

        assert len(set(map(str, before))) > len(self.DEEDS) // 2
        for was, result in zip(reversed(before[:-1]), reversed(done), strict=True):
            if result.can_undo:
                await journal.undo(play.table, play.gwen.asks(), result.entry)
            assert await state() == was
        await closed(play)


class TestWhoMay:
    async def test_a_player_publishes_nothing(self, play: Play) -> None:
        said = await imports(play, shipped("lamp"), play.alice)

        assert said.is_private
        assert "Only a GM can do that" in said.text

    async def test_another_server_knows_nothing_of_it(self, play: Play) -> None:
        elsewhere = Person(8, "Ada", play.gwen.interactions, ELSEWHERE, manages_server=True)

        listed = await does(play, elsewhere, "/game list")
        made = await does(play, elsewhere, "/campaign create", ruleset="salt", name="Theirs")
        typed = await does(play, elsewhere, "/salt roll", what="Brave the weather")

        assert "None yet." in listed.text
        assert "There is no game called “salt”." in made.text
        assert "There is no campaign here yet." in typed.text

    async def test_a_server_has_the_command_of_the_games_it_plays(self, play: Play) -> None:
        found = server_definitions(play.desk.bot, ["own/salt"])

        assert [one["name"] for one in found] == ["odds", "salt"]
        assert [one["name"] for one in found[0]["options"]][-1] == "salt"
        assert server_definitions(play.desk.bot, []) == []

    async def test_has_its_page_of_odds(self, play: Play) -> None:
        under_its_name = await does(play, play.alice, "/salt odds", what="Brave the weather")
        under_odds = await does(play, play.alice, "/odds salt", what="Brave the weather")

        assert "Hit" in under_odds.alt
        assert (under_odds.text, under_odds.alt) == (under_its_name.text, under_its_name.alt)

    async def test_a_player_never_reads_of_a_hidden_clock(self, tmp_path: Path) -> None:
        play = await opened(tmp_path)
        await begin(play, "lamp", "Oriel", "Brand")
        offered = await play.desk.complete(play.alice, "/lamp roll", "answers", "clock=", what="Act")
        to_set = [
            await play.desk.complete(who, "/lamp set", "what", "the") for who in (play.alice, play.gwen)
        ]

        guessed = await play.types(play.alice, "/lamp roll", what="Act", answers="clock=watch")
        none = await play.types(play.alice, "/lamp roll", "d6:6", what="Act", answers="clock=none")
        by_the_move = await play.types(play.alice, "/lamp roll", "d6:6", what="Follow somebody")
        by_the_gm = await play.types(
            play.gwen, "/lamp roll", "d6:6", what="Act", answers="clock=The watch", **{"as": "Oriel"}
        )
        shown = [await play.types(who, "/lamp clocks") for who in (play.alice, play.stranger, play.gwen)]

        assert offered == ["clock=Alarm", "clock=none"]
        assert to_set == [[], ["The watch"]]
        assert "There are: Alarm, No clock." in read(guessed)
        assert "**Success**" in none.text
        assert "watch" not in (by_the_move.text + none.text + shown[0].text + shown[1].text)
        assert "The watch" in by_the_gm.text
        assert "The watch 2 of 6" in shown[2].text
        assert shown[2].is_private
        await closed(play)

    async def test_a_player_sets_nothing_and_calls_no_event(self, play: Play) -> None:
        for line, options in (
            ("/salt set", {"what": "Harm", "value": "0", "target": INES}),
            ("/salt event", {"event": "rest"}),
        ):
            said = await play.types(play.alice, line, **options)

            assert said.is_private
            assert "Only a GM" in said.text


class TestMistakes:
    async def test_a_wrong_file_is_told_with_its_lines_and_changes_nothing(self, play: Play) -> None:
        said = await imports(play, shipped("salt").replace('stat = "odd"', 'stat = "odf"'))
        listed = await does(play, play.gwen, "/game list")

        assert "line 53, [moves.listen] with: “odf” is no attribute. Did you mean “odd”?" in read(said)
        assert "version 1" in listed.text

    async def test_a_game_cannot_take_a_command_of_the_bot(self, play: Play) -> None:
        said = await imports(play, shipped("salt").replace('command = "salt"', 'command = "session"'))

        assert "/session is already a command." in said.text

    async def test_a_server_has_ten_games_at_most(self, play: Play) -> None:
        for number in range(2, 11):
            await imports(play, shipped("salt").replace('command = "salt"', f'command = "salt{number}"'))

        said = await imports(play, shipped("salt").replace('command = "salt"', 'command = "salt11"'))

        assert "A server can have 10 games of its own." in said.text

    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({"what": "Brave the wether"}, "Did you mean Brave the weather?"),
            ({"what": "nonsense"}, "There is no move or check called “nonsense”."),
            ({"what": "Make a move", "answers": "stat=Brawn"}, "There is no stat called “Brawn”."),
            ({"what": "Make a move", "answers": "bonus=9"}, "“bonus” should be from -2 to 2."),
            ({"what": "Make a move", "answers": "luck=1"}, "answers nothing that Make a move asks"),
            ({"what": "Use what you know"}, "Use what you know can't be done now."),
            ({"what": "Mend somebody"}, "Say whom it is aimed at."),
            ({"what": "Mend somebody", "at": "Nobody"}, "There is no character called “Nobody” here."),
        ],
    )
    async def test_what_is_wrong_is_told_to_whoever_typed_it(
        self, play: Play, options: dict[str, str], said: str
    ) -> None:
        before = await numbers(play, INES)

        told = await play.types(play.alice, "/salt roll", **options)

        assert told.is_private
        assert said in told.text
        assert await numbers(play, INES) == before


CHANGED = (
    ("version = 1", "version = 2"),
    (
        'bold = { label = "Bold", min = -2, max = 3 }',
        'brave = { label = "Brave", min = -2, max = 3, was = "bold" }',
    ),
    ('stat = "bold"', 'stat = "brave"'),
    ("bold = ", "brave = "),
    ('odd  = { label = "Odd",  min = -2, max = 3 }', 'odd  = { label = "Odd",  min = -2, max = 1 }'),
    ("odd = 2", "odd = 1"),
    ("spread = [2, 1, 0, -1]", "spread = [1, 1, 0, -1]"),
    ('hold = { label = "Hold",  start = 0, max = 3, reset = "session end" }\n', ""),
    (' Hit = ["hold + 1"],', ""),
    ('Hit = ["hold + 2"], "At cost" = ["hold + 1"], ', ""),
    ('when  = "hold > 0"\ncost  = ["hold - 1"]\n', ""),
)


def second_version() -> str:
    """Salt and Signal with a renamed attribute, a lowered cap, and without hold."""
    text = shipped("salt")
    for old, new in CHANGED:
        assert old in text, old
        text = text.replace(old, new)
    return text.replace('"At cost" = ["harm + 1"], Miss = ["storm + 1", "harm + 1"]', 'Miss = ["storm + 1"]')


class TestANewVersion:
    async def test_says_whom_it_touches_before_anything_changes(self, play: Play) -> None:
        await play.types(play.alice, "/salt roll", "d6:6 d6:5", what="Brave the weather")

        said = await imports(play, second_version())

        assert "Bold becomes Brave (renamed attribute)." in read(said)
        assert "Hold goes (counter). Its values sleep." in read(said)
        assert f"{INES}, Odd: 2 → 1" in read(said)
        assert f"{INES}, Hold: 1 → asleep" in read(said)
        assert "Nothing has changed yet." in said.text
        assert (await numbers(play, INES))["bold"] == 0

    async def test_moves_clamps_and_lets_sleep_in_one_entry_that_can_be_undone(self, play: Play) -> None:
        await play.types(play.alice, "/salt roll", "d6:6 d6:5", what="Brave the weather")
        before = await numbers(play, INES)
        await imports(play, second_version())

        published = await play.presses(play.gwen, "Publish")

        assert "is published, version 2." in published.text
        after = await numbers(play, INES)
        assert (after["brave"], after["odd"], after["hold"]) == (0, 1, 1)
        sheet = await play.types(play.alice, "/character sheet")
        assert "Brave 0 · Calm 1 · Keen −1 · Odd 1" in sheet.text
        assert "Hold" not in sheet.text

        await play.types(play.gwen, "/undo")

        assert await numbers(play, INES) == before
        sheet = await play.types(play.alice, "/character sheet")
        assert "Bold 0 · Calm 1 · Keen −1 · Odd 2" in sheet.text

    async def test_is_undone_in_one_campaign_alone_and_says_so(self, play: Play) -> None:
        await does(play, play.gwen, "/campaign create", ruleset="salt", name="Far away")
        shown = await imports(play, second_version())
        published = await play.presses(play.gwen, "Publish")
        await play.types(play.gwen, "/undo")
        campaigns = await play.table.store.read(lambda reader: reader.campaigns(play.gwen.server))
        by_name = {one.name: one.settings["own_game"] for one in campaigns}

        assert f"The Long Night: {INES}, Odd: 2 → 1" in read(shown)
        assert "/undo takes it back in one campaign alone." in published.text
        assert by_name["The Long Night"] != by_name["Far away"]

    async def test_a_number_returns_with_its_name(self, play: Play) -> None:
        await play.types(play.alice, "/salt roll", "d6:6 d6:5", what="Brave the weather")
        await imports(play, second_version())
        await play.presses(play.gwen, "Publish")

        back = await imports(play, shipped("salt").replace("version = 1", "version = 3"))
        await play.presses(play.gwen, "Publish")

        assert f"{INES}, Hold: asleep → 1" in read(back)
        assert (await numbers(play, INES))["hold"] == 1

    async def test_a_button_keeps_the_version_it_was_made_under(self, play: Play) -> None:
        await play.types(play.alice, "/salt roll", "d6:1 d6:2", what="Listen to the radio")
        harder = shipped("salt").replace('is = "10+"', 'is = "11+"').replace('is = "7-9"', 'is = "7-10"')
        await imports(play, harder)
        await play.presses(play.gwen, "Publish")

        again = await play.presses(play.alice, "Spend Luck", "d6:4 d6:4")
        new = await play.types(play.bob, "/salt roll", "d6:6 d6:4", what="Make a move", answers="stat=calm")
        lines = [line async for line in export_lines(play.table, play.gwen.asks())]

        assert "**Hit**" in again.text  # 8 + 2 = 10
        assert "**At cost**" in new.text  # 10 + 0
        assert verify_lines(lines).faults == []

    async def test_takes_only_labels_and_additions_while_a_session_runs(self, play: Play) -> None:
        await play.types(play.gwen, "/session start")
        await imports(play, second_version())
        refused = await play.presses(play.gwen, "Publish")
        await imports(play, shipped("salt").replace('label = "Luck"', 'label = "Fortune"'))
        published = await play.presses(play.gwen, "Publish")

        assert "publish only labels and additions now" in refused.text
        assert "is published, version 2." in published.text
        assert "Fortune 1/1" in (await play.types(play.alice, "/character sheet")).alt

    async def test_a_draft_that_is_discarded_changes_nothing(self, play: Play) -> None:
        await imports(play, second_version())

        publish = play.messages[-1].controls["Publish"]
        await play.presses(play.gwen, "Discard")
        (twice,) = await play.desk.press(play.gwen, publish)

        assert "There is no draft any more." in twice.text
        assert (await numbers(play, INES))["bold"] == 0
