"""``python -m bot``: the same as `tablekeeper`."""

from bot.app.cli import main

if __name__ == "__main__":
    main()
