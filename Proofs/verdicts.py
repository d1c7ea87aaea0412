"""The verdicts of the proofs' parts."""

import dataclasses


@dataclasses.dataclass
class Verdict:
    """A theorem by its name, what it says, and why it is refused: None if it is proved."""

    name: str
    says: str
    reason: str | None
