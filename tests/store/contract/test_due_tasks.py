"""Due tasks: found when they are due, claimed by one, done once."""

import asyncio

from bot.store.records import ALL_SHARDS, DueTask, ServerId
from bot.store.store import Store
from tests.store.rows import ELSEWHERE, HERE


def a_task(id_: int, due: int, *, kind: str = "press", server: ServerId = HERE) -> DueTask:
    return DueTask(server=server, kind=kind, id=id_, due=due)


async def save(store: Store, *tasks: DueTask) -> None:
    for task in tasks:
        await store.run(lambda tx, task=task: tx.save_due_task(task))  # type: ignore[misc]


async def due(store: Store, now: int, kind: str = "press") -> list[DueTask]:
    return await store.read(lambda reader: reader.due_tasks(kind, now, ALL_SHARDS))


async def test_the_longest_due_task_comes_first_and_later_ones_do_not_come(store: Store) -> None:
    late, early, other = a_task(1, 30), a_task(2, 20, server=ELSEWHERE), a_task(3, 10, kind="recap")
    await save(store, late, early, other, a_task(4, 31))

    assert await due(store, 30) == [early, late]
    assert await due(store, 30, "recap") == [other]


async def test_the_due_tasks_of_one_server_come_without_those_of_others(store: Store) -> None:
    late, early, other = a_task(1, 30), a_task(2, 20), a_task(3, 10, kind="recap")
    await save(store, late, early, other, a_task(4, 31), a_task(1, 5, server=ELSEWHERE))

    assert await store.read(lambda reader: reader.due_tasks_of(HERE, "press", 30)) == [early, late]


async def test_a_task_saved_again_has_its_new_time(store: Store) -> None:
    await save(store, a_task(1, 30), a_task(1, 40))

    assert await due(store, 39) == []
    assert await due(store, 40) == [a_task(1, 40)]


async def test_only_one_of_many_postpones_a_task(store: Store) -> None:
    task = a_task(1, 30)
    await save(store, task, a_task(1, 30, server=ELSEWHERE))

    claims = await asyncio.gather(*(store.run(lambda tx: tx.postpone_due_task(task, 90)) for _ in range(5)))

    assert sorted(claims) == [False, False, False, False, True]
    assert await due(store, 90) == [a_task(1, 30, server=ELSEWHERE), a_task(1, 90)]


async def test_a_finished_task_is_gone_and_cannot_be_claimed(store: Store) -> None:
    task, other = a_task(1, 30), a_task(1, 30, server=ELSEWHERE)
    await save(store, task, other)
    await store.run(lambda tx: tx.drop_due_task(task))

    assert await due(store, 99) == [other]
    assert await store.run(lambda tx: tx.postpone_due_task(task, 90)) is False


async def test_a_purge_removes_the_tasks_of_its_server(store: Store) -> None:
    await save(store, a_task(1, 30), a_task(1, 30, server=ELSEWHERE))

    await store.run(lambda tx: tx.purge_server(HERE))

    assert await due(store, 99) == [a_task(1, 30, server=ELSEWHERE)]
