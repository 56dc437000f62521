"""Errors of use cases that are no mistakes of the person."""

from bot.store.store_errors import StoreUnavailable

__all__ = ["StoreUnavailable"]
