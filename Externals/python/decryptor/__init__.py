"""An Apple Pay token decryptor, written from Docs/Verification.md alone. Rule numbers are those of that page."""
