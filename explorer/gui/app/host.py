"""What a window offers to the screens that ask for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.gui.screens.screen import Screen

# Only the names of types: a screen is given these objects, and need not load their modules.
if TYPE_CHECKING:
    from explorer.gui.chrome.actions import ActionBook
    from explorer.gui.index.desk import IndexDesk
    from explorer.gui.project.desk import ProjectDesk
    from explorer.gui.settings.store import Settings


@dataclass(frozen=True)
class Host:
    """What a screen gets from its window: settings, indexes that are open or were open before, project, commands."""

    settings: Settings
    indexes: IndexDesk
    projects: ProjectDesk
    book: ActionBook


class HostedScreen(Screen):
    """A screen that uses what its window offers."""

    def use_host(self, host: Host) -> None:
        """Use what the window offers; called once, before anything else."""
        raise NotImplementedError
