"""What is asked on the Next token screen, as one value that can be undone. No Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.gui.choices import Choices
from explorer.gui.presenter import Services
from explorer.gui.screens.next_token.tree_state import Side

if TYPE_CHECKING:
    from explorer.gui.screens.next_token.presenter import NextTokenPresenter

Asked = tuple[str, int, bool, Side]
"""The prompt, n, whether whole words are listed, and the side of the tree."""


def choices_of(services: Services, screen: NextTokenPresenter) -> Choices[Asked]:
    """The choices of the screen."""

    def now() -> Asked:
        state = screen.state
        return state.prompt, state.n, state.words, screen.tree.state.side

    def choose(asked: Asked) -> None:
        prompt, n, words, side = asked
        # The tree alone has another side: what follows is not asked again.
        if asked[:3] != now()[:3]:
            screen.change(prompt=prompt, n=n, words=words)
            screen.run()
        screen.tree.turn(side)

    return Choices(services, now, choose)
