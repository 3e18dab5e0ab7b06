"""The texts that a screen asks about, as chips: files and pasted text, chosen, added and removed."""
