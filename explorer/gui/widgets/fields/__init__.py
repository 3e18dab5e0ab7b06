"""Fields, switches, buttons and menus."""
