"""What several processes need, and one alone never loads: who holds which shard, and handing them over."""

from typing import TYPE_CHECKING

from bot import late

if not TYPE_CHECKING:  # for mypy they are modules like others
    __getattr__ = late(__name__, "shard_holder", "shard_locks")
