// Merchants' keys: loading them, and how a token names one (rule 10.1).

import { MerchantKey, Unusable } from '../frame.mjs';
import { Malformed, UTF8_STRING, check, expect, oid, readDER } from '../readers/der.mjs';
import { decodeHex } from '../readers/encodings.mjs';
import { readPEM } from '../readers/pem.mjs';
import { readPinnedCertificate } from './certificate.mjs';
import { Fault } from './faults.mjs';

const MERCHANT_IDENTIFIER = oid('1.2.840.113635.100.6.32');
const KEY_LABELS = ['PRIVATE KEY', 'EC PRIVATE KEY', 'RSA PRIVATE KEY'];
const FEWEST_BITS = 2048; // of an RSA modulus
const MOST_BITS = 4096;

export class MerchantKeys {
  #keys = new Map(); // by publicKeyHash in base64: { privateKey, version, merchantIdHash }

  /** Loads a key as it is in hello. Throws Unusable. */
  add({ privateKeyPem, certificatePem, merchantId }) {
    if (merchantId === '') throw new Unusable('an empty merchant ID');
    const key = readKey(privateKeyPem, merchantId);
    const hashes = [this.#keys.get(key.publicKeyHash)?.merchantIdHash, key.merchantIdHash];
    if (certificatePem !== null) hashes.push(certifiedHash(key, readCertificate(certificatePem)));
    const [merchantIdHash = null, ...others] = new Set(hashes.filter(Boolean).map((hash) => hash.toString('hex')));
    if (others.length > 0) throw new Unusable('a key has two merchant IDs');
    if (key.version === 'EC_v1' && merchantIdHash === null) throw new Unusable('an EC key has no merchant ID');
    this.#keys.set(key.publicKeyHash, {
      privateKey: key.privateKey,
      version: key.version,
      merchantIdHash: merchantIdHash && Buffer.from(merchantIdHash, 'hex'),
    });
  }

  /** Rule 10.1. */
  find({ publicKeyHash, version }) {
    const key = this.#keys.get(publicKeyHash.toString('base64'));
    if (key?.version !== version) throw new Fault('unknownMerchantKey', 10);
    return key;
  }
}

/** Reads a root or a merchant's certificate. Throws Unusable. */
export function readCertificate(pem) {
  const bytes = readPEM(pem, 'CERTIFICATE');
  if (bytes === null) throw new Unusable('not one certificate in PEM');
  return orUnusable('a certificate breaks the rules 5.1 to 5.18', Malformed, () => readPinnedCertificate(bytes));
}

/** The certificate is read by the rules, not by the frame. */
function readKey(privateKeyPem, merchantId) {
  if (!KEY_LABELS.some((label) => readPEM(privateKeyPem, label))) throw new Unusable('not one private key in PEM');
  const key = orUnusable('a private key cannot be read', Error, () => new MerchantKey({ privateKeyPem, merchantId }));
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key.privateKey;
  const isRSA = type === 'rsa' && details.modulusLength >= FEWEST_BITS && details.modulusLength <= MOST_BITS;
  const isEC = type === 'ec' && details.namedCurve === 'prime256v1';
  if (!isRSA && !isEC) throw new Unusable('a private key is neither P-256 nor RSA of 2,048 to 4,096 bits');
  return key;
}

/** The merchant-ID hash in the certificate of the key; null if there is none. */
function certifiedHash(key, certificate) {
  if (!certificate.publicKey.encoding.equals(key.spki)) throw new Unusable('a certificate of another key');
  const extension = certificate.extensions.get(MERCHANT_IDENTIFIER);
  return extension ? orUnusable('a merchant ID that is no SHA-256', Malformed, () => readHash(extension.value)) : null;
}

function readHash(value) {
  const hash = decodeHex(expect(readDER(value), UTF8_STRING).contents.toString('latin1'));
  check(hash?.length === 32, 'no SHA-256 in hexadecimal');
  return hash;
}

function orUnusable(message, type, read) {
  try {
    return read();
  } catch (error) {
    throw error instanceof type ? new Unusable(message) : error;
  }
}
