// The signature's CMS (rules 5.6 to 5.12, and 5.19).

import { WrapperReader } from '../readers/ber.mjs';
import {
  INTEGER, OCTET_STRING, OBJECT_IDENTIFIER, SEQUENCE, SET,
  check, children, expect, identifier, integer, oid,
} from '../readers/der.mjs';
import { readTime } from '../readers/times.mjs';
import { checkDigest, checkSignature, readAlgorithm, readAlgorithmContents } from './algorithms.mjs';
import { Certificate, checkName } from './certificate.mjs';

const MOST_CERTIFICATES = 3;
const MOST_CERTIFICATE_BYTES = 4096;
const CONTEXT_0 = 0xa0;
const CONTEXT_1 = 0xa1;
const PRIMITIVE_CONTEXT_0 = 0x80;

const ID_DATA = oid('1.2.840.113549.1.7.1');
const ID_SIGNED_DATA = oid('1.2.840.113549.1.7.2');
const CONTENT_TYPE = oid('1.2.840.113549.1.9.3');
const MESSAGE_DIGEST = oid('1.2.840.113549.1.9.4');
const SIGNING_TIME = oid('1.2.840.113549.1.9.5');
const ALGORITHM_PROTECTION = oid('1.2.840.113549.1.9.52');
export const LEAF_MARKER = oid('1.2.840.113635.100.6.29');

/** Reads the signature of a token of this version: { certificates, signer }. Throws Malformed. */
export function readCMS(bytes, version) {
  const reader = new WrapperReader(bytes);
  const message = reader.wrapper(SEQUENCE, () => {
    check(identifier(reader.element()) === ID_SIGNED_DATA, 'another content type');
    return reader.wrapper(CONTEXT_0, () => reader.wrapper(SEQUENCE, () => readSignedData(reader, version)));
  });
  check(reader.atEnd(), 'something follows ContentInfo');
  checkSignatureLength(message, version);
  return message;
}

/** Rule 5.7. */
function readSignedData(reader, version) {
  check(integer(reader.element()) === 1n, 'another version');
  reader.wrapper(SET, () => checkDigest(readAlgorithm(reader.element())));
  reader.wrapper(SEQUENCE, () => check(identifier(reader.element()) === ID_DATA, 'other content'));
  const certificates = reader.isNext(CONTEXT_0) ? reader.wrapper(CONTEXT_0, () => reader.elements()) : [];
  check(certificates.length <= MOST_CERTIFICATES, 'too many certificates');
  check(certificates.every(({ encoding }) => encoding.length <= MOST_CERTIFICATE_BYTES), 'a long certificate');
  const signer = reader.wrapper(SET, () => new Signer(reader.element(), version));
  return { certificates: certificates.map((element) => new Certificate(element)), signer };
}

/** A SignerInfo (rule 5.9). It names its certificate by `issuer` and `serial`, or by `keyIdentifier`. */
class Signer {
  constructor(element, version) {
    const [number, name, digest, attributes, algorithm, signature] = children(element, SEQUENCE, 6);
    this.readName(integer(number), name);
    checkDigest(readAlgorithm(digest));
    const signatureAlgorithm = readAlgorithm(algorithm);
    checkSignature(signatureAlgorithm, version);
    this.signature = expect(signature, OCTET_STRING).contents;
    Object.assign(this, readAttributes(children(attributes, CONTEXT_0), signatureAlgorithm, version));
    this.signed = Buffer.from(attributes.encoding);
    this.signed[0] = SET; // Rule 8.2.
  }

  readName(number, name) {
    if (number === 3n) {
      this.keyIdentifier = expect(name, PRIMITIVE_CONTEXT_0).contents;
      return;
    }
    check(number === 1n, 'another version of SignerInfo');
    const [issuer, serial] = children(name, SEQUENCE, 2);
    checkName(issuer);
    this.issuer = issuer.encoding;
    this.serial = expect(serial, INTEGER).encoding;
  }

  /** Rule 6.4. */
  names(certificate) {
    if (this.keyIdentifier) return certificate.subjectKeyIdentifier?.equals(this.keyIdentifier) ?? false;
    return certificate.issuer.equals(this.issuer) && certificate.serial.equals(this.serial);
  }
}

/** Rule 5.11: { messageDigest, signingTime }. */
function readAttributes(attributes, signatureAlgorithm, version) {
  const values = new Map();
  for (const attribute of attributes) {
    const [type, set] = children(attribute, SEQUENCE, 2);
    const name = identifier(type);
    values.set(name, [...(values.get(name) ?? []), children(set, SET)]);
  }
  const single = (name) => {
    const occurrences = values.get(name) ?? [];
    check(occurrences.length === 1 && occurrences[0].length === 1, 'an attribute that does not occur once');
    return occurrences[0][0];
  };
  check(identifier(expect(single(CONTENT_TYPE), OBJECT_IDENTIFIER)) === ID_DATA, 'another content type');
  const messageDigest = expect(single(MESSAGE_DIGEST), OCTET_STRING).contents;
  check(messageDigest.length === 32, 'another length of messageDigest');
  if (values.has(ALGORITHM_PROTECTION)) checkProtection(single(ALGORITHM_PROTECTION), signatureAlgorithm, version);
  return { messageDigest, signingTime: readTime(single(SIGNING_TIME)) };
}

function checkProtection(element, signatureAlgorithm, version) {
  const [digest, signature] = children(element, SEQUENCE, 2);
  checkDigest(readAlgorithm(digest));
  const algorithm = readAlgorithmContents(children(signature, CONTEXT_1));
  check(algorithm.name === signatureAlgorithm.name, 'another algorithm is protected');
  checkSignature(algorithm, version);
}

/** Rule 5.19. */
function checkSignatureLength({ certificates, signer }, version) {
  const leaves = certificates.filter(({ extensions }) => extensions.has(LEAF_MARKER));
  if (version !== 'RSA_v1' || leaves.length !== 1 || leaves[0].publicKey.modulus === null) return;
  check(signer.signature.length === leaves[0].publicKey.modulusLength, 'a signature of another length');
}
