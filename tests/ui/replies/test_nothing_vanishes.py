"""Whatever is rolled in whatever game: a public message says what came of it, however short it is made.

Its dice, its outcome, who is hit or down, and what must happen next stand there; see `ranked_lines`.
"""

import asyncio
import re
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.rules import rulesets
from bot.rules.kernel import Die, Fact, FactKind, FollowUp, Roll, Verdict, kind_of
from bot.rules.kernel.errors import UserError
from bot.store.records import CharacterRecord, EntryId
from bot.store.transaction import Reader
from bot.table.base.results import OpenFollowUp, Result
from bot.table.base.table import Table
from bot.table.base.turn import ReadTurn
from bot.table.campaigns import campaigns
from bot.table.characters import characters, controls
from bot.table.characters.seats import keyed, take_seat
from bot.table.gm import gm
from bot.table.journal.shared_prompts import access_of_nobody, shown
from bot.table.play import play
from bot.table.play.play import FormWanted, Given
from bot.ui.live.result_messages import reply_of
from bot.ui.replies.ranked_lines import MORE, RankedLine, shortened
from bot.ui.replies.result_replies import shown_rolls
from bot.ui.text.roll_text import TALLEST_REPLY, die_text, escape, height
from tests.databases import opened, prepared_file
from tests.table.conftest import HOME, Clock, Interactions, Person, Secrets

GAMES = rulesets()
ACTS = 10
FEW_DICE = 12  # more of one roll are counted by face


@dataclass
class Evening:
    """A table with two heroes and two foes in a fight, and everything that can be pressed there.

    Attributes:
        table: The table.
        people: Who plays each of the four.
        gwen: The GM.
        cast: The four.
        open: What has been offered so far.
    """

    table: Table
    people: dict[str, Person]
    gwen: Person
    cast: tuple[CharacterRecord, ...]
    open: list[OpenFollowUp] = field(default_factory=list)

    async def acts(self, data: st.DataObject) -> EntryId | None:
        """Do something that somebody's sheet offers."""
        one = data.draw(st.sampled_from(self.cast))
        person = self.people.get(one.name, self.gwen)

        def offered(reader: Reader) -> dict[str, FollowUp]:
            seat = take_seat(ReadTurn(self.table, reader, person.asks()), one.id)
            return {key: act.do for key, act in keyed(seat.acts()).items() if not act.why_not}

        acts = await self.table.store.read(offered)
        if not acts:
            return None
        key = data.draw(st.sampled_from(sorted(acts)))
        now = (await controls.open_controls(self.table, person.asks(), one.id)).now
        return await self._note(
            controls.take(self.table, person.asks(), one.id, key, now, given=_given(data, acts[key]))
        )

    async def presses(self, data: st.DataObject) -> EntryId | None:
        """Press something that stands under a message, the newest rather than an older one."""
        if not self.open:
            return None
        one = self.open[-1 - data.draw(st.integers(0, min(len(self.open) - 1, 5)))]
        given_ = _given(data, one.follow_up)

        async def press() -> Result:
            pressed = await play.press(self.table, self.gwen.asks(), one.id, given_.chosen, given_.written)
            return pressed.result

        return await self._note(press())

    async def _note(self, done: "asyncio.Future[Result] | object") -> EntryId | None:
        try:
            result: Result = await done  # type: ignore[misc]  # a coroutine of whichever act it was
        except (UserError, FormWanted):
            return None
        self.open += result.follow_ups
        return result.entry

    async def sees(self, entry: EntryId) -> Result | None:
        """Return the public message of an entry as it stands now."""

        def read(reader: Reader) -> Result | None:
            access = access_of_nobody(self.table, reader, HOME, reader.campaigns(HOME)[0].id)
            found = reader.entry(HOME, entry)
            return (
                None if access is None or found is None or found.is_secret else shown(reader, access, found)
            )

        return await self.table.store.read(read)


def _given(data: st.DataObject, offered: FollowUp) -> Given:
    """What is chosen and written for a press."""
    chosen = data.draw(st.sampled_from(offered.choices)).value if offered.choices else None
    return Given(chosen, {one.key: "2" for one in offered.blanks if not one.choices})


@asynccontextmanager
async def evening(game: str, folder: str, first: int) -> AsyncIterator[Evening]:
    """Begin a fight of a game; its dice follow from the number of the first request."""
    async with opened(prepared_file(Path(folder))) as store:
        table = Table(store=store, games={game: GAMES[game]}, now=Clock(), new_secret=Secrets())
        asked = Interactions(first)
        gwen = Person(1, "Gwen", asked, manages_server=True)
        heroes = [*GAMES[game].creation.offered(GAMES[game].settings())][:2]
        people = {name: Person(2 + at, name, asked) for at, name in enumerate(heroes)}
        await campaigns.create(table, gwen.asks(), game, "The Long Road")
        for name, person in people.items():
            await characters.take_ready_made(table, person.asks(), name)
        for foe in ("Raider", "Wolf"):
            await gm.make_npc(table, gwen.asks(), foe)
        campaign = await store.read(lambda reader: reader.campaigns(HOME)[0])
        everybody = (*heroes, "Raider", "Wolf")
        await play.perform(table, gwen.asks(), "encounter.start", {"others": everybody})
        cast = await store.read(
            lambda reader: tuple(reader.character_named(HOME, campaign.id, name) for name in everybody)
        )
        yield Evening(table, people, gwen, tuple(one for one in cast if one is not None))


def vital_lines(result: Result) -> Iterator[str]:
    """What a message must say besides its dice."""
    for one in result.all_of_it:
        if one.message.verdict is not None:
            yield escape(one.message.verdict.title)
        yield from (Fact(escape(note), kind_of(note)) for note in one.message.notes if kind_of(note).stays)
        for line in one.message.changes:
            if kind_of(line.what).stays:
                yield f"{escape(line.what)} {escape(line.before)} → {escape(line.after)}"
        yield from (escape(open_.follow_up.note) for open_ in one.follow_ups)
    if result.gathering is not None:
        verdicts: list[Verdict | None] = [result.gathering.view.verdict]
        verdicts += [part.verdict for part in result.gathering.view.parts]
        yield from (escape(verdict.title) for verdict in verdicts if verdict)


def rolls_in(result: Result) -> list[Roll]:
    """The rolls that a message tells of."""
    rolls = [roll for one in result.all_of_it for roll in shown_rolls(one)]
    if result.gathering is not None:
        rolls += [roll.as_rolled for part in result.gathering.view.parts for roll in part.rolls]
    return rolls


def missing_dice(text: str, rolls: list[Roll]) -> list[str]:
    """The dice that a text does not show."""
    wanted: Counter[str] = Counter()
    for roll in rolls:
        dice: list[Die] = [*roll.earlier, *roll.dice]
        if roll.rule == "notation":
            continue
        if len(dice) + len(roll.facing) <= FEW_DICE:
            wanted.update(die_text(die).replace("~", "").replace("*", "") for die in dice)
    plain = text.replace("~", "").replace("*", "")
    return [die for die, count in wanted.items() if plain.count(die) < count]


def check(result: Result) -> None:
    """Nothing that must be told is missing, and the message is as short as that lets it be."""
    if not result.message.is_public or result.is_undone:
        return
    reply = reply_of(result)
    text = reply.unpictured or reply.text
    vital = [line for line in vital_lines(result) if line]
    read = re.sub(r"\\(.)", r"\1", "\n".join([reply.text, *(one.alt for one in reply.files)]))
    told = [re.sub(r"\\(.)", r"\1", line) for line in vital if kind_of(line) is not FactKind.SUM]

    assert missing_dice(text, rolls_in(result)) == [], text
    assert [line for line in vital if line not in text] == [], text
    assert height([text]) <= TALLEST_REPLY + height(vital), text
    assert [line for line in told if line not in read] == [], read


@pytest.mark.parametrize("game", GAMES)
def test_a_message_has_every_die_outcome_wound_and_open_question(game: str) -> None:
    @settings(deadline=None, max_examples=12)
    @given(st.data())
    def whatever_is_done(data: st.DataObject) -> None:
        async def play_on() -> None:
            with tempfile.TemporaryDirectory() as folder:
                async with evening(game, folder, data.draw(st.integers(1000, 9000))) as table:
                    for _ in range(ACTS):
                        does = data.draw(st.sampled_from((table.acts, table.presses)))
                        entry = await does(data)
                        result = None if entry is None else await table.sees(entry)
                        if result is not None:
                            check(result)

        asyncio.run(play_on())

    whatever_is_done()


def test_tall_lines_that_cannot_be_joined_are_left_to_the_details() -> None:
    tall = [RankedLine(f"**{name}** " + "long " * 200) for name in ("Ash", "Bo")]

    lines, is_cut = shortened(lambda _before, _latest: tall)

    assert is_cut
    assert lines == [tall[0].text, MORE]
