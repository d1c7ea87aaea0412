"""Speaks the line protocol on standard input and output. Started by `assay-external`."""

from frame import serve

from decryptor.protocol import identity

if __name__ == "__main__":
    serve(**identity())
