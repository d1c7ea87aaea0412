// Public keys of certificates and of tokens (rules 5.16 and 11.1), and signatures under them (8.3 and 8.4).

import { createPublicKey, verify } from 'node:crypto';
import {
  Malformed, NULL, OBJECT_IDENTIFIER, SEQUENCE,
  check, children, expect, identifier, integer, oid, readDER, wholeBytes,
} from '../readers/der.mjs';
import { RSA_ENCRYPTION, readAlgorithm } from './algorithms.mjs';

const EC_PUBLIC_KEY = oid('1.2.840.10045.2.1');
const MOST_MODULUS_BITS = 4096;
const EXPONENT = 65537n;

/** A short Weierstrass curve with a = -3. */
class Curve {
  constructor(name, { p, b, n }) {
    this.name = name;
    this.p = BigInt(p);
    this.b = BigInt(b);
    this.n = BigInt(n);
    this.coordinateLength = p.length / 2 - 1; // bytes
  }

  /** Whether `bytes` is 04 ‖ x ‖ y of a point on the curve. */
  hasPoint(bytes) {
    if (bytes.length !== 1 + 2 * this.coordinateLength || bytes[0] !== 0x04) return false;
    const x = number(bytes.subarray(1, 1 + this.coordinateLength));
    const y = number(bytes.subarray(1 + this.coordinateLength));
    return x < this.p && y < this.p && (y * y - (x * x * x - 3n * x + this.b)) % this.p === 0n;
  }
}

/** SEC 2, 2.4.2. */
export const P256 = new Curve('P-256', {
  p: '0xffffffff00000001000000000000000000000000ffffffffffffffffffffffff',
  b: '0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b',
  n: '0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551',
});
/** SEC 2, 2.5.1. */
const P384 = new Curve('P-384', {
  p: '0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffff',
  b: '0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aef',
  n: '0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973',
});
const CURVES = new Map([
  [oid('1.2.840.10045.3.1.7'), P256],
  [oid('1.3.132.0.34'), P384],
]);

/** A key that passes 5.16. Of `curve` and `modulus` at most one is there; a key of another kind has neither. */
export class PublicKey {
  constructor(encoding, { curve = null, modulus = null }) {
    this.encoding = encoding; // SubjectPublicKeyInfo
    this.curve = curve;
    this.modulus = modulus; // bigint
    this.modulusBits = modulus === null ? 0 : modulus.toString(2).length;
  }

  get modulusLength() {
    return Math.ceil(this.modulusBits / 8); // bytes
  }

  /** Rule 8.3, and that the signature verifies. */
  verifiesECDSA(hash, message, signature) {
    return this.curve !== null && isECDSAValue(signature, this.curve.n) && this.verifies(hash, message, signature);
  }

  /** Rule 8.4. OpenSSL makes the encoded message and compares it as a whole. */
  verifiesRSA(hash, message, signature) {
    if (this.modulus === null || signature.length !== this.modulusLength) return false;
    return number(signature) < this.modulus && this.verifies(hash, message, signature);
  }

  verifies(hash, message, signature) {
    this.key ??= createPublicKey({ key: this.encoding, format: 'der', type: 'spki' });
    return verify(hash, message, this.key, signature);
  }
}

/** Rule 5.16. Throws Malformed. */
export function readPublicKey(element) {
  const [algorithm, bits] = children(element, SEQUENCE, 2);
  const { name, parameters } = readAlgorithm(algorithm);
  const key = wholeBytes(bits);
  if (name === EC_PUBLIC_KEY) return readECKey(element.encoding, expect(parameters, OBJECT_IDENTIFIER), key);
  if (name !== RSA_ENCRYPTION) return new PublicKey(element.encoding, {});
  expect(parameters, NULL);
  return readRSAKey(element.encoding, key);
}

function readECKey(encoding, parameters, key) {
  const curve = CURVES.get(identifier(parameters)) ?? null;
  check(curve === null || curve.hasPoint(key), 'no point on the curve');
  return new PublicKey(encoding, { curve });
}

function readRSAKey(encoding, key) {
  const [modulus, exponent] = children(readDER(key), SEQUENCE, 2).map(integer);
  check(modulus > 0n && modulus % 2n === 1n, 'a modulus that is even or not positive');
  check(modulus >> BigInt(MOST_MODULUS_BITS) === 0n, 'a modulus that is too long');
  check(exponent === EXPONENT, 'another exponent');
  return new PublicKey(encoding, { modulus });
}

/** Rule 8.3. */
function isECDSAValue(signature, order) {
  try {
    const values = children(readDER(signature), SEQUENCE, 2).map(integer);
    return values.every((value) => value > 0n && value < order);
  } catch (error) {
    if (error instanceof Malformed) return false;
    throw error;
  }
}

/** The number of these bytes, the most significant first. */
export function number(bytes) {
  return BigInt(`0x${bytes.toString('hex') || '0'}`);
}
