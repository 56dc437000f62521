"""Rate limits: Discord's buckets for messages and follow-ups."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field

from bot.playground.discord.payloads import Clock


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of call, and how many of it fit in how many seconds, for each group of the pattern."""

    bucket: str
    pattern: re.Pattern[str]
    limit: int
    per_seconds: float


RULES = (
    Rule("send", re.compile(r"POST /channels/(\d+)/messages"), 5, 5.0),
    Rule("edit", re.compile(r"PATCH /channels/(\d+)/messages/\d+"), 5, 5.0),
    Rule("follow-up", re.compile(r"(?:POST|PATCH) /webhooks/\d+/([^/]+)(?:/messages/[^/]+)?"), 5, 2.0),
)


@dataclass(slots=True)
class Bucket:
    """The calls of one kind to one place."""

    rule: Rule
    calls: deque[float] = field(default_factory=deque)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result for a call: the headers to send, and how long to wait if it came too early."""

    headers: dict[str, str]
    retry_after: float | None


class RateLimits:
    """Counts calls, bucket by bucket."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._buckets: dict[tuple[str, str], Bucket] = {}

    def count(self, method: str, path: str) -> Verdict:
        """Count a call."""
        for rule in RULES:
            match = rule.pattern.fullmatch(f"{method} {path}")
            if match:
                return self._count(rule, match[1])
        return Verdict({}, None)

    def _count(self, rule: Rule, place: str) -> Verdict:
        now = self._clock()
        self._forget_idle(now)
        bucket = self._buckets.setdefault((rule.bucket, place), Bucket(rule))
        while bucket.calls and now - bucket.calls[0] >= rule.per_seconds:
            bucket.calls.popleft()
        is_full = len(bucket.calls) >= rule.limit
        if not is_full:
            bucket.calls.append(now)
        reset_after = bucket.calls[0] + rule.per_seconds - now
        headers = {
            "X-RateLimit-Bucket": rule.bucket,
            "X-RateLimit-Limit": str(rule.limit),
            "X-RateLimit-Remaining": str(rule.limit - len(bucket.calls)),
            "X-RateLimit-Reset": f"{now + reset_after:.3f}",
            "X-RateLimit-Reset-After": f"{reset_after:.3f}",
        }
        return Verdict(headers, reset_after if is_full else None)

    def _forget_idle(self, now: float) -> None:
        if len(self._buckets) < 1000:
            return
        for key, bucket in list(self._buckets.items()):
            if now - bucket.calls[-1] >= bucket.rule.per_seconds:
                del self._buckets[key]
