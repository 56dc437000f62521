"""What a GM does behind the screen, pressed from the desk, and that players learn of it only when told."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from bot.playground.discord import button_labels
from bot.playground.discord.payloads import Event, MessageCreated, MessageUpdated, walk_components
from tests.e2e.fighting import board_says
from tests.e2e.leading import DeskGm, decides_for, ends_evening, ends_fight, plots
from tests.e2e.opening import open_other
from tests.e2e.people import Party, gather
from tests.e2e.pressing import menus_of
from tests.e2e.table import Table

LURKER, SPY, SECRET = "Zzyzx Lurker", "Zzyzx Spy", "The abbot is zzyqx himself."
SIGHTS = {"open": "Results for everyone", "blind": "Results for the GM alone"}
PLOT = "Raven Plot"  # a countdown that stays hidden
SPIDER, DOOM = "Zzyqx Spider", "Zzyqx Doom"  # of the prepared encounter


class Screen:
    """Reads along with all that players are shown, and says what they must not have read.

    Args:
        table: The table.
        party: Who plays.
    """

    def __init__(self, table: Table, party: Party) -> None:
        self._table = table
        self._party = party
        self._shown: dict[int, list[str]] = {one.member.id: [] for one in (party.alice, party.bob)}
        self._secrets = [LURKER, SPY, SECRET, PLOT, SPIDER, DOOM]
        table.discord.listen(self._read)

    def _read(self, event: Event) -> None:
        if not isinstance(event, MessageCreated | MessageUpdated):
            return
        for person, shown in self._shown.items():
            if event.visible_to in {None, person}:
                shown.append(json.dumps(event.message, ensure_ascii=False))

    def keeps(self, secret: str) -> None:
        """Watch over a text that players must not read."""
        self._secrets.append(secret)

    def tells(self, secret: str) -> None:
        """Let players read a secret from now on."""
        self._secrets.remove(secret)

    def assert_unread(self, *people: int) -> None:
        """Assert that people have read no secret in any message, menu or button."""
        for person in people or tuple(self._shown):
            for text in self._shown[person]:
                found = [one for one in self._secrets if one in text]
                assert not found, f"{found} was shown: {text}{self._party.transcript.end}"

    async def assert_kept(self) -> None:
        """Assert that no secret was shown to a player, nor stands in what they can look up."""
        for player in (self._party.alice, self._party.bob):
            await player.types("/log", hears="[Show only")
            recap = await player.types("/session recap", hears="recap")
            if "[More]" in recap.text:  # what a short recap left out
                await player.presses("More", hears="[")
            await player.types("/fair", hears="[Download journal]")
            file = await player.presses("Download journal", hears="journal.jsonl")
            assert file.message is not None
            content = self._table.discord.files.content(file.message["attachments"][0])
            self._shown[player.member.id].append(content.decode())
        self.assert_unread()


# --- an evening --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Evening:
    """An evening that a GM leads from the desk.

    Attributes:
        table: Where it is played.
        party: Who plays.
        desk: The GM's desk.
        screen: What players must not read.
        names: The characters of both players.
    """

    table: Table
    party: Party
    desk: DeskGm
    screen: Screen
    names: tuple[str, str]


async def open_evening(table: Table, game: str, *, npc: str, check: str) -> Evening:
    """Create a campaign with two ready-made characters, and open its GM's desk."""
    party = gather(table.discord)
    await open_other(party, game)
    first, second = (await party.alice.is_offered("/character create", "ready"))[:2]
    return await open_desk(table, party, (first, second), npc=npc, check=check)


async def open_desk(table: Table, party: Party, names: tuple[str, str], *, npc: str, check: str) -> Evening:
    """Add an NPC, ask for a check, and open the desk; the GM starts countdowns and rolls for both."""
    gwen, screen = party.gwen, Screen(table, party)
    await gwen.types(f"/gm npc name:{npc}", hears=f"**{npc}** joins")
    await gwen.types(f"/gm ask check:{check}", hears="Still to roll")
    desk = DeskGm(table, gwen)
    await desk.opens()
    await plots(desk)
    await decides_for(desk, *names)
    return Evening(table, party, desk, screen, names)


async def close_evening(evening: Evening, *awards: str, least: int) -> None:
    """End the session; the GM only pressed, and did at least so much, and no secret was shown."""
    await ends_evening(evening.desk, evening.party.gwen, *awards)
    evening.desk.assert_only_pressed()
    await evening.screen.assert_kept()
    assert evening.desk.done >= least


# --- what every evening has --------------------------------------------------------------------


async def asks_all(evening: Evening, what: str, *, sight: str = "open", hard: int = 0) -> None:
    """Ask every player for a check, chosen by how its name begins; at the scene's nth difficulty."""
    desk, gm = evening.desk, evening.party.gwen
    await desk.presses("Ask …", hears="### Ask for a check")
    if hard:
        (menu,) = [one for one in menus_of(desk.shown()) if one["placeholder"].startswith("The scene's")]
        await desk.chooses("The scene's", str(menu["options"][hard]["label"]), hears="[Ask (")
    await desk.chooses("Who sees", SIGHTS[sight], hears=f"[Ask ({sight})]")
    form = await desk.presses(f"Ask ({sight})", hears="(form)")
    assert form.modal is not None
    (field,) = [one for one in walk_components(form.modal["components"]) if one.get("custom_id") == "what"]
    labels = [str(one["label"]) for one in field.get("options", ())]
    await gm.writes({"what": next((one for one in labels if what in one), what)}, hears="asks for a")
    await desk.presses("Desk", hears="### Desk")


async def asks_blind(evening: Evening, what: str, *, hard: int = 0) -> None:
    """Ask for a check of which only the GM learns the results, one that is made but once that evening."""
    party, names = evening.party, evening.names
    await asks_all(evening, what, sight="blind", hard=hard)
    for player, name in zip((party.alice, party.bob), names, strict=True):
        await player.presses(f"{name}: roll", hears=f"**{name}** · **rolled**")
    told = await party.gwen.presses("Details", hears=[f"**{name}**" for name in names])
    lines = [
        line
        for line in told.text.split("\n")
        if any(line.startswith(f"**{name}** ") and not line.startswith(f"**{name}** ·") for name in names)
    ]
    assert len(lines) >= len(names), told.text
    for line in lines:
        evening.screen.keeps(json.dumps(line, ensure_ascii=False)[1:-1])


async def hides_foes(evening: Evening) -> None:
    """Make two foes in the form, add them hidden to the running fight, reveal one, and end the fight."""
    desk, screen = evening.desk, evening.screen
    for name in (LURKER, SPY):
        await desk.presses("Foes …", hears="### Foes")
        await desk.fills("New foe …", {"name": name}, hears=f"makes the foe {name}")
        await desk.chooses("Add, copy or delete", name, hears=f"### {name}")
        await desk.presses("Hidden", hears="only you know of them")
        await desk.presses("Add 1", hears=f"hides {name}")
        await desk.presses("Desk", hears="### Desk")
    await desk.presses("Secrets", hears=[f"NPC · {LURKER}", f"NPC · {SPY}"])
    await desk.chooses("Look at", f"NPC: {LURKER}", hears=f"{LURKER} appears")
    screen.assert_unread()
    screen.tells(LURKER)
    await desk.presses("Reveal", hears="Everybody has seen this:")
    await board_says(evening.table, evening.party, LURKER, lacks=SPY)
    await desk.presses("Secrets", hears=f"NPC · {SPY}")
    await desk.presses("Desk", hears="### Desk")
    await ends_fight(desk)


async def passes_a_note(evening: Evening) -> None:
    """Write a note, give it to Alice alone, and then to all."""
    desk, screen, party, name = evening.desk, evening.screen, evening.party, evening.names[0]
    await desk.presses("Secrets", hears="### Secrets")
    await desk.fills("New note", {"title": "A letter", "text": SECRET}, hears=SECRET)
    await desk.chooses("Show only to", name, hears=f"Known to {name}.")
    screen.assert_unread()
    bob = party.bob.member
    await bob.discord.until(lambda: any("Read" in button_labels(one) for one in bob.sees()))
    await party.bob.presses("Read", hears="You don't have this note.")
    await party.alice.presses("Read", hears=SECRET)
    screen.assert_unread(party.bob.member.id)
    screen.tells(SECRET)
    await desk.presses("Show to all", hears="Everybody has seen this:")
    await desk.presses("Secrets", hears="### Secrets")
    await desk.presses("Desk", hears="### Desk")


async def springs_an_ambush(evening: Evening) -> None:
    """Prepare an encounter with something hidden in it, start it with one press, and end its fight."""
    desk = evening.desk
    await desk.presses("Foes …", hears="### Foes")
    await desk.presses("Encounters …", hears="### Prepared encounters")
    written = {
        "name": "Ambush",
        "foes": f"Night Hound x2\n{SPIDER} hidden",
        "countdowns": f"{DOOM} 4 hidden",
        "text": "The torches go out.",
    }
    await desk.fills("New …", written, hears="prepares the encounter Ambush")
    await desk.chooses("Open an encounter", "Ambush", hears="[Start]")
    await desk.presses("Start", hears="It has started.")
    await board_says(evening.table, evening.party, "Night Hound 2", lacks=SPIDER)
    await desk.presses("Desk", hears="### Desk")
    await ends_fight(desk)


async def changes_the_rules(
    evening: Evening, subject: str, module_list: str, entry: Mapping[str, object]
) -> None:
    """Turn on the first optional rule of a page of settings, and add something to one of the lists."""
    desk, gm = evening.desk, evening.party.gwen
    await desk.presses("Settings", hears="-# Settings of")
    await gm.chooses("Other settings", subject, hears=f"### {subject}")
    await gm.presses("Turn on", hears="off → **on**")
    await gm.presses("Lists", hears="[Open a list …]")
    await gm.chooses("Open a list", module_list, hears="in this list")
    await gm.presses("Add …", hears="(form)")
    await gm.writes(entry, hears="Added")
