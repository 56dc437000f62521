"""Attach the campaign's module to its settings."""

import hashlib
import json
from typing import Any

from bot.rules.kernel import Document, ModuleRule, Ruleset
from bot.store.records import CampaignRecord, JsonObject
from bot.store.transaction import Reader

SETTING = "module"  # where a campaign keeps the digest of a module of its own
OWN = "module/own"  # the document that keeps its own
MOST_KEPT = 64


class ModuleCache:
    """A cache of parsed modules by digest, so that a check parses no file."""

    def __init__(self) -> None:
        self._read: dict[str, Document] = {}

    def read(self, rule: ModuleRule[Any], digest: str, body: JsonObject) -> Document:
        """Return a module as its model, parsed if it is not cached."""
        module: Document = rule.form.model.model_validate(body)
        self.keep(digest, module)
        return module

    def keep(self, digest: str, module: Document) -> None:
        """Cache a module; the oldest is dropped."""
        for oldest in list(self._read)[: max(0, len(self._read) + 1 - MOST_KEPT)]:
            self._read.pop(oldest, None)
        self._read[digest] = module

    def find(self, digest: str) -> Document | None:
        """Return a cached module, or None."""
        return self._read.get(digest)


def digest_of(game: Ruleset, body: JsonObject) -> str:
    """Return a digest of a module's content."""
    text = json.dumps([game.key, body], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def with_module(
    cache: ModuleCache, reader: Reader, game: Ruleset, campaign: CampaignRecord, settings: Document
) -> Document:
    """Return a campaign's settings, with its own module attached if it has one."""
    rule = game.module
    chosen = campaign.settings.get(SETTING)
    if rule is None or not rule.is_apart or not isinstance(chosen, dict):
        return settings
    digest = chosen.get("own")
    if not isinstance(digest, str):
        return settings
    module = cache.find(digest)
    if module is None and (body := reader.document(campaign.server, campaign.id, OWN)) is not None:
        module = cache.read(rule, digest, body)
    carrying: Document = settings if module is None else rule.carrying(settings, module)
    return carrying
