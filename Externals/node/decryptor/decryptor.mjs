// The stages in their order, and the stages that are short: 8, 9 and 14.

import { createHash } from 'node:crypto';
import { Malformed } from '../readers/der.mjs';
import { decodeHex } from '../readers/encodings.mjs';
import { checkChain, findCertificates } from './chain.mjs';
import { readCMS } from './cms.mjs';
import { decryptData } from './decryption.mjs';
import { extract } from './envelope.mjs';
import { Fault, orFault } from './faults.mjs';
import { readPayload } from './payload.mjs';
import { readToken } from './token.mjs';

/** Decrypts tokens with the keys, roots and window of a hello. */
export class Decryptor {
  /** MerchantKeys; Certificates; seconds, or null for no check. */
  constructor(keys, roots, window) {
    this.keys = keys;
    this.roots = roots;
    this.window = window;
  }

  /**
   * Decrypts the token in a request: { plaintext, isSigned }. `at` is in seconds.
   * `policy` is { envelope, unsigned, replay, revoked, currency, amount, applicationData }: `revoked` a set of digests
   * in hexadecimal, `amount` a bigint, `applicationData` a Buffer, and each of the last three null where nothing is
   * expected. `seen` is the set of the transactions accepted before, to which this one is added. Throws Fault.
   */
  decrypt(request, { at, policy, seen }) {
    const extracted = extract(request, policy.envelope);
    const token = readToken(extracted, policy);
    if (token.isSigned) this.verify(token, at, policy);
    const plaintext = decryptData(token, this.keys.find(token));
    const payment = readPayload(plaintext, token.version);
    checkExpectations({ token, payment, policy, transactionIdentifier: extracted.transactionIdentifier });
    if (policy.replay) remember(token.transactionId, seen);
    return { plaintext, isSigned: token.isSigned };
  }

  /** Stages 5 to 9. */
  verify(token, at, { revoked }) {
    const message = orFault(Malformed, 'malformedSignature', 5, () => readCMS(token.signature, token.version));
    const certificates = findCertificates(message, this.roots);
    checkChain(certificates, { roots: this.roots, version: token.version, revoked, at });
    checkSignature(token, message.signer, certificates.leaf.publicKey);
    if (this.window !== null && Math.abs(message.signer.signingTime - at) > this.window) {
      throw new Fault('signingTimeOutsideWindow', 9);
    }
  }
}

/** Stage 8. */
function checkSignature(token, signer, key) {
  const digest = createHash('sha256');
  for (const member of [token.keyMember, token.data, token.transactionId]) digest.update(member);
  if (token.applicationData !== null) digest.update(token.applicationData);
  const verifies =
    digest.digest().equals(signer.messageDigest) &&
    (token.version === 'EC_v1'
      ? key.verifiesECDSA('sha256', signer.signed, signer.signature)
      : key.verifiesRSA('sha256', signer.signed, signer.signature));
  if (!verifies) throw new Fault('signatureMismatch', 8);
}

/** Rules 14.0 to 14.3. */
function checkExpectations({ token, payment, policy, transactionIdentifier }) {
  if (transactionIdentifier !== undefined && !isHexOf(transactionIdentifier, token.transactionId)) {
    throw new Fault('envelopeFieldMismatch', 14);
  }
  const { applicationData, currency, amount } = policy;
  if (applicationData !== null && !token.applicationData?.equals(applicationData)) {
    throw new Fault('applicationDataMismatch', 14);
  }
  if (currency !== null && payment.currency !== currency) throw new Fault('currencyMismatch', 14);
  if (amount !== null && BigInt(payment.amount) !== amount) throw new Fault('amountMismatch', 14);
}

function isHexOf(value, bytes) {
  return typeof value === 'string' && (decodeHex(value)?.equals(bytes) ?? false);
}

/** Rule 14.4. */
function remember(transactionId, seen) {
  const name = transactionId.toString('hex');
  if (seen.has(name)) throw new Fault('replayedTransaction', 14);
  seen.add(name);
}
