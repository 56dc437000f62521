"""What may keep a use case from working besides a person's mistake."""

from bot.store.errors import StoreUnavailable

__all__ = ["StoreUnavailable"]
