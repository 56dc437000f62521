"""Open the store that `database.url` names, of whatever engine."""

from bot.store.database_files import POSTGRES
from bot.store.postgres.patience import USUAL_PATIENCE, Patience
from bot.store.store import Store


async def open_store(url: str, patience: Patience = USUAL_PATIENCE) -> Store:
    """Open or make the database, and migrate it to this program's schema.

    Args:
        url: ``sqlite:///`` and the name of a file, or libpq's address of a PostgreSQL database.
        patience: How long units of work wait on PostgreSQL.

    Raises:
        StoreUnavailable: If it can't be used; the reason says what to do.
    """
    if url.startswith(POSTGRES):
        from bot.store.postgres.postgres_store import open_postgres  # only who uses it pays for loading it

        return await open_postgres(url, patience)
    from bot.store.sqlite import open_store as open_sqlite

    return await open_sqlite(url)
