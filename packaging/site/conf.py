"""The settings of Sphinx for `make site`. The pages are those that packaging/site.py stages."""

from explorer.version import VERSION

project = "Corpus Explorer"
author = "the authors of Corpus Explorer"
copyright = "the authors of Corpus Explorer"
version = release = VERSION

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["examples/**", "notebook/**"]
nitpicky = True

# Headings get the anchors that a code host gives them, so a link works in both places.
myst_heading_anchors = 4
# {.only-light} after a picture, and lists of options.
myst_enable_extensions = ["attrs_inline", "deflist"]

html_theme = "furo"
html_title = f"Corpus Explorer {VERSION}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_extra_path = ["extra"]
# Nothing is loaded from another host: fonts are those of the reader's system.
html_theme_options = {"navigation_with_keys": False, "footer_icons": []}
html_copy_source = False
html_show_sourcelink = False
html_last_updated_fmt = None
pygments_style = "friendly"
pygments_dark_style = "monokai"
