// The line protocol (Docs/LineProtocol.md) as strict as `assay serve`.

import { Unusable } from '../frame.mjs';
import { decodeBase64, decodeHex } from '../readers/encodings.mjs';
import { JSONArray, JSONNumber, JSONObject, MalformedJSON, readObject } from '../readers/json.mjs';
import { readRFC3339 } from '../readers/times.mjs';
import { Decryptor } from './decryptor.mjs';
import { ENVELOPE_NAMES } from './envelope.mjs';
import { Fault } from './faults.mjs';
import { MerchantKeys, readCertificate } from './merchant-keys.mjs';

const IDENTITY = {
  name: 'assay-external node',
  version: '1',
  supports: [
    'EC_v1', 'RSA_v1', 'envelopes', 'expect', 'replay', 'revoked', 'unsigned', 'signature', 'payload', 'roots',
  ],
};
const MOST_MEMBERS = 16;
const GREATEST_NUMBER = 2n ** 63n - 1n;
const DIGEST_LENGTH = 32; // bytes

/** One conversation: hello, then tokens. */
export class Session {
  #decryptor = null; // once a hello is accepted

  /** The answer to a line, which is a Buffer, or null if it is too long. A bug in this program is no answer. */
  answer(line) {
    let address = this.#decryptor ? { id: null } : { hello: 1 }; // begins the answer
    try {
      const message = readMessage(line);
      if (message.get('hello') !== undefined) {
        address = { hello: 1 };
        this.#greet(message);
        return { ...address, ...IDENTITY };
      }
      address = { id: null };
      address = { id: typed(message, 'id', isString) };
      return { ...address, ...this.#decide(message) };
    } catch (error) {
      if (error instanceof Unusable) return { ...address, error: error.message };
      throw error;
    }
  }

  #greet(message) {
    check(this.#decryptor === null, 'hello was accepted before');
    checkNames(message, ['hello', 'keys', 'rootsPem', 'windowSeconds']);
    check(wholeNumber(message, 'hello') === 1n, 'hello is not 1');
    const keys = new MerchantKeys();
    for (const key of typed(message, 'keys', isArray).items) keys.add(readKey(key));
    const roots = strings(typed(message, 'rootsPem', isArray), 'rootsPem').map(readCertificate);
    const window = message.get('windowSeconds') === null ? null : wholeNumber(message, 'windowSeconds');
    check(window === null || window >= 0n, 'windowSeconds is negative');
    this.#decryptor = new Decryptor(keys, roots, window === null ? null : Number(window));
  }

  #decide(message) {
    check(this.#decryptor !== null, 'hello comes first');
    checkNames(message, ['id', 'token', 'at', 'policy', 'prelude']);
    const token = readRequest(typed(message, 'token', isString));
    const prelude = strings(optional(message, 'prelude', isArray), 'prelude').map(readRequest);
    const at = readRFC3339(typed(message, 'at', isString));
    check(at !== null, 'at is not a time like 2026-01-31T12:00:00Z');
    const policy = readPolicy(optional(message, 'policy', isObject));
    check(!policy.replay || this.#decryptor.window !== null, 'replay needs a window');
    const context = { at, policy, seen: new Set() };
    for (const earlier of prelude) this.#decrypt(earlier, context);
    return this.#decrypt(token, context);
  }

  #decrypt(request, context) {
    try {
      const { plaintext, isSigned } = this.#decryptor.decrypt(request, context);
      return { accepted: true, ...(isSigned ? {} : { signed: false }), plaintext: plaintext.toString('base64') };
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      const { code, stage, member } = error;
      return { accepted: false, code, stage, ...(member === null ? {} : { member }) };
    }
  }
}

function readMessage(line) {
  check(line !== null, 'the line is too long');
  try {
    const message = readObject(line);
    checkPlain(message);
    return message;
  } catch (error) {
    throw error instanceof MalformedJSON ? new Unusable('the line is not one object in strict JSON') : error;
  }
}

function readKey(key) {
  check(isObject(key), 'keys are objects');
  checkNames(key, ['privateKeyPem', 'certificatePem', 'merchantId']);
  return {
    privateKeyPem: typed(key, 'privateKeyPem', isString),
    certificatePem: optional(key, 'certificatePem', isString),
    merchantId: optional(key, 'merchantId', isString),
  };
}

function readPolicy(policy) {
  if (policy !== null) checkNames(policy, ['envelope', 'unsigned', 'expect', 'replay', 'revoked']);
  const envelope = optional(policy, 'envelope', isString) ?? 'apple';
  check(ENVELOPE_NAMES.includes(envelope), 'envelope is none of the names of the protocol');
  return {
    envelope,
    unsigned: optional(policy, 'unsigned', isBoolean) ?? false,
    replay: optional(policy, 'replay', isBoolean) ?? false,
    revoked: new Set(strings(optional(policy, 'revoked', isArray), 'revoked').map(readDigest)),
    ...readExpectations(optional(policy, 'expect', isObject)),
  };
}

function readExpectations(expect) {
  if (expect !== null) checkNames(expect, ['currency', 'amount', 'applicationData']);
  const applicationData = optional(expect, 'applicationData', isString);
  return {
    currency: optional(expect, 'currency', isString),
    amount: optional(expect, 'amount', isNumber) === null ? null : wholeNumber(expect, 'amount'),
    applicationData: applicationData === null ? null : Buffer.from(readDigest(applicationData), 'hex'),
  };
}

const isString = (value) => typeof value === 'string';
const isBoolean = (value) => typeof value === 'boolean';
const isNumber = (value) => value instanceof JSONNumber;
const isArray = (value) => value instanceof JSONArray;
const isObject = (value) => value instanceof JSONObject;

/** Ignoring an unknown member could mean ignoring a requirement. */
function checkNames(object, names) {
  checkPlain(object);
  check(object.members.every(({ name }) => names.includes(name)), `there is a member other than ${names.join(', ')}`);
}

function checkPlain(object) {
  check(object.members.length <= MOST_MEMBERS && !object.repeatsNames, 'too many members, or a name twice');
}

/** The value of a required member. */
function typed(object, name, isType) {
  const value = object.get(name);
  check(isType(value), `${name} is missing or of another type`);
  return value;
}

/** Null for an absent member, a member that is null, and a member of an object that is absent itself. */
function optional(object, name, isType) {
  return (object?.get(name) ?? null) === null ? null : typed(object, name, isType);
}

/** The strings in an array that may be absent. */
function strings(array, name) {
  const items = array?.items ?? [];
  check(items.every(isString), `${name} holds something other than strings`);
  return items;
}

function wholeNumber(object, name) {
  const { text } = typed(object, name, isNumber);
  check(/^-?[0-9]{1,19}$/.test(text), `${name} is no whole number in range`);
  const value = BigInt(text);
  check(value <= GREATEST_NUMBER && value >= -GREATEST_NUMBER, `${name} is no whole number in range`);
  return value;
}

function readRequest(text) {
  const bytes = decodeBase64(text);
  check(bytes !== null, 'a token is not padded base64');
  return bytes;
}

/** A SHA-256 in hexadecimal, in lower case. */
function readDigest(text) {
  const digest = decodeHex(text);
  check(digest?.length === DIGEST_LENGTH, 'a digest is not 64 hexadecimal digits');
  return digest.toString('hex');
}

function check(holds, message) {
  if (!holds) throw new Unusable(message);
}
