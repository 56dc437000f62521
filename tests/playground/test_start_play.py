"""What `tablekeeper play` starts, keeps running and ends."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from asyncio import AbstractEventLoop
from pathlib import Path
from threading import Timer

import pytest
from aiohttp import ClientSession, web

from bot.playground.discord import LocalDiscord
from bot.playground.page import SceneFile, parse_scene, shipped_scenes
from bot.playground.start_play import (
    BotProcess,
    bot_command,
    bot_environment,
    own_database,
    served,
    stopped_by_signals,
)


class Lines(list[str]):
    """What was said; asks somebody to stop once a line has these words."""

    def __init__(self, ending: asyncio.Event, *, stop_at: str = "", times: int = 1) -> None:
        super().__init__()
        self._ending, self._stop_at, self._times = ending, stop_at, times

    def say(self, line: str) -> None:
        self.append(line)
        if self._stop_at and sum(self._stop_at in said for said in self) == self._times:
            self._ending.set()


def process(code: str, lines: Lines) -> BotProcess:
    command = [sys.executable, "-c", code]
    return BotProcess(
        command=command, environment={}, say=lines.say, on_gone=lambda _: None, first_wait_seconds=0.01
    )


class TestTheBotProcess:
    async def test_a_bot_that_dies_is_restarted_and_the_page_says_so(self) -> None:
        ending = asyncio.Event()
        lines = Lines(ending, stop_at="started again", times=2)
        bot = process("raise SystemExit(70)", lines)

        await bot.keep_running(ending)

        assert bot.starts == 2
        assert lines == [
            "The bot ended by itself (exit code 70). It is started again in 0.01 s.",
            "The bot ended by itself (exit code 70). It is started again in 0.02 s.",
        ]

    async def test_a_bot_killed_by_a_signal_is_reported(self) -> None:
        ending = asyncio.Event()
        lines = Lines(ending, stop_at="signal 9")

        await process("import os; os.kill(os.getpid(), 9)", lines).keep_running(ending)

        assert lines == ["The bot ended by itself (signal 9). It is started again in 0.01 s."]

    async def test_a_bot_with_wrong_settings_is_not_restarted(self) -> None:
        ending = asyncio.Event()
        lines = Lines(ending)
        bot = process("raise SystemExit(78)", lines)

        await bot.keep_running(ending)

        assert (bot.starts, bot.cannot_start) == (1, True)
        assert lines == ["The bot cannot start (exit code 78)."]

    async def test_the_bot_is_asked_to_stop_and_may_finish(self, tmp_path: Path) -> None:
        ending = asyncio.Event()
        begun, finished = tmp_path / "begun", tmp_path / "finished"
        os.mkfifo(begun)
        code = (
            "import pathlib, signal\n"
            f"signal.signal(signal.SIGTERM, lambda *_: pathlib.Path({str(finished)!r}).touch())\n"
            f"pathlib.Path({str(begun)!r}).write_text('now')\n"
            "signal.pause()"
        )
        running = asyncio.create_task(process(code, Lines(ending)).keep_running(ending))
        await asyncio.to_thread(begun.read_text)

        ending.set()
        await running

        assert finished.exists()

    async def test_a_playground_killed_on_linux_takes_its_bot_along(self) -> None:
        bot = "import signal; print('begun', flush=True); signal.pause()"
        leashed = [sys.executable, "-m", "bot.playground.page", "-c", bot]
        playground = f"import subprocess; subprocess.run({leashed!r})"
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", playground, stdout=asyncio.subprocess.PIPE
        )
        assert process.stdout is not None
        assert await process.stdout.readline() == b"begun\n"

        process.kill()

        async with asyncio.timeout(60):
            assert await process.stdout.read() == b""  # ends only when nobody holds the other end
        await process.wait()


class TestTheWayToTheLocalDiscord:
    async def test_the_bot_connects_to_the_local_discord_whatever_its_settings_say(self) -> None:
        mine = {
            "PATH": "/bin",
            "TABLEKEEPER_DISCORD__TOKEN": "real",
            "TABLEKEEPER_DISCORD__SHARD_COUNT": "4",
            "TABLEKEEPER_LOG__LEVEL": "debug",
        }
        local = LocalDiscord(port=4711)

        led = bot_environment(mine, local, "sqlite:///playground.db")

        assert led == {
            "PATH": "/bin",
            "TABLEKEEPER_DISCORD__TOKEN": local.token,
            "TABLEKEEPER_DISCORD__API_URL": "http://127.0.0.1:4711/api/v10",
            "TABLEKEEPER_DISCORD__GATEWAY_URL": "ws://127.0.0.1:4711/gateway",
            "TABLEKEEPER_DATABASE__URL": "sqlite:///playground.db",
            "TABLEKEEPER_LOG__LEVEL": "debug",
        }

    def test_the_bot_reads_the_same_settings_file(self) -> None:
        assert bot_command(Path("mine.toml"))[3:] == ["-m", "bot", "run", "--config", "mine.toml"]
        assert bot_command(None)[3:] == ["-m", "bot", "run"]


class TestWindows:
    """F-ALL-33: it has no SIGHUP, no signal handlers of the loop, and no process that becomes another."""

    async def test_ctrl_c_ends_the_playground(self, monkeypatch: pytest.MonkeyPatch) -> None:
        loop = asyncio.get_running_loop()
        monkeypatch.delattr(signal, "SIGHUP")
        monkeypatch.setattr(type(loop), "add_signal_handler", AbstractEventLoop.add_signal_handler)
        before = signal.getsignal(signal.SIGINT)
        ending = asyncio.Event()

        with stopped_by_signals(ending):
            signal.raise_signal(signal.SIGINT)
            async with asyncio.timeout(60):
                await ending.wait()

        assert signal.getsignal(signal.SIGINT) is before

    async def test_a_signal_ends_a_playground_that_is_waiting(self) -> None:
        ending = asyncio.Event()

        with stopped_by_signals(ending):
            Timer(0, os.kill, (os.getpid(), signal.SIGTERM)).start()
            async with asyncio.timeout(60):
                await ending.wait()

    def test_the_bot_is_started_without_a_leash(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "platform", "win32")

        assert bot_command(None) == [sys.executable, "-m", "bot", "run"]


class TestThePort:
    async def test_the_page_takes_a_free_port_when_its_own_is_taken(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            number = taken.getsockname()[1]

            async with served(web.Application(), number) as port:
                assert port != number

    async def test_the_page_takes_the_port_it_is_given(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as probe:
            number = probe.getsockname()[1]

        async with served(web.Application(), number) as port:
            assert port == number


class TestTheDatabase:
    def test_f_all_27_a_second_playground_plays_in_a_file_of_its_own_and_says_so(
        self, tmp_path: Path
    ) -> None:
        said: list[str] = []
        url = f"sqlite:///{tmp_path}/play.db"

        with own_database(url, said.append) as first, own_database(url, said.append) as second:
            both = (first, second)
        with own_database(url, said.append) as again:
            assert again == url

        assert both == (url, f"sqlite:///{tmp_path}/play-2.db")
        told = f"Another playground plays in {tmp_path}/play.db; this one plays in {tmp_path}/play-2.db."
        assert said == [told]

    def test_f_all_06_beginning_afresh_keeps_what_was_played_before(self, tmp_path: Path) -> None:
        said: list[str] = []
        (tmp_path / "play.db").write_text("an evening")
        (tmp_path / "play.db-wal").write_text("its end")

        with own_database(f"sqlite:///{tmp_path}/play.db", said.append, is_fresh=True):
            assert not (tmp_path / "play.db").exists()
            assert not (tmp_path / "play.db-wal").exists()

        assert (tmp_path / "play.db.replaced-1").read_text() == "an evening"
        assert (tmp_path / "play.db.replaced-1-wal").read_text() == "its end"
        assert said == [f"What was played before is kept as {tmp_path}/play.db.replaced-1."]

    def test_a_database_that_is_no_file_is_left_for_the_bot_to_refuse(self, tmp_path: Path) -> None:
        for url in ("postgresql://nowhere", f"sqlite:///{tmp_path}/missing/play.db"):
            with own_database(url, pytest.fail) as own:
                assert own == url


class TestTheWhole:
    async def test_play_serves_the_page_connects_the_real_bot_and_ends_on_sigterm(
        self, tmp_path: Path
    ) -> None:
        environment = {**os.environ, "TABLEKEEPER_PLAYGROUND__DATABASE": f"sqlite:///{tmp_path / 'play.db'}"}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            "play",
            "--port",
            "0",
            env=environment,
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdout is not None
        async with asyncio.timeout(60):
            announced = (await process.stdout.readline()).decode()
            connected = (await process.stdout.readline()).decode()
            address = announced.removeprefix("The playground: ").split()[0]
            async with ClientSession() as session, session.get(address) as page:
                served = (page.status, "Tablekeeper playground" in await page.text())
            process.terminate()
            rest = (await process.stdout.read()).decode()
            code = await process.wait()

        assert connected == "The bot is connected.\n"
        assert served == (200, True)
        assert (rest, code) == ("The playground has ended.\n", 0)


class TestScenes:
    def test_a_scene_is_steps_with_a_person_a_command_and_a_caption(self) -> None:
        step = 'person = "GM"\ncommand = "session start"\ncaption = "Begin"\n'
        text = f'title = "An evening"\n[[steps]]\n{step}'

        scene = parse_scene(SceneFile("any/scene.toml", text))

        assert (scene.title, scene.steps[0].command, scene.steps[0].options) == (
            "An evening",
            "session start",
            {},
        )

    def test_a_broken_scene_names_its_file(self) -> None:
        with pytest.raises(ValueError, match=r"any/scene\.toml: "):
            parse_scene(SceneFile("any/scene.toml", 'title = "No steps"'))

    def test_every_shipped_scene_can_be_read(self) -> None:
        assert all(scene.steps for scene in shipped_scenes())
