"""Speaks the line protocol on standard input and output. Started by `assay-external`."""

import sys

from decryptor.protocol import serve


def main() -> int:
    """0 at the end of the input, 2 when input cannot be read or answers cannot be written, 130 when interrupted."""
    try:
        serve(sys.stdin.buffer, sys.stdout.buffer)
    except KeyboardInterrupt:
        return 130
    except OSError:
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
