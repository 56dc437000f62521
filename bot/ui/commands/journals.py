"""Downloads of the journal."""

import gzip
import io

from bot.rules.kernel.errors import UserError
from bot.table.journal.verify import export_lines
from bot.ui.input.answer import answer
from bot.ui.input.asked import table_and_request
from bot.ui.input.presses import Interaction
from bot.ui.text.reply import Picture, Reply

PLAIN_BYTES = 2_000_000
MOST_BYTES = 9_500_000  # Discord takes ten megabytes


async def give_journal(interaction: Interaction, session: int | None = None) -> None:
    """Answer with the journal as a file (compressed if large), limited to what the person may read.

    Raises:
        UserError: If it is too large for Discord.
    """
    await interaction.response.defer(ephemeral=True, thinking=True)
    plain = io.BytesIO()
    packed: gzip.GzipFile | None = None
    async for line in export_lines(*table_and_request(interaction), session):
        if packed is None and plain.tell() > PLAIN_BYTES:
            plain, packed = _packing(plain)
        (packed or plain).write(line.encode())
        if plain.tell() > MOST_BYTES:
            raise UserError("The journal is too big for one file.", try_this="Export it session by session.")
    if packed is not None:
        packed.close()
    name = f"journal-{session}" if session is not None else "journal"
    suffix = ".jsonl" if packed is None else ".jsonl.gz"
    await answer(interaction, journal_reply(f"{name}{suffix}", plain.getvalue()))


def _packing(plain: io.BytesIO) -> tuple[io.BytesIO, gzip.GzipFile]:
    """A compressed file in memory and the writer that fills it."""
    content = io.BytesIO()
    packed = gzip.GzipFile(fileobj=content, mode="wb", mtime=0)
    packed.write(plain.getvalue())
    return content, packed


def journal_reply(name: str, content: bytes) -> Reply:
    """The journal as a file."""
    file = Picture(name=name, content=content)
    text = "The journal, as far as you are allowed to read it. Check it with `tablekeeper verify FILE`."
    return Reply(text=text, files=(file,), is_private=True)
