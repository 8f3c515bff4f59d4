"""How Sphinx builds the site. `docs/build_site.py` gathers the pages and calls it."""

from typing import Any

from mmgames import __version__

project = "mmgames"
author = "The mmgames authors"
copyright = author
release = version = __version__

extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
exclude_patterns = ["*.inc.md"]
nitpicky = True

# Nothing is fetched, neither here nor in the reader's browser: the theme uses the fonts the system has.
html_theme = "furo"
html_title = "mmgames"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_logo = html_favicon = "_static/icon.png"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_theme_options = {
    "sidebar_hide_name": False,
    "light_css_variables": {
        "color-brand-primary": "#2652a8",
        "color-brand-content": "#2652a8",
        "color-background-secondary": "#faf8f3",
    },
    "dark_css_variables": {"color-brand-primary": "#8fb0f0", "color-brand-content": "#8fb0f0"},
}
pygments_style = "a11y-light"  # of accessible-pygments, which the theme brings
pygments_dark_style = "a11y-dark"


def setup(app: Any) -> None:
    """The sidebar of a page opens the section that the page is in. All sections on all pages were half of the build."""

    def own_section(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
        whole = context.get("toctree")
        if whole is not None:
            context["toctree"] = lambda **how: whole(**{**how, "collapse": True})

    app.connect("html-page-context", own_section, priority=400)  # before the theme asks for it, at 500
