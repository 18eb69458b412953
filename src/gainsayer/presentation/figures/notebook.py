"""Figures show themselves in notebooks."""

from __future__ import annotations

from gainsayer.presentation.figures.figure import WIDTH, Figure
from gainsayer.presentation.figures.files import draw_svg
from gainsayer.presentation.figures.palettes import LIGHT


class Drawn:
    """A figure that a notebook shows as the picture that `save_figures` writes; a terminal shows its words.

    A picture needs no network, and names in it stay text. It is *not* the page that Altair makes of a chart by default:
    that one fetches its scripts, and takes a name such as `</script>` as markup. `chart()` gives the chart to those who
    want to point at its marks.
    """

    __slots__ = ()

    def _repr_mimebundle_(self: Figure, include: object = None, exclude: object = None) -> dict[str, str]:
        """The figure in the forms that a notebook chooses from: a picture, and words."""
        return {
            "image/svg+xml": draw_svg(self, palette=LIGHT, width=WIDTH),
            "text/plain": f"{self.title}\n{self.description}",
        }
