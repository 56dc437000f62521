"""A GM who leads an evening from the desk: what they press, and how much they did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.playground.discord import Answer, button_labels
from bot.playground.discord.payloads import Payload
from tests.databases import reading
from tests.e2e.people import WRITE_IT, Actor
from tests.e2e.pressing import Pressers, menus_of, one_of
from tests.e2e.table import Table

Hears = str | Sequence[str]


class DeskGm:
    """A GM with an open desk.

    Args:
        table: The table; its journal counts what the GM does.
        gm: The GM.
    """

    def __init__(self, table: Table, gm: Actor) -> None:
        self._table = table
        self._gm = gm
        self._message = 0
        self._before = 0
        self._pressers: Pressers | None = None

    async def opens(self) -> None:
        """Open the desk; from now on the GM types nothing."""
        opened = await self._gm.types("/gm desk", hears="### Desk")
        assert opened.message is not None
        self._message = int(opened.message["id"])
        self._before = self._count()
        self._pressers = Pressers(self._gm)

    def shown(self) -> Payload:
        """The desk's message as it is now."""
        return next(one for one in self._gm.member.sees() if int(one["id"]) == self._message)

    async def presses(self, label: str, *, hears: Hears = ()) -> Answer:
        """Press a button of the desk by how its label begins."""
        message = self.shown()
        found = one_of(self._gm, label, button_labels(message))
        self._gm.transcript.note(f"{self._gm.member.name}, desk: [{found}]")
        return await self._gm.heard(await self._gm.member.press(message, found), hears)

    async def chooses(self, menu: str, *choices: str, hears: Hears = ()) -> Answer:
        """Choose in a menu of the desk by how its prompt and the entries begin."""
        message = self.shown()
        menus = [one for one in menus_of(message) if one["placeholder"].startswith(menu)]
        assert menus, f"the desk has no menu {menu!r}{self._gm.transcript.end}"
        labels = [str(one["label"]) for one in menus[0]["options"]]
        found = [one_of(self._gm, one, labels) for one in choices]
        self._gm.transcript.note(f"{self._gm.member.name}, desk: <{menus[0]['placeholder']}> {found}")
        answer = await self._gm.member.select(message, menus[0]["placeholder"], *found)
        return await self._gm.heard(answer, hears)

    async def fills(self, label: str, fields: Mapping[str, object], *, hears: Hears = ()) -> Answer:
        """Press a button that opens a form, and send that off."""
        await self.presses(label, hears="(form)")
        return await self._gm.writes(fields, hears=hears)

    async def opens_sheet(self, name: str) -> None:
        """Open somebody's sheet in place of the desk."""
        await self.chooses("Open a sheet", name, hears=["As the GM …", "[Desk]"])

    async def acts(
        self,
        group: str,
        act: str,
        choice: str = "",
        *,
        fields: str | Mapping[str, object] | None = None,
        hears: Hears = "Last:",
    ) -> Answer:
        """Do something as the GM to whose sheet is open."""
        await self.chooses("As the GM …", group, hears="[Back]")
        last = choice or fields is not None
        answer = await self.chooses("", act, hears=() if last else hears)
        if choice:  # without a menu where there is only one
            wanted = (hears,) if isinstance(hears, str) else tuple(hears)
            discord = self._gm.member.discord
            await discord.until(
                lambda: answer.failed or "[Back]" in answer.text or all(one in answer.text for one in wanted)
            )
            if "[Back]" not in answer.text:
                return await self._gm.heard(answer, hears)
            return await self.chooses("", choice, hears=hears)
        if fields is not None:
            discord = self._gm.member.discord
            await discord.until(lambda: answer.failed or answer.modal or WRITE_IT in answer.text)
            if WRITE_IT not in answer.text:
                return await self._gm.writes(fields, hears=hears)
            await self._gm.presses(WRITE_IT)  # a slow answer's form stands in a message of its own
            await self._gm.writes(fields, hears=hears)
            return await self.presses("Back", hears="[Desk]")
        return answer

    async def returns(self) -> None:
        """Go back from a sheet to the desk."""
        await self.presses("Desk", hears="### Desk")

    @property
    def done(self) -> int:
        """How many acts the GM has done since the desk was opened."""
        return self._count() - self._before

    def assert_only_pressed(self) -> None:
        """Assert that the GM has typed no command since the desk was opened."""
        assert self._pressers is not None
        self._pressers.assert_only_pressed()

    def _count(self) -> int:
        """How many journal entries are the GM's."""
        with reading(self._table.database) as query:
            ((count,),) = query("SELECT count(*) FROM entries WHERE person = ?", self._gm.member.id)
        return int(count)


# --- what is the same in every game ------------------------------------------------------------


async def begins_evening(desk: DeskGm, award: str, amounts: Sequence[str] = ("1", "1")) -> None:
    """Start a session, let time pass, rest, award something, and move countdowns."""
    await desk.presses("Start session", hears="**Session 1 started**")
    for amount, unit, words in (("10", "Minutes", "10 min"), ("2", "Hours", "2 h"), ("1", "Days", "1 d")):
        await desk.fills("Time …", {"amount": amount, "unit": unit}, hears=f"lets {words} pass")
    for amount in amounts:
        await desk.fills("Award …", {"resource": award, "amount": amount}, hears="### Desk")
    if "Rest …" in button_labels(desk.shown()):  # not every game has rests that a GM calls for
        await desk.fills("Rest …", {"hours": "8", "when": "Rest at once"}, hears="### Desk")
    await desk.presses("Countdowns", hears="Raven Plot")
    for button in ("+ Raven Plot", "+ Raven Plot", "− Raven Plot", "+ Alarm", "+ Alarm", "− Alarm"):
        await desk.presses(button, hears="### Countdowns")
    await desk.presses("Back", hears="### Desk")
    await desk.presses("Undo", hears="### Desk")


async def starts_fight(desk: DeskGm, who: Sequence[str], *buttons: str) -> None:
    """Start a fight, press buttons of its board by how they begin, and go back to the desk."""
    await desk.presses("Fight", hears="### No fight")
    await desk.fills("Start fight", {"who": list(who)}, hears="starts a fight")
    for button in buttons:
        await desk.presses(button, hears="[Refresh]")
    await desk.presses("Desk", hears="### Desk")


async def ends_fight(desk: DeskGm) -> None:
    """End the fight, two presses away from the desk."""
    await desk.presses("More …", hears="[End fight]")
    await desk.presses("End fight", hears="### Desk")


async def decides_for(desk: DeskGm, *names: str) -> None:
    """Remind people of a check that they have been asked for, then roll it for them."""
    for name in names:
        await desk.chooses("Remind", name, hears="reminded")
    for name in names:
        await desk.chooses("Decide", name, hears="### Decide")
        await desk.presses(f"{name}: ", hears="### Desk")


async def plots(desk: DeskGm) -> None:
    """Start a hidden and an open countdown."""
    await desk.presses("Countdowns", hears="No countdowns are running.")
    hidden = {"Name": "Raven Plot", "Steps": "6", "Who sees it": "Only GMs"}
    await desk.fills("New …", hidden, hears="[+ Raven Plot]")
    await desk.fills("New …", {"Name": "Alarm", "Steps": "6"}, hears="[+ Alarm]")
    await desk.presses("Back", hears="### Desk")


async def ends_evening(desk: DeskGm, gm: Actor, *awards: str) -> None:
    """End the session, two presses away from the desk, with awards of so much by how they are called."""
    await desk.presses("End session", hears="**Ending session 1**")
    for award in awards:
        await gm.presses(award, hears=f"awards {award[0]}")
    await gm.presses("End the session", hears="**Session 1 ended**")
