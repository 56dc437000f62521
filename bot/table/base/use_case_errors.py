"""What may keep a use case from working besides a person's mistake."""

from bot.store.store_errors import StoreUnavailable

__all__ = ["StoreUnavailable"]
