"""Errors of use cases that are no mistakes of the person."""

from bot.store.store_errors import OutcomeUnknown, StoreUnavailable

__all__ = ["OutcomeUnknown", "StoreUnavailable"]
