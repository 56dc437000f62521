"""Replay every journal of a database: all dice from their seeds, revealed or not, and all outcomes."""

import json
from collections.abc import Iterator, Sequence

from bot.store.copying.replayed import Replayed
from bot.store.records import CampaignRecord, EntryId, JsonObject, ServerId
from bot.store.transaction import Reader
from bot.table.journal.export import FORMAT, PAGE, VERSION
from bot.table.journal.verify import verify_lines


def replay_journals(reader: Reader, servers: Sequence[ServerId]) -> Replayed:
    """Replay the journals of some servers."""
    return sum(
        (_replayed(reader, campaign) for server in servers for campaign in reader.campaigns(server)),
        start=Replayed(),
    )


def _replayed(reader: Reader, campaign: CampaignRecord) -> Replayed:
    report = verify_lines(_lines(reader, campaign))
    faults = tuple(f"{campaign.name} in server {campaign.server}: {fault}" for fault in report.faults)
    return Replayed(1, report.entries, report.rolls, report.passed, len(faults), faults)


def _lines(reader: Reader, campaign: CampaignRecord) -> Iterator[str]:
    """Yield a campaign's journal as `bot.table.journal.export` does, with every secret."""
    yield _text(
        {
            "type": "journal",
            "format": FORMAT,
            "version": VERSION,
            "campaign": campaign.name,
            "ruleset": campaign.ruleset,
        }
    )
    for seed in reader.seeds(campaign.server, campaign.id):
        yield _text(
            {
                "type": "seed",
                "number": seed.number,
                "commitment": seed.commitment,
                "secret": seed.secret.hex(),
            }
        )
    count, after = 0, EntryId(0)
    while page := reader.entries(campaign.server, campaign.id, after=after, newest_first=False, limit=PAGE):
        for entry in page:
            yield _text(
                {
                    "type": "entry",
                    "entry": entry.id,
                    "interaction": entry.interaction,
                    "kind": entry.kind,
                    "seed": entry.seed,
                    "rolls": entry.rolls,
                }
            )
        count, after = count + len(page), page[-1].id
    yield _text({"type": "end", "entries": count})


def _text(line: JsonObject) -> str:
    return json.dumps(line, ensure_ascii=False)
