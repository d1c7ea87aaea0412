// A frame for a decryptor of Apple Pay tokens in Node.js: it puts one function behind the line protocol of assay, so
// that `assay diff` can test it. It needs Node.js 18 or newer, and `openssl` if pkcs12() is called.
//
// The protocol, one JSON object per line (`<` to this program, `>` from it):
//   < {"hello":1,"keys":[{"privateKeyPem":…,"certificatePem":…,"merchantId":…}],"rootsPem":[…],"windowSeconds":300}
//   > {"hello":1,"name":…,"version":…,"supports":["EC_v1",…]}
//   < {"id":"1","token":"<base64>","at":"2026-03-01T12:00:00Z","policy":{…},"prelude":[…]}
//   > {"id":"1","accepted":true,"plaintext":"<base64>"} or {"id":"1","accepted":false,"code":null,"reason":"…"}
//
// Copy this file next to your decryptor, write mine.mjs, and run `assay diff Corpus --external 'node mine.mjs'`:
//
//   import { Refused, serve } from './frame.mjs';
//   function decrypt(token, key, request) {
//     try {
//       return myDecrypt(JSON.parse(token), key.certificatePem, key.sec1Pem, request.roots, request.at);
//     } catch (error) {
//       // Any other error decides nothing, and is answered as such.
//       throw error instanceof MyTokenError ? new Refused(error.message) : error;
//     }
//   }
//   await serve({ name: 'mine', version: '1.0', supports: ['EC_v1', 'signature', 'roots'], decrypt });
//
// Licence: Apache 2.0; part of assay. You may copy this file into your own tests.

import { spawnSync } from 'node:child_process';
import { X509Certificate, createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LONGEST_LINE = 4 * 1024 * 1024; // bytes
const LONGEST_REASON = 200; // characters

/** The decryptor refuses the token. Every other error that `decrypt` throws is answered with `error`. */
export class Refused extends Error {
  /** `reason` is for people; `code` is one of Docs/Verification.md, or null if the decryptor names none. */
  constructor(reason, code = null) {
    super(reason);
    this.code = code;
  }
}

/** A line that cannot be used. The message repeats nothing of the line. */
class Unusable extends Error {}

/**
 * Answers every line of standard input until it ends, then exits with 0.
 *
 * `supports` lists features: EC_v1, RSA_v1, envelopes, expect, replay, revoked, unsigned, signature (verifies the
 * signature and the chain), payload (checks the payload's members), roots (trusts `request.roots`), merchantId (needs
 * the merchant ID as a string: hello then has it for every key).
 *
 * `decrypt(token, key, request)` returns the plaintext (Buffer or Uint8Array) or a promise of it; for an unsigned
 * token `{ signed: false, plaintext }`. It throws `Refused` to refuse.
 * - `token`: Buffer, the request's bytes.
 * - `key`: the MerchantKey that the token names, else the first one of the token's version, else the first one.
 * - `request.roots`: PEM texts. Trust no other root.
 * - `request.at`: Date, the verification time; `request.atText` is the same as text (RFC 3339 in UTC).
 * - `request.window`: how many seconds the signing time may be from `at`; null for no check.
 * - `request.policy`: { envelope, unsigned, expect: { currency, amount, applicationData }, replay, revoked }.
 * - `request.prelude`: Buffers, the tokens before this one. They matter only for replay detection.
 * - `request.keys`: all keys as MerchantKey.
 */
export async function serve({ name, version, supports, decrypt }) {
  const session = new Session({ name, version, supports }, decrypt);
  for await (const line of lines(process.stdin)) {
    const text = `${JSON.stringify(await session.answer(line))}\n`;
    await new Promise((resolve, reject) => {
      process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }
  process.exit(0);
}

/** The lines as Buffers without newlines; null for a line that is too long, which is skipped. */
async function* lines(input) {
  let pieces = [];
  let length = 0;
  for await (const chunk of input) {
    let start = 0;
    for (let end; (end = chunk.indexOf('\n', start)) >= 0; start = end + 1) {
      length += end - start;
      yield length > LONGEST_LINE ? null : Buffer.concat([...pieces, chunk.subarray(start, end)]);
      [pieces, length] = [[], 0];
    }
    length += chunk.length - start;
    pieces = length > LONGEST_LINE ? [] : [...pieces, chunk.subarray(start)];
  }
  if (length > 0) yield length > LONGEST_LINE ? null : Buffer.concat(pieces);
}

/** A merchant's private key, in the forms that libraries ask for. */
export class MerchantKey {
  /** Texts as in hello. Throws what Node.js throws if it cannot read them. */
  constructor({ privateKeyPem, certificatePem, merchantId }) {
    this.privateKey = createPrivateKey(privateKeyPem); // KeyObject
    this.version = this.privateKey.asymmetricKeyType === 'rsa' ? 'RSA_v1' : 'EC_v1';
    this.spki = createPublicKey(this.privateKey).export({ type: 'spki', format: 'der' }); // SubjectPublicKeyInfo
    this.publicKeyHash = sha256(this.spki).toString('base64'); // as in header.publicKeyHash
    this.certificatePem = certificatePem ?? null;
    this.merchantId = merchantId ?? null;
    this.merchantIdHash = certifiedHash(certificatePem) ?? (merchantId ? sha256(merchantId) : null); // 32 bytes
  }

  /** "PRIVATE KEY". */
  get pkcs8Pem() {
    return this.privateKey.export({ type: 'pkcs8', format: 'pem' });
  }

  /** "EC PRIVATE KEY"; null for an RSA key. */
  get sec1Pem() {
    return this.version === 'EC_v1' ? this.privateKey.export({ type: 'sec1', format: 'pem' }) : null;
  }

  /** PKCS #12 with the key and, if there is one, its certificate. `openssl` makes it, because Node.js cannot. */
  pkcs12(password) {
    const folder = mkdtempSync(join(tmpdir(), 'frame-'));
    try {
      const keyFile = join(folder, 'key.pem');
      writeFileSync(keyFile, this.pkcs8Pem, { mode: 0o600 });
      const options = ['pkcs12', '-export', '-inkey', keyFile, '-passout', 'env:FRAME_PASSWORD'];
      if (this.certificatePem === null) options.push('-nocerts');
      const env = { ...process.env, FRAME_PASSWORD: password };
      const made = spawnSync('openssl', options, { input: this.certificatePem ?? '', env });
      if (made.status !== 0) throw made.error ?? new Error(`openssl pkcs12: ${made.stderr}`);
      return made.stdout;
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}

/** The merchant-ID hash in the extension 1.2.840.113635.100.6.32: 64 hexadecimal digits in a UTF8String. */
function certifiedHash(pem) {
  if (!pem) return null;
  const der = new X509Certificate(pem).raw.toString('latin1');
  const [, digits] = /\*\x86H\x86\xf7cd\x06\x20(?:\x01\x01.)?\x04\x42\x0c\x40([0-9A-Fa-f]{64})/s.exec(der) ?? [];
  return digits ? Buffer.from(digits, 'hex') : null;
}

/** One conversation: hello, then tokens. */
class Session {
  constructor(identity, decrypt) {
    this.identity = identity;
    this.decrypt = decrypt;
    this.setting = null; // { keys, roots, window } once a hello is accepted
  }

  /** The answer to one line. */
  async answer(line) {
    let address = this.setting ? { id: null } : { hello: 1 }; // begins the answer
    try {
      const message = readMessage(line);
      if ('hello' in message) {
        address = { hello: 1 };
        this.greet(message);
        return { ...address, ...this.identity };
      }
      check(typeof message.id === 'string', 'id is no string');
      address = { id: message.id };
      return { ...address, ...(await this.decide(message)) };
    } catch (error) {
      if (error instanceof Unusable) return { ...address, error: error.message };
      if (error instanceof Refused) return { ...address, ...refusal(error) };
      console.error(error);
      return { ...address, error: described(error) };
    }
  }

  greet(message) {
    const { hello, keys, rootsPem, windowSeconds: window } = message;
    check(this.setting === null, 'hello was accepted before');
    checkMembers(message, { hello: 'number', keys: 'array', rootsPem: 'array', windowSeconds: 'number' });
    check(hello === 1, 'hello is not 1');
    check(keys && rootsPem?.every((root) => typeof root === 'string'), 'keys or rootsPem is missing or of another type');
    check(window === null || (Number.isSafeInteger(window) && window >= 0), 'windowSeconds is no number of seconds');
    this.setting = { keys: keys.map(readKey), roots: rootsPem, window };
  }

  async decide(message) {
    check(this.setting !== null, 'hello comes first');
    const token = bytes(message.token, 'token');
    const request = { ...this.setting, ...readRequest(message) };
    const named = parsed(token);
    if (needs(request.policy, named?.version).some((word) => !this.identity.supports.includes(word))) return { unsupported: true };
    const key = keyFor(named, request.keys);
    if (!key) throw new Refused('hello has no merchant key');
    const result = await this.decrypt(token, key, request);
    const { plaintext, ...rest } = result instanceof Uint8Array ? { plaintext: result } : result;
    return { accepted: true, ...rest, plaintext: Buffer.from(plaintext).toString('base64') };
  }
}

/** The answer to a refusal. The reason is one line, without lone surrogates. */
function refusal({ message, code }) {
  const characters = Array.from(message.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' '));
  return { accepted: false, code, reason: characters.slice(0, LONGEST_REASON).join('') };
}

/** One line of at most 200 characters, without long runs of base64 or hex, which may be of the token. */
function described(error) {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : `thrown: ${error}`;
  const line = text.replace(/[A-Za-z0-9+/=_-]{33,}/g, '…').replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ');
  return Array.from(line).slice(0, LONGEST_REASON).join('');
}

function readMessage(line) {
  check(line !== null, 'the line is too long');
  const message = parsed(line);
  check(kind(message) === 'object', 'the line is no JSON object');
  return message;
}

/** Refuses unknown names, since one could be a requirement that is not checked. Null counts as absent. */
function checkMembers(members, kinds) {
  check(kind(members) === 'object', 'an object is missing');
  for (const [name, value] of Object.entries(members)) {
    check(Object.hasOwn(kinds, name), 'a member is unknown');
    check(value === null || kind(value) === kinds[name], `${name} is of another type`);
  }
}

function kind(value) {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function readKey(key) {
  checkMembers(key, { privateKeyPem: 'string', certificatePem: 'string', merchantId: 'string' });
  try {
    return new MerchantKey(key);
  } catch {
    throw new Unusable('a private key or its certificate cannot be read');
  }
}

/** The request of a line, with all defaults. Null counts as absent. */
function readRequest(message) {
  checkMembers(message, { id: 'string', token: 'string', at: 'string', policy: 'object', prelude: 'array' });
  const { at, prelude } = message;
  const policy = message.policy ?? {};
  checkMembers(policy, { envelope: 'string', unsigned: 'boolean', expect: 'object', replay: 'boolean', revoked: 'array' });
  const expect = policy.expect ?? {};
  checkMembers(expect, { currency: 'string', amount: 'number', applicationData: 'string' });
  const time = new Date(at);
  check(!Number.isNaN(time.getTime()) && time.toISOString().replace('.000Z', 'Z') === at, 'at is no time');
  const { envelope, unsigned, replay, revoked } = policy;
  const { currency, amount, applicationData } = expect;
  const expected = { currency: currency ?? null, amount: amount ?? null, applicationData: applicationData ?? null };
  return {
    at: time,
    atText: at,
    policy: {
      envelope: envelope ?? 'apple',
      unsigned: unsigned ?? false,
      expect: expected,
      replay: replay ?? false,
      revoked: revoked ?? [],
    },
    prelude: (prelude ?? []).map((token) => bytes(token, 'prelude')),
  };
}

/** The features that the policy and the token's version ask for. */
function needs({ envelope, unsigned, expect, replay, revoked }, version) {
  const expects = Object.values(expect).some((value) => value !== null);
  const asked = { envelopes: envelope !== 'apple', expect: expects, replay, revoked: revoked.length > 0, unsigned };
  for (const known of ['EC_v1', 'RSA_v1']) asked[known] = version === known;
  return Object.keys(asked).filter((word) => asked[word]);
}

/** The key of the token's version that it names, else the first of this version, else the first of all. */
function keyFor(named, keys) {
  const candidates = keys.filter((key) => key.version === named?.version);
  const hash = named?.header?.publicKeyHash;
  return candidates.find((key) => key.publicKeyHash === hash) ?? candidates[0] ?? keys[0];
}

/** The JSON value, or undefined. */
function parsed(json) {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function bytes(base64, name) {
  const decoded = Buffer.from(String(base64), 'base64');
  check(decoded.toString('base64') === base64, `${name} is not base64`);
  return decoded;
}

function sha256(data) {
  return createHash('sha256').update(data).digest();
}

function check(holds, message) {
  if (!holds) throw new Unusable(message);
}
