"""A game as people play it: what they type and press goes through the real client, and the dice fall as told.

play = await sit_down(tmp_path, RULESET, alices="Juno Marsh", bobs="Kit Vane")
said = await play.types(play.alice, "/compare roll", "d12:4 d12:9 d6:3 d6:3", skill="Stealth")
await play.presses(play.alice, "Take it", hears="Stress 0 → 1")
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.playground.discord.payloads import walk_components
from bot.rules.kernel import Ruleset
from bot.store.records import CampaignRecord, CharacterRecord
from bot.store.sqlite import open_store
from bot.table import watch
from bot.table.base import live_rows
from bot.table.base.table import Table
from bot.table.campaigns import campaign_settings, campaigns
from bot.table.characters import characters
from bot.table.encounters import encounters
from bot.table.encounters.encounters import FightPlace, Look
from bot.table.gm import gm
from bot.table.play.play import Pressed
from bot.ui.input.presses import press_id
from bot.ui.live.fight_board import board_reply
from bot.ui.replies.result_replies import result_reply
from bot.ui.text.reply import Button
from tests.cogs.desk import Desk, Filled, Sent, Under, open_desk
from tests.databases import prepared_file
from tests.dice import fair_interaction, falls
from tests.table.conftest import HOME, Clock, Interactions, Person, Secrets


@dataclass(slots=True)
class Message:
    """Something that stands in the channel, or that one person alone sees.

    Attributes:
        text: What it says now.
        controls: What can be pressed or chosen under it now, with their ids.
        choices: The choices of its menus: what is read, and its value.
        reader: Who alone sees it, or None.
        id: Its id.
    """

    text: str
    controls: dict[str, str]
    choices: dict[str, list[tuple[str, str]]]
    reader: int | None = None
    id: int = 77

    @property
    def under(self) -> Under:
        """What is pressed stands under it."""
        return Under(self.id, is_private=self.reader is not None)

    def edit(self, sent: Sent) -> None:
        """Show what it was edited to."""
        self.text, self.controls, self.choices = sent.text, sent.controls, _choices(sent)


@dataclass(frozen=True, slots=True)
class Said:
    """What came of something typed or pressed.

    Attributes:
        sent: Everything that was sent.
    """

    sent: tuple[Sent, ...]

    @property
    def text(self) -> str:
        """All of it as it reads."""
        return "\n".join(one.text for one in self.sent if one.text)

    @property
    def alt(self) -> str:
        """What is read aloud of its pictures."""
        return "\n".join(one.alt for one in self.sent if one.alt)

    @property
    def is_private(self) -> bool:
        """Whether nobody else has seen anything of it."""
        return all(one.is_private for one in self.sent)

    @property
    def labels(self) -> list[str]:
        """What can be pressed and chosen under the last message."""
        return list(self.sent[-1].controls)


@dataclass(slots=True)
class Play:
    """People at a table: Gwen is the GM, Alice and Bob play, and a stranger of the server looks on.

    Attributes:
        desk: The client.
        table: The table.
        clock: The time.
        gwen: The GM.
        alice: A player.
        bob: Another player.
        stranger: Somebody without a character.
        messages: What stands in the channel, the oldest first.
        transcript: What was done and heard.
        taps: How often somebody pressed, chose or sent a form; whoever counts sets it back.
    """

    desk: Desk
    table: Table
    clock: Clock
    gwen: Person
    alice: Person
    bob: Person
    stranger: Person
    messages: list[Message] = field(default_factory=list)
    transcript: list[str] = field(default_factory=list)
    taps: int = 0
    _used: set[str] = field(default_factory=set)
    _form: tuple[Sent, Message | None] | None = None
    _seen: int = 0  # how much of what was sent its messages show

    async def types(self, who: Person, line: str, fall: str = "", /, **options: Any) -> Said:
        """Type a command; its dice fall as told ("d12:4 d6:3")."""
        typed = " ".join([line, *(f"{key}:{value}" for key, value in options.items())])
        id_ = await self._interaction(fall)
        return self._heard(who, typed, await self.desk.type(who, line, id_, **options))

    async def presses(self, who: Person, label: str, fall: str = "", /) -> Said:
        """Press the newest button in sight whose label begins so; one behind "GM …" is looked for there."""
        await self._open_pages(who, label)
        message, full = self._find(who, label)
        assert full not in message.choices, f"{full!r} is a menu"
        custom_id = message.controls[full]
        id_, before = await self._interaction(fall), len(self.desk.wire.sent)
        self.taps += 1
        sent = await self.desk.press(who, custom_id, id_, under=message.under)
        said = self._heard(who, f"[{full}]", sent, message)
        return await self._behind(custom_id, before) or said

    async def chooses(self, who: Person, menu: str, choice: str, fall: str = "", /) -> Said:
        """Choose in the newest menu in sight whose prompt begins so; see `presses`."""
        await self._open_pages(who, menu)
        message, full = self._find(who, menu)
        values = [value for label, value in message.choices[full] if label.startswith(choice)]
        assert values, f"{menu!r} has no {choice!r}{self.end}"
        id_, before = await self._interaction(fall), len(self.desk.wire.sent)
        control = message.controls[full]
        self.taps += 1
        sent = await self.desk.choose(who, control, values[0], id_=id_, under=message.under)
        said = self._heard(who, f"<{full}> {choice}", sent, message)
        return await self._behind(control, before) or said

    async def _behind(self, custom_id: str, before: int) -> Said | None:
        """How the message of a result looks after a press on a private page of its buttons."""
        if not custom_id.endswith((":gm", ":more")) or custom_id.startswith("row:"):
            return None
        await self.desk.bot.messages.settled()
        sent = [one for one in self.desk.wire.sent[before:] if one.how == "repost"]
        self._catch_up()
        newest = max((one.message for one in sent), default=0)  # earlier ones lose buttons with it
        return Said(tuple(one for one in sent if one.message == newest)) if sent else None

    async def _open_pages(self, who: Person, label: str) -> None:
        """Open the private pages of the newest message that has any, for a control that is not in sight."""
        for page in ("More …", "GM …"):
            pages = [one for one in self._in_sight(who) if page in one.controls]
            is_open_to = who.manages_server or page == "More …"
            if pages and is_open_to and not any(one.startswith(label) for one in self.labels(who)):
                control = pages[0].controls[page]
                sent = await self.desk.press(who, control, await self._interaction(""), under=pages[0].under)
                self._heard(who, f"[{page}]", sent, pages[0])

    async def writes(self, who: Person, /, **fields: Filled) -> Said:
        """Send the form that was opened last; what is not said stays as it stands in it."""
        assert self._form is not None, f"no form is open{self.end}"
        filled, (form, message), self._form = self.opened_fields, self._form, None
        unknown = set(fields) - set(filled)
        assert not unknown, f"the form has no {unknown}, but {[*filled]}"
        self.taps += 1
        sent = await self.desk.fill(who, form.body["custom_id"], **(filled | fields))
        return self._heard(who, f"writes {fields}", sent, message)

    @property
    def opened_fields(self) -> dict[str, Filled]:
        """What stands in the form that was opened last."""
        assert self._form is not None
        filled: dict[str, Filled] = {}
        for label in self._form[0].body["components"]:
            one = label["component"]
            chosen = tuple(each["value"] for each in one.get("options", ()) if each.get("default"))
            filled[one["custom_id"]] = chosen if "options" in one else one.get("value", "")
        return filled

    async def waits(self, seconds: int) -> list[Pressed]:
        """Let time pass, and whatever presses itself by then do so."""
        self.clock.seconds += seconds
        done = []
        for task in await live_rows.due(self.table, live_rows.PRESS):
            pressed = await watch.press_if_open(self.table, task)
            await live_rows.note_done(self.table, task)
            if pressed is not None:
                done.append(pressed[0])
                self._told(pressed[0])
        return done

    async def sees_the_undone(self) -> None:
        """Wait until every message in which something was undone elsewhere shows it."""
        await self.desk.bot.messages.settled()
        self._catch_up()

    async def campaign(self) -> CampaignRecord:
        """The campaign as it is stored."""
        return await self.table.store.read(lambda reader: reader.campaigns(HOME)[0])

    async def kept(self, name: str) -> CharacterRecord:
        """A character as it is stored."""
        campaign = await self.campaign()
        found = await self.table.store.read(lambda reader: reader.character_named(HOME, campaign.id, name))
        assert found is not None
        return found

    async def points(self, name: str, key: str) -> int:
        """A resource of a character as it is stored."""
        return (await self.kept(name)).resources[key][0]

    async def document(self, key: str) -> dict[str, Any] | None:
        """A document of the campaign as it is stored."""
        campaign = await self.campaign()
        return await self.table.store.read(lambda reader: reader.document(HOME, campaign.id, key))

    async def set(self, setting: str, value: str) -> None:
        """Have the GM change a setting."""
        await campaign_settings.change_setting(self.table, self.gwen.asks(), setting, value)

    async def npc(self, name: str) -> None:
        """Have the GM make a character."""
        await gm.make_npc(self.table, self.gwen.asks(), name)

    @property
    def end(self) -> str:
        """The last of what was done and heard, for whoever reads a failure."""
        return "\n".join(["", *self.transcript[-30:]])

    def labels(self, who: Person) -> list[str]:
        """Everything that somebody can press or choose now, the newest message first."""
        return [label for message in self._in_sight(who) for label in message.controls]

    async def _interaction(self, fall: str) -> str:
        """The id of an interaction whose dice fall so under the campaign's seed."""
        campaign = await self.campaign()
        seed = await self.table.store.read(lambda reader: reader.seed(HOME, campaign.id))
        assert seed is not None
        return fair_interaction(seed.secret, falls(fall), self._used)

    def _catch_up(self) -> None:
        """Show what has updated itself, whenever it did."""
        sent, self._seen = self.desk.wire.sent[self._seen :], len(self.desk.wire.sent)
        for one in sent:
            for message in self.messages:
                if one.how == "repost" and message.id == one.message:
                    message.edit(one)
                    self.transcript.append(f"(by itself) {one.text}".replace("\n", "\n  "))

    def _heard(self, who: Person, did: str, sent: list[Sent], pressed: Message | None = None) -> Said:
        assert sent, f"{who.name}: {did}: nothing was answered{self.end}"
        told = [one for one in sent if one.how not in ("defer", "choices")]
        self._catch_up()
        self.transcript.append(f"{who.name}: {did}")
        for one in told:
            if one.how == "modal":
                self._form = (one, pressed)
            elif one.how == "edit" and pressed is not None:
                pressed.edit(one)
            elif one.how in ("answer", "follow-up"):
                reader = who.id if one.is_private else None
                self.messages.append(Message(one.text, one.controls, _choices(one), reader, one.message))
            mark = "(only to them) " if one.is_private else "(edited) " if one.how == "edit" else ""
            self.transcript.append(f"  {mark}{one.text} {list(one.controls)}".replace("\n", "\n  "))
        return Said(tuple(told))

    def _told(self, pressed: Pressed) -> None:
        """Show what has pressed itself, as the watch does: in its message, or in one of its own."""
        whole = pressed.result if pressed.is_apart else pressed.message
        parts = whole.all_of_it
        reply = result_reply(whole)
        controls = {one.follow_up.label: press_id("do", one.id) for part in parts for one in part.follow_ups}
        controls["Undo"] = press_id("undo", parts[-1].entry)
        message = Message(reply.text, controls, {})
        details = press_id("details", whole.entry)
        standing = [at for at, one in enumerate(self.messages) if details in one.controls.values()]
        if standing:
            self.messages[standing[0]] = message
        else:
            self.messages.append(message)
        self.transcript.append(f"(by itself) {reply.text} {list(controls)}".replace("\n", "\n  "))

    def _in_sight(self, who: Person) -> Iterator[Message]:
        return (one for one in reversed(self.messages) if one.reader in (None, who.id))

    def _find(self, who: Person, label: str) -> tuple[Message, str]:
        for message in self._in_sight(who):
            for full in message.controls:
                if full.startswith(label):
                    return message, full
        raise AssertionError(f"{who.name} sees no {label!r}{self.end}")


def _choices(sent: Sent) -> dict[str, list[tuple[str, str]]]:
    """The choices of every menu in what was sent."""
    menus = [one for one in walk_components(sent.body.get("components")) if "placeholder" in one]
    return {
        str(menu["placeholder"]): [(str(one["label"]), str(one["value"])) for one in menu.get("options", ())]
        for menu in menus
    }


async def sit_down(folder: Path, game: Ruleset, alices: str, bobs: str) -> Play:
    """Begin a campaign in which both players have a ready-made character.

    Args:
        folder: Where the database is kept.
        game: What is played.
        alices: Alice's character.
        bobs: Bob's.
    """
    clock, interactions = Clock(), Interactions()
    store = await open_store(prepared_file(folder))
    table = Table(store=store, games={game.key: game}, now=clock, new_secret=Secrets())
    gwen = Person(1, "Gwen", interactions, manages_server=True)
    alice, bob = Person(2, "Alice", interactions), Person(3, "Bob", interactions)
    await campaigns.create(table, gwen.asks(), game.key, "The Long Road")
    await characters.take_ready_made(table, alice.asks(), alices)
    await characters.take_ready_made(table, bob.asks(), bobs)
    stranger = Person(9, "Zed", interactions)
    desk = await open_desk(table)
    desk.bot.messages.listen()
    return Play(desk, table, clock, gwen, alice, bob, stranger)


async def get_up(play: Play) -> None:
    """End it."""
    await play.desk.bot.close()
    await play.table.store.close()


async def fight_look(play: Play) -> Look:
    """The fight as its board shows it now."""
    place = FightPlace(HOME, (await play.campaign()).id, play.gwen.places[0])
    found = await encounters.board(play.table, place)
    assert found is not None
    assert found.look is not None
    return found.look


async def board_rows(play: Play) -> list[tuple[Button, ...]]:
    """The rows of buttons of the fight's board as it stands."""
    return [block for block in board_reply(await fight_look(play)).blocks if isinstance(block, tuple)]
