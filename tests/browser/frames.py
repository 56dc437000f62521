"""Measures frames in a channel of 500 messages: ``python -m tests.browser.frames``.

Printed are the frames a second and the longest pause between two, on a phone, while the channel is
scrolled and while messages arrive.
"""

from __future__ import annotations

import asyncio
import shutil

from playwright.async_api import Page, async_playwright

from tests.browser.conftest import ARGUMENTS, PHONE
from tests.playground.running import Playground, playground

MESSAGES, ARRIVING = 500, 20
KINDS = ("check failed", "markdown", "board", "selects")
# Runs a step a frame and returns the milliseconds between frames.
FRAMES = """(steps) => new Promise((done) => {
  const list = document.getElementById("messages"), times = [];
  const step = (now) => {
    times.push(now);
    if (times.length > steps) return done(times.slice(1).map((time, at) => time - times[at]));
    list.scrollTop -= window.speed ?? 0;
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
})"""
SHOWN = "(count) => document.querySelectorAll('.message').length >= count"
STEPS = 300
SPEEDS = (20, 100)  # as a thumb reads, and as it flings


def told(what: str, gaps: list[float]) -> str:
    """Frames a second, and how long the slowest took, in milliseconds."""
    gaps = sorted(gaps)
    slow = sum(gap > 1000 / 60 + 4 for gap in gaps)
    return (
        f"{what}: {1000 * len(gaps) / sum(gaps):.1f} frames a second; "
        f"half took up to {gaps[len(gaps) // 2]:.1f} ms, 95% up to {gaps[len(gaps) * 95 // 100]:.1f}, "
        f"the longest {gaps[-1]:.1f}; {slow} of {len(gaps)} late"
    )


async def measured(page: Page, running: Playground) -> list[str]:
    """Every figure, in words; an empty channel's first, for what the machine can do."""
    alice, bob = running.cast.people[1:3]
    lines = [told("Empty, at rest", await page.evaluate(FRAMES, STEPS))]
    for number in range(MESSAGES):
        if number % 5 == 4:
            bob.say(f"We wait at the bridge. ({number})")
        else:
            await alice.slash("show", what=KINDS[number % len(KINDS)])
    await page.wait_for_function(SHOWN, arg=MESSAGES)
    await page.reload()
    await page.wait_for_function(SHOWN, arg=MESSAGES)
    lines.append(told(f"{MESSAGES} messages, at rest", await page.evaluate(FRAMES, STEPS)))
    for speed in SPEEDS:
        await page.evaluate("(speed) => { window.speed = speed; }", speed)
        lines.append(told(f"Scrolled by {speed} pixels a frame", await page.evaluate(FRAMES, STEPS)))
    await page.evaluate("() => { window.speed = 0; document.getElementById('messages').scrollTop = 1e9; }")
    drawing = asyncio.create_task(page.evaluate(FRAMES, STEPS))
    for number in range(ARRIVING):
        await asyncio.sleep(0.1)
        bob.say(f"Somebody comes. ({number})")
    lines.append(told(f"While {ARRIVING} messages arrive", await drawing))
    return lines


async def main() -> None:
    """Print the figures."""
    async with playground() as running, async_playwright() as driver:
        found = shutil.which("chromium")
        browser = await driver.chromium.launch(executable_path=found, args=list(ARGUMENTS))
        page = await browser.new_page(viewport={"width": PHONE[0], "height": PHONE[1]})
        await page.goto(running.address)
        await page.locator(".chip").first.wait_for()
        await page.get_by_role("radio", name="Alice").click()
        print(*await measured(page, running), sep="\n")  # noqa: T201 (for whoever runs it)
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main())
