#!/usr/bin/env python3
"""Prints cases for p256_kernels.c, one on a line: published ones, edge cases, and random ones from a seed.

Tests/Kernels/Arm64/p256_cases.py SEED COUNT

The curve arithmetic uses Python's integers and textbook formulas, and shares nothing with Sources/Kernels/CP256. The
script fails unless it reproduces every value of p256_known_answers.txt. The lines:

  agree SCALAR PEER done SECRET             a key agreement; also `refused` or `unsure`, and then zeros for the secret
  verify POINT DIGEST R S genuine|forged    a signature; with `meets` after it, lanes may leave it undecided
  table POINT made|refused                  whether a table can be made of the point
  entry POINT POSITION MULTIPLE BYTES       x and y of an entry of the table, in the format of CP256.h
"""

import pathlib
import random
import sys

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
G = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
     0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)

# Points are (x, y), or None for infinity. Inside a product they are (X, Y, Z) with x = X/Z² and y = Y/Z³; Z = 0 is
# infinity.


def double(point):
    x, y, z = point
    square = y * y % P
    s = 4 * x * square % P
    m = 3 * (x - z * z) * (x + z * z) % P
    x3 = (m * m - 2 * s) % P
    return x3, (m * (s - x3) - 8 * square * square) % P, 2 * y * z % P


def add(left, right):
    """The sum of a point and an affine one."""
    x1, y1, z1 = left
    x2, y2 = right
    if z1 == 0:
        return x2, y2, 1
    zz = z1 * z1 % P
    h, r = (x2 * zz - x1) % P, (y2 * zz * z1 - y1) % P
    if h == 0:
        return double(left) if r == 0 else (1, 1, 0)
    hh = h * h % P
    hhh, v = h * hh % P, x1 * hh % P
    x3 = (r * r - hhh - 2 * v) % P
    return x3, (r * (v - x3) - y1 * hhh) % P, z1 * h % P


def affine(point):
    x, y, z = point
    if z == 0:
        return None
    inverse = pow(z, -1, P)
    return x * inverse**2 % P, y * inverse**3 % P


def times(scalar, point):
    result = (1, 1, 0)
    for bit in f"{scalar % N:b}":
        result = double(result)
        if bit == "1":
            result = add(result, point)
    return affine(result)


# 2^i · G for each bit i: a product of the generator is a sum of these.
POWERS = [G]
while len(POWERS) < 256:
    POWERS.append(affine(double((*POWERS[-1], 1))))


def generated(scalar):
    result = (1, 1, 0)
    for i, power in enumerate(POWERS):
        if scalar % N >> i & 1:
            result = add(result, power)
    return affine(result)


def plus(left, right):
    if left is None or right is None:
        return left or right
    return affine(add((*left, 1), right))


def is_on_curve(point):
    x, y = point
    return x < P and y < P and (y * y - x**3 + 3 * x - B) % P == 0


def verifies(point, digest, r, s):
    if not (0 < r < N and 0 < s < N):
        return False
    inverse = pow(s, -1, N)
    total = plus(generated(digest * inverse), times(r * inverse, point))
    return total is not None and total[0] % N == r


# Functions that print a case.


def hexadecimal(*numbers):
    return "".join(f"{number:064x}" for number in numbers)


def agree(scalar, peer):
    if not is_on_curve(peer):
        outcome, secret = "refused", 0
    elif scalar % N == 0:
        outcome, secret = "unsure", 0
    else:
        outcome, secret = "done", (generated(scalar) if peer == G else times(scalar, peer))[0]
    print("agree", hexadecimal(scalar), hexadecimal(*peer), outcome, hexadecimal(secret))
    return secret


def verify(point, digest, r, s, is_genuine, meets=False):
    kind = "genuine" if is_genuine else "forged"
    print("verify", hexadecimal(*point), hexadecimal(digest), hexadecimal(r), hexadecimal(s), kind, *["meets"] * meets)


def verify_computed(point, digest, r, s, meets=False):
    verify(point, digest, r, s, verifies(point, digest, r, s), meets)


def table(point):
    print("table", hexadecimal(*point), "made" if is_on_curve(point) else "refused")


def entry(point, position, multiple):
    stored = [coordinate * 2**260 % P for coordinate in times(multiple * 256**position, point)]
    print("entry", hexadecimal(*point), position, multiple, hexadecimal(*stored))


def signature_of_sum(u1, u2, total):
    """A digest, r and s for which a verifier computes `total` as u1 · G + u2 · Q."""
    r = total[0] % N
    s = r * pow(u2, -1, N) % N
    return u1 * s % N, r, s


class Signer:
    def __init__(self, scalar):
        self.scalar = scalar % N
        self.point = generated(scalar)

    def sign(self, digest, nonce):
        r = generated(nonce)[0] % N
        return r, pow(nonce, -1, N) * (digest + r * self.scalar) % N


# The groups of cases.


def known_answers(stream):
    def same(computed, published):
        if computed != published:
            sys.exit(f"p256_cases.py: computed {computed}, published {published}")

    signer = Signer(stream.randrange(1, N))
    for line in (pathlib.Path(__file__).parent / "p256_known_answers.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        kind, *words = line.split()
        if kind == "agree":
            scalar, x, y, secret = [int(word, 16) for word in words]
            same(agree(scalar, (x, y)), secret)
        elif kind == "verify":
            *numbers, outcome = words
            x, y, digest, r, s = [int(number, 16) for number in numbers]
            same(verifies((x, y), digest, r, s), outcome == "genuine")
            verify((x, y), digest, r, s, outcome == "genuine")
        elif kind == "multiple":
            scalar, x, y = int(words[0]), int(words[1], 16), int(words[2], 16)
            same(generated(scalar), (x, y))
            agree(scalar, G)
            # Kernels without key agreement compute the product as a sum, such as of (k - 1) · G and G.
            verify(G, *signature_of_sum(scalar - 1, 1, (x, y)), True, meets=True)
            u2 = stream.randrange(1, N)
            verify(signer.point, *signature_of_sum(scalar - u2 * signer.scalar, u2, (x, y)), True)
            position = 0
            while scalar % 256 == 0:
                scalar, position = scalar // 256, position + 1
            if scalar <= 128:
                entry(G, position, scalar)
        else:
            sys.exit(f"p256_cases.py: {line}")


def ends_of_the_range(stream):
    peer = generated(stream.randrange(1, N))
    for small in (*range(1, 41), *(2**i for i in range(6, 256, 5))):
        agree(small, peer)
        agree(N - small % N, peer)
        point = generated(small)
        agree(stream.randrange(1, N), (point[0], P - point[1]))
    # At x = 0, y is a root of b.
    agree(stream.randrange(1, N), (0, pow(B, (P + 1) // 4, P)))
    for scalar in (0, N):
        agree(scalar, peer)
    # A secret with a leading zero byte.
    scalar = next(k for k in range(1, 10_000) if generated(k)[0] >> 248 == 0)
    agree(scalar, G)


def no_points(stream):
    # x + p is the x of a point modulo p, but is not below p.
    x = next(x for x in range(20) if pow(x**3 - 3 * x + B, (P - 1) // 2, P) == 1)
    for point in (0, 0), (x + P, pow(x**3 - 3 * x + B, (P + 1) // 4, P)):
        agree(stream.randrange(1, N), point)
        table(point)
    for _ in range(4):
        x, y = generated(stream.randrange(1, N))
        bad = [(x, 0), (0, y), (x, y ^ 1), (x ^ 1, y), (P, y), (x, P), (y, x), (2**256 - 1, y), (x, 2**256 - 1)]
        for point in bad:
            agree(stream.randrange(1, N), point)
            agree(stream.randrange(1, N), (x, y))
            table(point)


def ends_of_signatures(stream):
    signer = Signer(stream.randrange(1, N))
    digest = stream.getrandbits(256)
    r, s = signer.sign(digest, stream.randrange(1, N))
    verify(signer.point, digest, r, N - s, True)
    for edge in (0, 1, 2, N - 2, N - 1, N, N + 1, 2**256 - 1):
        for pair in ((edge, s), (r, edge), (edge, edge)):
            verify_computed(signer.point, digest, *pair, meets=True)
    for edge in (0, 1, N - 1, N, N + 1, 2**256 - 1):
        verify_computed(signer.point, edge, *signer.sign(edge, stream.randrange(1, N)), meets=True)
    # The sum's x is n or more, so that r is x - n. From p - n on, r + n is not below p, so r can only be x itself.
    found = 0
    for small in range(1, 60):
        x = N + small
        y = pow(x**3 - 3 * x + B, (P + 1) // 4, P)
        if found < 4 and is_on_curve((x, y)):
            found += 1
            verify((x, y), 0, small, small, True, meets=True)
            u1 = stream.randrange(1, N)
            point = plus((x, y), generated(N - u1))
            verify(point, u1 * small % N, small, small, True)
            verify(point, u1 * small % N, small + 1, small, False)
    for r in (P - N - 1, P - N):
        verify_computed(signer.point, digest, r, stream.randrange(1, N))


def terms_that_meet(stream):
    """Sums with equal or opposite terms, sums at infinity, and digits that are zero or at the ends of their range."""
    repeated = [int.from_bytes(bytes([byte]) * 32, "big") % N for byte in (0x7F, 0x80, 0x81)]
    scalars = [1, 2, 127, 128, 129, 256, 0x8080, 2**248, 2**255 % N, *repeated]
    scalars += [N - scalar for scalar in scalars[:6]]
    for factor in (1, -1, 2, 128, -256):
        signer = Signer(factor)
        for u1 in (0, *scalars):
            for u2 in scalars:
                total = generated(u1 + u2 * signer.scalar)
                if total is not None:
                    verify(signer.point, *signature_of_sum(u1, u2, total), True, meets=True)
                else:
                    r = stream.randrange(1, N)
                    s = r * pow(u2, -1, N) % N
                    verify(signer.point, u1 * s % N, r, s, False, meets=True)


def random_ones(stream, count):
    signers = [Signer(stream.randrange(1, N)) for _ in range(5)]
    for signer in signers:
        for _ in range(8):
            entry(signer.point, stream.randrange(32), stream.randrange(1, 129))
        entry(signer.point, 31, 128)
    for _ in range(count):
        signer, other = stream.sample(signers, 2)
        digest, nonce = stream.getrandbits(256), stream.randrange(1, N)
        r, s = signer.sign(digest, nonce)
        verify(signer.point, digest, r, s, True)
        bit = 1 << stream.randrange(256)
        altered = stream.choice([(digest ^ bit, r, s), (digest, r ^ bit, s), (digest, r, s ^ bit), (digest, s, r)])
        verify(signer.point, *altered, False)
        if stream.randrange(8) == 0:
            verify(other.point, digest, r, s, False)
        x, y = generated(nonce)
        scalar = stream.randrange(1, N)
        agree(scalar, (x, y))
        if stream.randrange(4) == 0:
            agree(scalar, (x ^ bit, y) if is_on_curve((x, y ^ bit)) else (x, y ^ bit))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    stream = random.Random(f"p256 {sys.argv[1]}")
    known_answers(stream)
    table(G)
    ends_of_the_range(stream)
    no_points(stream)
    ends_of_signatures(stream)
    terms_that_meet(stream)
    random_ones(stream, int(sys.argv[2]))


main()
