"""Evenings that players play by pressing: what they sent, how often they tapped, and how their dice fall."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from bot.playground.discord import Answer, button_labels
from bot.playground.discord.interactions import Interaction, Kind
from bot.playground.discord.payloads import Payload, Snowflakes, walk_components
from bot.rules.kernel import ActGroup
from bot.rules.kernel.dice import Dice, FairDice
from bot.ui.commands.sheets import GROUP_PROMPTS
from tests.databases import reading
from tests.e2e.fighting import EPHEMERAL
from tests.e2e.people import Actor, Party
from tests.e2e.table import Table

MOST_PAGES = 4
ANY = "(any)"  # the first entry of a menu
PRESSES = (Kind.COMPONENT, Kind.MODAL)
Wish = Callable[[Dice], bool]


class ChosenDice(Snowflakes):
    """The local Discord's ids, of which those can be chosen that make the dice fall as a test needs them.

    Dice follow from a campaign's seed and an interaction's id, and ids are Discord's to give.
    """

    def __init__(self, house: Table, party: Party) -> None:
        super().__init__(house.discord.clock)
        self._database, self._server = house.database, party.server.id
        self._wish: Wish | None = None
        self._secret = b""
        self.go_past(house.discord.snowflakes.next())
        house.discord.snowflakes = self

    def next(self, *, apart: bool = False) -> int:
        """Make a new id; where dice are wished for, one with which they fall so."""
        found = super().next(apart=apart)
        while self._wish is not None and not self._wish(FairDice(self._secret, str(found))):
            found = super().next()
        return found

    @contextmanager
    def fall(self, wish: Wish) -> Iterator[None]:
        """Let every interaction meanwhile have dice of which *wish* holds."""
        self._secret = _secret(self._database, self._server)
        before, self._wish = self._wish, wish
        try:
            yield
        finally:
            self._wish = before


def _secret(database: str, server: int) -> bytes:
    """The seed that is in use in a server with one campaign."""
    with reading(database) as query:
        ((secret,),) = query(
            "SELECT secret FROM seeds WHERE server_id = ? ORDER BY number DESC LIMIT 1", server
        )
    return bytes(secret)


def faces(*wanted: tuple[int, range]) -> Wish:
    """Wish for dice by their sides, each with its good faces, in the order they are rolled."""
    return lambda dice: all(dice.roll(sides) in good for sides, good in wanted)


class Pressers:
    """Players who play by pressing, from when they have joined.

    Args:
        players: The players.
    """

    def __init__(self, *players: Actor) -> None:
        self._joined = {player: len(_sent(player)) for player in players}
        self.taps: dict[str, int] = {}

    @contextmanager
    def counts(self, what: str, player: Actor) -> Iterator[None]:
        """Count a player's taps for an act; the most of several times count."""
        before = len(_sent(player))
        yield
        self.taps[what] = max(self.taps.get(what, 0), len(_sent(player)) - before)

    def assert_only_pressed(self) -> None:
        """Assert that the players have sent nothing but presses, choices and forms since they joined."""
        for player, joined in self._joined.items():
            sent = _sent(player)[joined:]
            assert sent, f"{player.member.name} did nothing"
            typed = [one.payload["data"].get("name") for one in sent if one.kind not in PRESSES]
            assert typed == [], f"{player.member.name} typed {typed}"


def _sent(player: Actor) -> Sequence[Interaction]:
    return player.member.discord.interactions.of(player.member)


async def plays(
    player: Actor, group: str, act: str, *choices: str, hears: str | Sequence[str] = ()
) -> Answer:
    """Do something from the sheet: open a group, choose the act, and whatever its menu asks for."""
    await opens(player, group, act)
    return await _chooses(player, f"{GROUP_PROMPTS[ActGroup(group)]} …", act, *choices, hears=hears)


async def fills(
    player: Actor,
    group: str,
    act: str,
    fields: str | Mapping[str, object],
    *,
    hears: str | Sequence[str] = (),
) -> Answer:
    """Do something from the sheet that asks for it in a form."""
    await plays(player, group, act)
    return await player.writes(fields, hears=hears)


async def composes(player: Actor, group: str, act: str, **settings: str) -> Answer:
    """Open an act's composer from the sheet and set something in each of its menus."""
    await opens(player, group, act)
    answer = await _chooses(player, f"{GROUP_PROMPTS[ActGroup(group)]} with options", act, hears="[Back]")
    for title, value in settings.items():
        menu = title.replace("_", " ")
        answer = await _chooses(player, menu, f"{menu}: {value}", hears="[Back]")
    return answer


async def opens(player: Actor, group: str, act: str = "") -> Answer:
    """Open a group of what the sheet offers, at the page that has an act beginning so."""
    with contextlib.suppress(TimeoutError):  # reported below; a sheet follows what others do
        await player.member.discord.until(lambda: f"{group} …" in button_labels(sheet_of(player)))
    answer = await presses_on_sheet(player, f"{group} …", hears=f"· {group}")
    for _ in range(MOST_PAGES):
        shown = sheet_of(player)
        labels = [str(one["label"]) for menu in menus_of(shown) for one in menu["options"]]
        if "Next page" not in button_labels(shown) or any(one.startswith(act) for one in labels):
            break
        answer = await presses_on_sheet(player, "Next page", hears=f"· {group}")
    return answer


async def switches(player: Actor, *titles: str) -> Answer:
    """Switch options of the open composer on."""
    menu = next(one for one in menus_of(sheet_of(player)) if one.get("min_values") == 0)
    labels = [str(one["label"]) for one in menu["options"]]
    chosen = [one_of(player, title, labels) for title in titles]
    player.transcript.note(f"{player.member.name}: <{menu['placeholder']}> {', '.join(chosen)}")
    answer = await player.member.select(sheet_of(player), menu["placeholder"], *chosen)
    return await player.heard(answer, "[Back]")


async def sets_off(player: Actor, button: str, *choices: str, hears: str | Sequence[str] = ()) -> Answer:
    """Press the composer's button, and choose whatever its menu asks for."""
    answer = await presses_on_sheet(player, button, hears="[Back]" if choices else hears)
    return await _chooses(player, "", *choices, hears=hears) if choices else answer


async def presses_on_sheet(player: Actor, button: str, *, hears: str | Sequence[str] = ()) -> Answer:
    """Press a button of the sheet by how its label begins."""
    message = sheet_of(player)
    label = one_of(player, button, button_labels(message))
    player.transcript.note(f"{player.member.name}, sheet: [{label}]")
    return await player.heard(await player.member.press(message, label), hears)


async def _chooses(player: Actor, menu: str, *choices: str, hears: str | Sequence[str] = ()) -> Answer:
    """Choose in a menu of the sheet by how the entry begins, and then in the menus that it opens."""
    for number, choice in enumerate(choices):
        message = sheet_of(player)
        menus = [one for one in menus_of(message) if number or one["placeholder"].startswith(menu)]
        assert menus, f"{player.member.name}'s sheet has no menu {menu!r}{player.transcript.end}"
        found = menus[0]
        label = one_of(player, choice, [str(one["label"]) for one in found["options"]])
        player.transcript.note(f"{player.member.name}, sheet: <{found['placeholder']}> {label}")
        answer = await player.member.select(message, found["placeholder"], label)
        await player.heard(answer, hears if number == len(choices) - 1 else "[Back]")
    return answer


def sheet_of(player: Actor) -> Payload:
    """A player's sheet, whatever part of it is open."""
    for message in reversed(player.member.sees()):
        if message.get("flags", 0) & EPHEMERAL and {"Refresh", "Back"} & set(button_labels(message)):
            return message
    raise AssertionError(f"{player.member.name} sees no sheet{player.transcript.end}")


def option_of(player: Actor, menu: str, begins: str) -> str:
    """The label in the newest menu of a name that begins so."""
    for message in reversed(player.member.sees()):
        for found in menus_of(message):
            if found["placeholder"].startswith(menu):
                return one_of(player, begins, [str(one["label"]) for one in found["options"]])
    raise AssertionError(f"{player.member.name} sees no menu {menu!r}{player.transcript.end}")


def menus_of(message: Payload) -> list[Payload]:
    """The select menus of a message."""
    return [one for one in walk_components(message.get("components")) if one.get("placeholder")]


def one_of(player: Actor, begins: str, labels: Sequence[str]) -> str:
    """The label that begins so, or the first of all for `ANY`."""
    found = next((label for label in labels if begins == ANY or label.startswith(begins)), None)
    assert found is not None, f"{begins!r} is not among {labels}{player.transcript.end}"
    return found
