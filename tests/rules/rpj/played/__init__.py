"""RPJ Core at a real table: kept, journalled, pressed, undone."""
