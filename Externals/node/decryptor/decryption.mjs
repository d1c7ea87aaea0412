// Stages 11 and 12: the symmetric key, and the plaintext.

import {
  constants, createDecipheriv, createHash, createPublicKey, diffieHellman, privateDecrypt, randomBytes,
} from 'node:crypto';
import { Fault } from './faults.mjs';
import { P256, number } from './public-keys.mjs';

const TAG_LENGTH = 16; // bytes
const IV = Buffer.alloc(16);
const RSA_KEY_LENGTH = 16; // bytes of the key that an RSA_v1 token wraps

/** What an ephemeral key begins with: SubjectPublicKeyInfo of a P-256 key, up to the point. */
const SPKI_OF_P256 = Buffer.from('3059301306072A8648CE3D020106082A8648CE3D030107034200', 'hex');
/** What is hashed around Z (rule 11.2): the counter, then the algorithm and the party. */
const COUNTER = Buffer.from('00000001', 'hex');
const OTHER_INFO = Buffer.from('\x0did-aes256-GCMApple', 'latin1');

/** The plaintext of a token under its merchant's key. Throws Fault. */
export function decryptData(token, key) {
  if (token.version === 'EC_v1') return decryptGCM('aes-256-gcm', deriveKey(token.keyMember, key), token.data);
  return decryptGCM('aes-128-gcm', unwrapKey(token.keyMember, key.privateKey), token.data);
}

/** Rules 11.1 and 11.2. */
function deriveKey(ephemeralKey, { privateKey, merchantIdHash }) {
  const prefix = ephemeralKey.subarray(0, SPKI_OF_P256.length);
  if (!prefix.equals(SPKI_OF_P256) || !P256.hasPoint(ephemeralKey.subarray(SPKI_OF_P256.length))) {
    throw new Fault('invalidEphemeralKey', 11);
  }
  const publicKey = createPublicKey({ key: ephemeralKey, format: 'der', type: 'spki' });
  const z = diffieHellman({ privateKey, publicKey });
  return createHash('sha256').update(COUNTER).update(z).update(OTHER_INFO).update(merchantIdHash).digest();
}

/** Rules 11.4 and 11.5: a key that fails stage 12, where there is none. */
function unwrapKey(wrappedKey, privateKey) {
  const { n } = privateKey.export({ format: 'jwk' });
  const modulus = Buffer.from(n, 'base64url');
  const isCiphertext = wrappedKey.length === modulus.length && number(wrappedKey) < number(modulus);
  const key = isCiphertext ? decryptOAEP(wrappedKey, privateKey) : null;
  return key?.length === RSA_KEY_LENGTH ? key : randomBytes(RSA_KEY_LENGTH);
}

/** Null on any failure. */
function decryptOAEP(wrappedKey, key) {
  try {
    return privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, wrappedKey);
  } catch {
    return null;
  }
}

/** Rule 12.1. */
function decryptGCM(algorithm, key, data) {
  const decipher = createDecipheriv(algorithm, key, IV, { authTagLength: TAG_LENGTH });
  decipher.setAuthTag(data.subarray(-TAG_LENGTH));
  const plaintext = decipher.update(data.subarray(0, -TAG_LENGTH));
  try {
    decipher.final();
  } catch {
    throw new Fault('decryptionFailed', 12);
  }
  return plaintext;
}
