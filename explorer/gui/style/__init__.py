"""Colors, icons, style sheets, and the direction of texts."""
