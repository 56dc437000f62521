"""The campaign's module, attached to its settings wherever a seat is taken."""

import hashlib
import json
from typing import Any

from bot.rules.kernel import Document, ModuleRule, Ruleset
from bot.store.boundary import Reader
from bot.store.records import CampaignRecord, JsonObject

SETTING = "module"  # where a campaign keeps the digest of a module of its own
OWN = "module/own"  # the document that keeps its own
MOST_KEPT = 64


class ModuleCache:
    """The modules read last, by their digests, so that a check parses no file."""

    def __init__(self) -> None:
        self._read: dict[str, Document] = {}

    def read(self, rule: ModuleRule[Any], digest: str, body: JsonObject) -> Document:
        """A module as its model, from what is kept of it."""
        module: Document = rule.form.model.model_validate(body)
        self.keep(digest, module)
        return module

    def keep(self, digest: str, module: Document) -> None:
        """Remember a module; the oldest is forgotten."""
        for oldest in list(self._read)[: max(0, len(self._read) + 1 - MOST_KEPT)]:
            self._read.pop(oldest, None)
        self._read[digest] = module

    def find(self, digest: str) -> Document | None:
        """A module that is remembered, or None."""
        return self._read.get(digest)


def digest_of(game: Ruleset, body: JsonObject) -> str:
    """What tells a module's content from every other's."""
    text = json.dumps([game.key, body], sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def with_module(
    cache: ModuleCache, reader: Reader, game: Ruleset, campaign: CampaignRecord, settings: Document
) -> Document:
    """The settings of a campaign, carrying the module of its own, if it has one."""
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
