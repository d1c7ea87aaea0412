#!/usr/bin/env node
// Decrypts EC_v1 tokens without verifying them: an example of frame.mjs, and a test of it. Never use it for payments.

import { createDecipheriv, createHash, createPublicKey, diffieHellman } from 'node:crypto';
import { Refused, serve } from './frame.mjs';

const ALGORITHM = '\x0did-aes256-GCMApple';

/** What a library throws for a token that it does not decrypt. */
class InvalidToken extends Error {}

function decrypt(token, key) {
  const [data, ephemeral] = members(token).map((text) => Buffer.from(text, 'base64'));
  const secret = orInvalid('ephemeralPublicKey is not a public key on P-256', () => {
    const publicKey = createPublicKey({ key: ephemeral, type: 'spki', format: 'der' });
    return diffieHellman({ privateKey: key.privateKey, publicKey });
  });
  const derived = Buffer.concat([Buffer.from('\0\0\0\x01'), secret, Buffer.from(ALGORITHM), key.merchantIdHash]);
  const symmetricKey = createHash('sha256').update(derived).digest();
  return orInvalid('the data was not encrypted with this key', () => openData(symmetricKey, data));
}

/** `data` and `header.ephemeralPublicKey`. */
function members(token) {
  const { data, header } = orInvalid('the token is not JSON', () => JSON.parse(token)) ?? {};
  const texts = [data, header?.ephemeralPublicKey];
  if (!texts.every((text) => typeof text === 'string')) throw new InvalidToken('the token has no members of EC_v1');
  return texts;
}

/** AES-256-GCM with an IV of 16 zero bytes; the tag comes last. */
function openData(symmetricKey, data) {
  const cipher = createDecipheriv('aes-256-gcm', symmetricKey, Buffer.alloc(16), { authTagLength: 16 });
  cipher.setAuthTag(data.subarray(-16));
  return Buffer.concat([cipher.update(data.subarray(0, -16)), cipher.final()]);
}

function orInvalid(reason, attempt) {
  try {
    return attempt();
  } catch {
    throw new InvalidToken(reason);
  }
}

await serve({
  name: 'example node',
  version: '1',
  supports: ['EC_v1'],
  decrypt(token, key) {
    try {
      return decrypt(token, key);
    } catch (error) {
      throw error instanceof InvalidToken ? new Refused(error.message) : error;
    }
  },
});
