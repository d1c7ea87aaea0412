"""A decryptor of Apple Pay tokens, written from Docs/Verification.md alone. Rule numbers are those of that page."""
