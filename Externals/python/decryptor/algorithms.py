"""AlgorithmIdentifiers and the OIDs of the algorithms in use, rule 5.10."""

from dataclasses import dataclass

from .der import NULL, OBJECT_IDENTIFIER, SEQUENCE, Element, object_identifier, require

SHA_256 = object_identifier("2.16.840.1.101.3.4.2.1")
ECDSA_WITH_SHA_256 = object_identifier("1.2.840.10045.4.3.2")
ECDSA_WITH_SHA_384 = object_identifier("1.2.840.10045.4.3.3")
RSA_ENCRYPTION = object_identifier("1.2.840.113549.1.1.1")
SHA_256_WITH_RSA = object_identifier("1.2.840.113549.1.1.11")
SHA_384_WITH_RSA = object_identifier("1.2.840.113549.1.1.12")
EC_PUBLIC_KEY = object_identifier("1.2.840.10045.2.1")


@dataclass(frozen=True, slots=True)
class Algorithm:
    """An OID, and parameters or None."""

    name: bytes
    parameters: Element | None

    @property
    def has_null_or_nothing(self) -> bool:
        """Whether the parameters are NULL or absent."""
        return self.parameters is None or self.parameters.tag == NULL


def algorithm(element: Element) -> Algorithm:
    """Reads an AlgorithmIdentifier."""
    require(element.tag == SEQUENCE)
    return algorithm_contents(element)


def algorithm_contents(element: Element) -> Algorithm:
    """Reads a value that holds the contents of an AlgorithmIdentifier under another tag."""
    parts = element.children
    require(1 <= len(parts) <= 2 and parts[0].tag == OBJECT_IDENTIFIER)
    return Algorithm(parts[0].content, parts[1] if len(parts) == 2 else None)


def require_sha256(element: Element) -> None:
    """Requires SHA-256 with parameters NULL or absent."""
    digest = algorithm(element)
    require(digest.name == SHA_256 and digest.has_null_or_nothing)
