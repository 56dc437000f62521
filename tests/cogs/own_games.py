"""Games of one's own at a table of the real client: imported, begun, typed and pressed."""

from pathlib import Path
from typing import Any

import discord

from bot.store.journalled_tables import from_text
from bot.store.sqlite import open_store
from bot.table.base.table import Table
from bot.table.characters import characters
from tests.cogs.desk import Desk, open_desk
from tests.cogs.played import Play, Said
from tests.databases import prepared_file
from tests.rules.own.games import WIDE, shipped
from tests.table.conftest import Clock, Interactions, Person, Secrets

ADDRESS = "https://cdn.example/game.toml"
INES, TAM = "Ines Moreau", "Tam Okafor"


def sent(desk: Desk, text: str) -> discord.Attachment:
    """A game's file that somebody sends along."""
    content = text.encode()
    desk.wire.files[ADDRESS] = content
    data: Any = {
        "id": "5",
        "filename": "game.toml",
        "size": len(content),
        "url": ADDRESS,
        "proxy_url": ADDRESS,
    }
    return discord.Attachment(data=data, state=desk.bot._connection)


async def opened(folder: Path) -> Play:
    """A table on a database in a folder, a new one where there is none."""
    interactions = Interactions()
    kept = folder / "table.db"
    store = await open_store(f"sqlite:///{kept}" if kept.exists() else prepared_file(folder))
    clock = Clock()
    table = Table(store=store, games={}, now=clock, new_secret=Secrets())
    desk = await open_desk(table)
    desk.bot.messages.listen()
    gwen = Person(1, "Gwen", interactions, manages_server=True)
    alice, bob = Person(2, "Alice", interactions), Person(3, "Bob", interactions)
    return Play(desk, table, clock, gwen, alice, bob, Person(9, "Zed", interactions))


async def closed(play: Play) -> None:
    """Close the client and the database."""
    await play.desk.bot.close()
    await play.table.store.close()


async def restarted(play: Play, folder: Path) -> Play:
    """The same table after a restart; what stands in the channel stays."""
    await closed(play)
    again = await opened(folder)
    again.messages, again._used = play.messages, play._used
    return again


async def does(play: Play, who: Person, line: str, **options: Any) -> Said:
    """Type a command without dice, also where there is no campaign yet."""
    return play._heard(who, line, await play.desk.type(who, line, **options))


async def imports(play: Play, text: str, who: Person | None = None) -> Said:
    """Import a game."""
    return await does(play, who or play.gwen, "/game import", file=sent(play.desk, text))


async def begin(play: Play, game: str = "salt", alices: str = INES, bobs: str = TAM) -> None:
    """Import a shipped game, begin a campaign of it, and give both players a hero."""
    await imports(play, shipped(game))
    await does(play, play.gwen, "/campaign create", ruleset=game, name="The Long Night")
    await characters.take_ready_made(play.table, play.alice.asks(), alices)
    await characters.take_ready_made(play.table, play.bob.asks(), bobs)


def read(said: Said) -> str:
    """What was answered, as Discord shows it."""
    return said.text.replace("\\", "")


async def numbers(play: Play, name: str) -> dict[str, int]:
    """What stands on a character's sheet."""
    found: dict[str, int] = from_text((await play.kept(name)).sheet)["numbers"]
    return found


async def fresh(tmp_path: Path) -> Play:
    """A table that plays Salt and Signal."""
    play = await opened(tmp_path)
    await begin(play)
    return play


async def wide(folder: Path, game: str = WIDE) -> Play:
    """Alice's Mo and Bob's Ada in the wide game, or one like it."""
    play = await opened(folder)
    await imports(play, game.replace('command = "game"', 'command = "wide"'))
    await does(play, play.gwen, "/campaign create", ruleset="wide", name="Wide")
    await characters.take_ready_made(play.table, play.alice.asks(), "Mo")
    await characters.take_ready_made(play.table, play.bob.asks(), "Ada")
    return play
