"""Takes screenshots of what people see: ``python -m tests.browser.screenshots FOLDER [GAME …]``.

People of a local Discord play the scenes of `screens`, seen in a real browser on a phone and on a desktop,
dark and light; a sheet has the phone's pictures side by side. ``--quick`` takes those; ``--readme`` README's.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import shutil
import tempfile
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.async_api import Browser, Page, async_playwright

from bot.playground.discord import read
from bot.playground.discord.payloads import CannotSend, Event, MessageCreated, MessageUpdated
from bot.playground.page import Cast
from bot.playground.page import Page as Playground
from bot.playground.start_play import PlayOptions, play, served
from tests.browser.conftest import ARGUMENTS
from tests.browser.screens import GAMES, Game
from tests.e2e.fighting import boards
from tests.e2e.people import Actor, Party, gather
from tests.e2e.pressing import ChosenDice, Wish, menus_of, one_of
from tests.e2e.table import Table, open_table

DOCS = Path(__file__).parents[2] / "docs"
WIDTHS, HEIGHT = (360, 1180), 3000  # high enough for every message
SCHEMES: tuple[Literal["dark", "light"], ...] = ("dark", "light")
MOST_TURNS = 8
QUIET_SECONDS, LONGEST_SECONDS = 0.6, 8.0  # nothing has changed for so long; but no longer than that
COLUMNS, SHEET_HEIGHT, GAP = 4, 1500, 12
FIGHT, ATTACK = "Compare Roll: a fight", "She shoots"  # README's
ONLY = (
    "(ids) => document.querySelectorAll('article').forEach((e) => (e.hidden = !ids.includes(e.dataset.id)))"
)
DRAWN = "() => [...document.images].every((image) => image.complete || image.loading === 'lazy')"


class Studio:
    """A game's table, with a browser's pages of everybody there."""

    def __init__(self, table: Table, game: Game, folder: Path, *, is_quick: bool) -> None:
        self.table, self.game, self.folder = table, game, folder
        self.party: Party = gather(table.discord, f"The {game.command} table")
        gwen, alice, bob = self.party.everybody
        self.people = {"GM": gwen, "Alice": alice, "Bob": bob}
        self.dice: ChosenDice | None = None
        self.pages: dict[tuple[Actor, int], Page] = {}
        self.widths = WIDTHS[:1] if is_quick else WIDTHS
        self.schemes = SCHEMES[:1] if is_quick else SCHEMES
        self._taken = 0
        self._changed: dict[str, int | None] = {}
        self._news = asyncio.Event()
        table.discord.listen(self._hear)

    def _hear(self, event: Event) -> None:
        if isinstance(event, MessageCreated | MessageUpdated) and event.server is self.party.server:
            self._changed[event.message["id"]] = event.visible_to
            self._news.set()

    @contextlib.asynccontextmanager
    async def opened(self, browser: Browser) -> AsyncIterator[None]:
        """Open the playground for these people until left."""
        members = tuple(one.member for one in self.people.values())
        shown = Playground(self.table.discord, Cast((self.party.server,), members, {}))
        async with served(shown.app, 0) as port:
            shown.audience.bot_is(online=True)
            for width in self.widths:
                for name, actor in self.people.items():
                    page = await browser.new_page(
                        viewport={"width": width, "height": HEIGHT}, reduced_motion="reduce"
                    )
                    await page.goto(f"http://127.0.0.1:{port}/")
                    await page.get_by_role("radio", name=actor.member.name).click()
                    self.pages[self.people[name], width] = page
            yield
            for page in self.pages.values():
                await page.close()

    async def take(self, name: str, seen_by: str, steps: Sequence[str]) -> str:
        """Play a scene and take its pictures; return what went wrong, or nothing."""
        problem = ""
        await self._settle()
        for number, step in enumerate(steps):
            if number == len(steps) - 1:
                self._changed.clear()
            try:
                async with asyncio.timeout(LONGEST_SECONDS):
                    await self._do(step)
            except (AssertionError, LookupError, TimeoutError, CannotSend) as error:
                problem = (
                    f"{self.game.command}, {name}: {step}: {str(error)[:200]}{self.party.transcript.end}"
                )
            await self._settle()
        await self._picture(name, self.people[seen_by])
        return problem

    async def _do(self, step: str) -> None:
        """Do what a step says."""
        who, _, what = step.partition(": ")
        actor = self.people[who]
        with contextlib.ExitStack() as stack:
            luck, _, rest = what.partition(" ")
            if luck in ("good", "bad", "hits"):
                what = rest
                stack.enter_context(self._fall(getattr(self.game, luck)))
            match what[0]:
                case "/":
                    await actor.types(what)
                case "[":
                    await actor.presses(what[1:].rstrip("]"))
                case "<":
                    menu, _, choices = what[1:].partition(">")
                    await self._choose(actor, menu, [one.strip() for one in choices.split(";")])
                case "~":
                    await self._until_acting(actor, what[1:].strip())
                case "=":
                    pairs = [one.partition(":") for one in what[1:].split(";")]
                    fields = {name.strip(): value.strip() for name, _, value in pairs}
                    await actor.writes(fields if pairs[0][1] else what[1:].strip())
                    for width in self.widths:
                        await self.pages[actor, width].keyboard.press("Escape")

    def _fall(self, wish: Wish) -> contextlib.AbstractContextManager[None]:
        self.dice = self.dice or ChosenDice(self.table, self.party)
        return self.dice.fall(wish)

    async def _choose(self, actor: Actor, menu: str, begins: Sequence[str]) -> None:
        """Choose in the newest menu whose prompt begins so, what begins so."""
        for message in reversed(actor.member.sees()):
            for found in menus_of(message):
                if found["placeholder"].startswith(menu):
                    labels = [str(one["label"]) for one in found.get("options", ())]
                    chosen = [one_of(actor, begin or labels[0], labels) for begin in begins]
                    answer = await actor.member.select(message, found["placeholder"], *chosen)
                    await actor.heard(answer, ())
                    return
        raise LookupError(f"no menu {menu!r}{actor.transcript.end}")

    async def _until_acting(self, gm: Actor, name: str) -> None:
        """Have the GM end turns until somebody acts."""
        for _ in range(MOST_TURNS):
            await self._settle()
            texts = [read(one) for one in boards(self.table, self.party)]
            if any(f"{name} acts" in text or f"▶ **{name}**" in text for text in texts):
                return
            await gm.types("/encounter next")
        raise LookupError(f"{name} does not act{gm.transcript.end}")

    async def _settle(self) -> None:
        """Wait until nothing has changed for a moment."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LONGEST_SECONDS):
                while True:
                    self._news.clear()
                    try:
                        await asyncio.wait_for(self._news.wait(), QUIET_SECONDS)
                    except TimeoutError:
                        return

    async def _picture(self, name: str, actor: Actor) -> None:
        """Take what has changed last, or the form that is open, as somebody sees it."""
        ids = [one for one, seen_by in self._changed.items() if seen_by in (None, actor.member.id)]
        self._taken += 1
        file = f"{self.game.command}-{self._taken:02}-{name.replace(' ', '-')}.png"
        for width in self.widths:
            page = self.pages[actor, width]
            dialog = page.locator("dialog[open]")
            await page.evaluate(ONLY, ids)
            await page.wait_for_function(DRAWN)
            shown = dialog if await dialog.count() else page.locator(".message-list").first
            for scheme in self.schemes:
                await page.emulate_media(color_scheme=scheme)
                if ids or await dialog.count():
                    await shown.screenshot(path=self.folder / f"{width}-{scheme}" / file)
            if await dialog.count():
                await page.keyboard.press("Escape")


def sheets(folder: Path) -> None:
    """Put a folder's pictures side by side, so that they are read quickly."""
    pictures = [
        Image.open(path) for path in sorted(folder.glob("*.png")) if not path.name.startswith("sheet")
    ]
    columns: list[list[Image.Image]] = [[]]
    for picture in pictures:
        if columns[-1] and sum(one.height + GAP for one in columns[-1]) + picture.height > SHEET_HEIGHT:
            columns.append([])
        columns[-1].append(picture)
    for number in range(0, len(columns), COLUMNS):
        shown = columns[number : number + COLUMNS]
        height = max(sum(one.height + GAP for one in column) for column in shown)
        drawn = Image.new("RGB", (len(shown) * (WIDTHS[0] + GAP), height), "#777777")
        for x, column in enumerate(shown):
            y = 0
            for one in column:
                drawn.paste(one, (x * (WIDTHS[0] + GAP), y))
                y += one.height + GAP
        drawn.save(folder / f"sheet-{number // COLUMNS:02}.png")


async def take_all(folder: Path, only: Sequence[str], *, is_quick: bool) -> list[str]:
    """Take the pictures of every game; return what went wrong."""
    problems = []
    settings = {"DISCORD__EMOJIS": "true"}
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=shutil.which("chromium"), args=list(ARGUMENTS))
        for game in GAMES:
            if only and game.command not in only:
                continue
            with tempfile.TemporaryDirectory() as database:
                async with open_table(Path(database), settings=settings) as table:
                    studio = Studio(table, game, folder, is_quick=is_quick)
                    async with studio.opened(browser):
                        for name, seen_by, steps in game.scenes():
                            problems += [await studio.take(name, seen_by, steps)]
        await browser.close()
    sheets(folder / f"{WIDTHS[0]}-{SCHEMES[0]}")
    return [one for one in problems if one]


async def take_readmes() -> None:
    """Play a scene, then take a screenshot on a desktop and one on a phone."""
    said: asyncio.Queue[str] = asyncio.Queue()
    stopping = asyncio.Event()
    with tempfile.TemporaryDirectory() as folder:
        options = PlayOptions(port=0, database_url=f"sqlite:///{folder}/playground.db")
        playing = asyncio.create_task(play(options, said.put_nowait, stopping))
        address = (await said.get()).removeprefix("The playground: ").split()[0]
        await said.get()
        async with async_playwright() as driver:
            browser = await driver.chromium.launch(
                executable_path=shutil.which("chromium"), args=list(ARGUMENTS)
            )
            await take_playground(browser, address)
            await browser.close()
        stopping.set()
        await playing


async def take_playground(browser: Browser, address: str) -> None:
    """Play the first scene on the desktop, and a fight on a phone as far as its first attack."""
    desktop = await browser.new_page(
        viewport={"width": 1180, "height": 760}, color_scheme="light", reduced_motion="reduce"
    )
    await desktop.goto(address)
    await until_offered(desktop, "session end")
    await play_scene(desktop)
    await desktop.get_by_text("The scene is over.").wait_for()
    await desktop.get_by_text("Download recap").wait_for()
    await desktop.screenshot(path=DOCS / "playground.png")
    phone = await browser.new_page(
        viewport={"width": 360, "height": 740},
        color_scheme="dark",
        device_scale_factor=2,
        reduced_motion="reduce",
    )
    await phone.goto(address)
    await phone.get_by_label("Which scene").select_option(FIGHT)
    await play_scene(phone, until=ATTACK)
    await phone.locator(".message").last.filter(has_text="More …").wait_for()  # the board comes last
    await phone.get_by_role("radio", name="Alice").click()
    await phone.get_by_role("button", name="Try this").click()
    await phone.wait_for_function(DRAWN)
    await phone.screenshot(path=DOCS / "playground-phone.png")


async def play_scene(page: Page, until: str = "") -> None:
    """Click through the chosen scene, as far as a step with this caption."""
    for number in range(await page.locator(".step").count()):
        step = page.locator(".step").nth(number)
        await step.and_(page.locator(".step.next")).click()
        await page.locator(".step.done").nth(number).wait_for()
        if until and until in await step.inner_text():
            return


async def until_offered(page: Page, command: str) -> None:
    """Wait until the bot has registered its commands."""
    await page.locator("#say").fill(f"/{command}")
    await page.get_by_role("option", name=f"/{command}").wait_for()
    await page.locator("#say").fill("")


def main() -> None:
    """Take what is asked for."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("folder", nargs="?", type=Path, help="where the pictures go")
    reader.add_argument("games", nargs="*", help="the games' commands; all if there are none")
    reader.add_argument("--quick", action="store_true", help="only the phone, dark")
    reader.add_argument("--readme", action="store_true", help="README's pictures instead")
    chosen = reader.parse_args()
    if chosen.readme:
        asyncio.run(take_readmes())
    elif chosen.folder:
        print(*asyncio.run(take_all(chosen.folder, chosen.games, is_quick=chosen.quick)), sep="\n")  # noqa: T201 (for whoever runs it)
    else:
        reader.error("a folder, or --readme")


if __name__ == "__main__":
    main()
