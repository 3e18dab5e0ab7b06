"""The characters that commands of LaTeX represent."""

from __future__ import annotations

import unicodedata

# As Unicode spells them: its lamda is LaTeX's lambda, which is among the signs.
_GREEK = """
alpha beta gamma delta epsilon zeta eta theta iota kappa lamda mu nu xi omicron pi rho sigma tau upsilon phi chi psi
omega
"""
_SIGNS = """
times × div ÷ pm ± mp ∓ cdot · cdots ⋯ ldots … dots … vdots ⋮ ddots ⋱ ast ∗ star ⋆ circ ∘ bullet • oplus ⊕ otimes ⊗
leq ≤ le ≤ geq ≥ ge ≥ neq ≠ ne ≠ approx ≈ sim ∼ simeq ≃ cong ≅ equiv ≡ propto ∝ ll ≪ gg ≫ lt < gt >
in ∈ notin ∉ ni ∋ subset ⊂ subseteq ⊆ supset ⊃ supseteq ⊇ cup ∪ cap ∩ setminus ∖ emptyset ∅ varnothing ∅
forall ∀ exists ∃ nexists ∄ neg ¬ lnot ¬ land ∧ wedge ∧ lor ∨ vee ∨ top ⊤ bot ⊥ perp ⊥ parallel ∥ mid ∣ vdash ⊢ models ⊨
to → rightarrow → leftarrow ← gets ← leftrightarrow ↔ Rightarrow ⇒ implies ⇒ Leftarrow ⇐ Leftrightarrow ⇔ iff ⇔
longrightarrow ⟶ Longrightarrow ⟹ longleftarrow ⟵ mapsto ↦ uparrow ↑ downarrow ↓ rightharpoonup ⇀ rightleftharpoons ⇌
sum ∑ prod ∏ int ∫ iint ∬ iiint ∭ oint ∮ partial ∂ nabla ∇ infty ∞ degree ° prime ′ angle ∠ triangle △ square □
therefore ∴ because ∵ ell ℓ hbar ℏ Re ℜ Im ℑ aleph ℵ wp ℘ langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉
vert | Vert ‖ lvert | rvert | lVert ‖ rVert ‖ backslash \\ checkmark ✓ dagger † ddagger ‡ S § P ¶ pounds £ euro €
varepsilon ε vartheta ϑ varphi φ varrho ϱ varsigma ς varpi ϖ lambda λ Lambda Λ Box □ blacksquare ■ qed ∎ surd √
"""


def _symbols() -> dict[str, str]:
    words = _SIGNS.split()
    found = dict(zip(words[::2], words[1::2], strict=True))
    for name in _GREEK.split():
        for command, size in ((name, "SMALL"), (name.capitalize(), "CAPITAL")):
            found[command] = unicodedata.lookup(f"GREEK {size} LETTER {name.upper()}")
    return found


SYMBOLS = _symbols()
"""Commands, without the backslash, that represent one character."""

RAISED = dict(zip("0123456789+-=()nixyT*′", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱˣʸᵀ*′", strict=True))
LOWERED = dict(zip("0123456789+-=()aeioxhklmnpstijruv", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑᵢₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ", strict=True))
"""Characters that Unicode has in a raised or lowered form."""

DOUBLE = dict(zip("CHNPQRZE", "ℂℍℕℙℚℝℤ𝔼", strict=True))
"""Letters of `mathbb`."""

SPACES = {",": " ", ";": " ", ":": " ", " ": " ", "!": "", "quad": " ", "qquad": " ", "thinspace": " ", "enspace": " "}
"""Commands for space."""

_TEXTS = """
text textbf textit textrm texttt textsf textnormal mathrm mathbf mathit mathsf mathtt mathcal mathfrak mathscr
boldsymbol bm operatorname emph mbox hbox boxed overline underline hat bar vec dot ddot tilde widehat widetilde
overrightarrow overbrace underbrace pmb cancel
"""
_SILENT = """
left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr middle limits nolimits displaystyle textstyle scriptstyle
nonumber notag hline centering
"""
_NAMES = """
sin cos tan cot sec csc arcsin arccos arctan sinh cosh tanh log ln lg exp lim limsup liminf max min sup inf arg det dim
gcd ker Pr deg hom mod bmod
"""

TEXTS = frozenset(_TEXTS.split())
"""Commands of which only the argument is read."""

SILENT = frozenset(_SILENT.split())
"""Commands of which nothing is read."""

NAMES = frozenset(_NAMES.split())
"""Commands that are read as their names."""
