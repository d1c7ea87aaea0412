// Certificates (rules 5.13 to 5.18).

import { createHash } from 'node:crypto';
import {
  BIT_STRING, BOOLEAN, INTEGER, OCTET_STRING, SEQUENCE, SET,
  check, children, expect, identifier, integer, oid, readDER, wholeBytes,
} from '../readers/der.mjs';
import { readTime } from '../readers/times.mjs';
import { readAlgorithm } from './algorithms.mjs';
import { readPublicKey } from './public-keys.mjs';

const LEVEL = 5; // of a certificate in a CMS
const MOST_PINNED_BYTES = 65_536;
const VERSION_TAG = 0xa0;
const EXTENSIONS_TAG = 0xa3;
const VERSION_3 = 2n;

export const BASIC_CONSTRAINTS = oid('2.5.29.19');
export const KEY_USAGE = oid('2.5.29.15');
const SUBJECT_KEY_IDENTIFIER = oid('2.5.29.14');

/** A certificate that passes the rules of its encoding. `issuer`, `subject` and `serial` are whole encodings. */
export class Certificate {
  /** `element` is the certificate in DER, read. Throws Malformed. */
  constructor(element) {
    const [tbs, algorithm, signature] = children(element, SEQUENCE, 3);
    this.encoding = element.encoding;
    this.signed = tbs.encoding;
    this.algorithm = readAlgorithm(algorithm);
    this.signature = wholeBytes(signature);
    this.readSigned(tbs, algorithm);
  }

  readSigned(tbs, outerAlgorithm) {
    const members = children(tbs, SEQUENCE);
    check(members.length === 7 || members.length === 8, 'too few or too many members');
    const [version, serial, algorithm, issuer, validity, subject, publicKey, extensions] = members;
    check(integer(children(version, VERSION_TAG, 1)[0]) === VERSION_3, 'another version');
    check(algorithm.encoding.equals(outerAlgorithm.encoding), 'two algorithms');
    checkName(issuer);
    checkName(subject);
    this.serial = expect(serial, INTEGER).encoding;
    this.issuer = issuer.encoding;
    this.subject = subject.encoding;
    [this.notBefore, this.notAfter] = children(validity, SEQUENCE, 2).map(readTime);
    this.publicKey = readPublicKey(publicKey);
    this.readExtensions(extensions ? readExtensions(extensions) : new Map());
  }

  /** Rule 5.17. */
  readExtensions(extensions) {
    this.extensions = extensions;
    const contents = (name) => (extensions.has(name) ? readDER(extensions.get(name).value) : null);
    const [constraints, usage, keyIdentifier] = [BASIC_CONSTRAINTS, KEY_USAGE, SUBJECT_KEY_IDENTIFIER].map(contents);
    this.basicConstraints = constraints && readBasicConstraints(constraints);
    this.keyUsage = usage && expect(usage, BIT_STRING).contents.subarray(1);
    this.subjectKeyIdentifier = keyIdentifier && expect(keyIdentifier, OCTET_STRING).contents;
  }

  /** Whether keyUsage, if present, has this bit. Bit 0 is the most significant of the first byte. */
  allowsUsage(bit) {
    return this.keyUsage === null || (this.keyUsage[bit >> 3] & (0x80 >> (bit & 7))) !== 0;
  }

  /** The digests that a list of revoked certificates may have, in hexadecimal. */
  get digests() {
    return [this.encoding, this.publicKey.encoding].map((bytes) => createHash('sha256').update(bytes).digest('hex'));
  }
}

/** Reads a root or a merchant's certificate. Throws Malformed. */
export function readPinnedCertificate(bytes) {
  check(bytes.length <= MOST_PINNED_BYTES, 'a certificate that is too long');
  return new Certificate(readDER(bytes, LEVEL));
}

/** Rule 5.14. */
export function checkName(element) {
  for (const set of children(element, SEQUENCE)) {
    const attributes = children(set, SET);
    check(attributes.length > 0, 'an empty part of a name');
    for (const attribute of attributes) identifier(children(attribute, SEQUENCE, 2)[0]);
  }
}

/** Rule 5.15. The extensions by name: { isCritical, value }. */
function readExtensions(element) {
  const [list] = children(element, EXTENSIONS_TAG, 1);
  const extensions = new Map();
  for (const extension of children(list, SEQUENCE)) {
    const [first, ...rest] = children(extension, SEQUENCE);
    const name = identifier(first);
    const isCritical = rest[0]?.tag === BOOLEAN && rest.shift().contents[0] !== 0;
    check(rest.length === 1, 'more in an extension');
    check(!extensions.has(name), 'an extension twice');
    extensions.set(name, { isCritical, value: expect(rest[0], OCTET_STRING).contents });
  }
  check(extensions.size > 0, 'no extensions');
  return extensions;
}

function readBasicConstraints(element) {
  const rest = [...children(element, SEQUENCE)];
  const isAuthority = rest[0]?.tag === BOOLEAN && rest.shift().contents[0] !== 0;
  const pathLength = rest.length > 0 ? integer(rest.shift()) : null;
  check(rest.length === 0 && (pathLength === null || pathLength >= 0n), 'more in basicConstraints, or less than 0');
  return { isAuthority, pathLength };
}
