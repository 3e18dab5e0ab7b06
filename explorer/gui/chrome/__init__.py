"""The frame around the screens: bars, dialogs, commands, keys."""
