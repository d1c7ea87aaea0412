// Stages 1 to 4: reads the token's members.

import { decodeBase64, decodeHex } from '../readers/encodings.mjs';
import { JSONObject, MalformedJSON, readObject } from '../readers/json.mjs';
import { Fault, orFault } from './faults.mjs';

const MOST_BYTES = 65_536;
const MOST_MEMBERS = 64;

const KEY_MEMBERS = { EC_v1: 'header.ephemeralPublicKey', RSA_v1: 'header.wrappedKey' };

/** Rule 4.3, in the order of stage 4: encoding, and the least and the greatest number of bytes. */
const ENCODINGS = {
  data: ['base64', 17, Infinity],
  signature: ['base64', 1, Infinity],
  'header.ephemeralPublicKey': ['base64', 91, 91],
  'header.wrappedKey': ['base64', 256, 512],
  'header.publicKeyHash': ['base64', 32, 32],
  'header.transactionId': ['hex', 32, 32],
  'header.applicationData': ['hex', 32, 32],
};
const KNOWN_MEMBERS = new Set(['version', 'header', ...Object.keys(ENCODINGS)]);

/** The decoded members (Buffer; null for an absent one). An unsigned token has no signature. */
class Token {
  constructor(version, members) {
    this.version = version;
    this.data = members.get('data');
    this.signature = members.get('signature') ?? null;
    this.keyMember = members.get(KEY_MEMBERS[version]);
    this.publicKeyHash = members.get('header.publicKeyHash');
    this.transactionId = members.get('header.transactionId') ?? null;
    this.applicationData = members.get('header.applicationData') ?? null;
  }

  get isSigned() {
    return this.signature !== null;
  }
}

/** Reads what `extract` found, under a policy with `unsigned` and `replay`. Throws Fault. */
export function readToken({ bytes, parts }, policy) {
  if (bytes.length > MOST_BYTES) throw new Fault('tokenTooLarge', 1);
  if (parts !== null) return readParts(parts, policy);
  const token = readJSON(bytes);
  const version = checkShape(token);
  const get = (path) => memberAt(token, path);
  return new Token(version, decode(get, Object.keys(ENCODINGS)));
}

/** Stage 2. */
function readJSON(bytes) {
  const token = orFault(MalformedJSON, 'malformedJSON', 2, () => readObject(bytes));
  const headers = token.all('header').filter((header) => header instanceof JSONObject);
  if ([token, ...headers].some((object) => object.members.length > MOST_MEMBERS)) throw new Fault('malformedJSON', 2);
  checkDistinct(token, '');
  return token;
}

/** Rule 2.6. A name comes before what is in its value, so the order of the members is that of the text. */
function checkDistinct(object, prefix) {
  const names = new Set();
  for (const { name, value } of object.members) {
    const path = prefix + name;
    const known = KNOWN_MEMBERS.has(path) && !(prefix === '' && name.includes('.')) ? path : null;
    if (names.has(name)) throw new Fault('duplicateMember', 2, known);
    names.add(name);
    if (path === 'header' && value instanceof JSONObject) checkDistinct(value, 'header.');
  }
}

/** Stage 3. Returns the version. */
function checkShape(token) {
  const require = (path) => checkMember(path, memberAt(token, path));
  for (const path of ['version', 'data', 'signature', 'header', 'header.publicKeyHash', 'header.transactionId']) {
    require(path);
  }
  const version = token.get('version');
  if (!Object.hasOwn(KEY_MEMBERS, version)) throw new Fault('unsupportedVersion', 3, 'version');
  const { [version]: keyMember, ...others } = KEY_MEMBERS;
  require(keyMember);
  for (const other of Object.values(others)) {
    if (memberAt(token, other) !== undefined) throw new Fault('conflictingMembers', 3, other);
  }
  checkOptional('header.applicationData', memberAt(token, 'header.applicationData'));
  return version;
}

/** Stages 3 and 4 of a token in parts (0.8), which may be unsigned. */
function readParts(parts, policy) {
  const isUnsigned = policy.unsigned && parts.get('signature') === undefined;
  const required = isUnsigned
    ? ['data', 'header.publicKeyHash', 'header.ephemeralPublicKey']
    : ['data', 'signature', 'header.publicKeyHash', 'header.transactionId', 'header.ephemeralPublicKey'];
  for (const path of required) {
    checkMember(path, parts.get(path));
    if (isUnsigned && policy.replay && path === 'header.publicKeyHash') {
      throw new Fault('missingMember', 3, 'header.transactionId');
    }
  }
  if (!isUnsigned) checkOptional('header.applicationData', parts.get('header.applicationData'));
  const read = Object.keys(ENCODINGS).filter((path) => !isUnsigned || required.includes(path));
  return new Token('EC_v1', decode((path) => parts.get(path), read));
}

function checkMember(path, value) {
  if (value === undefined) throw new Fault('missingMember', 3, path);
  checkOptional(path, value);
}

function checkOptional(path, value) {
  const isRight = path === 'header' ? value instanceof JSONObject : typeof value === 'string';
  if (value !== undefined && !isRight) throw new Fault('wrongType', 3, path);
}

/** The value at a path of at most two names. */
function memberAt(token, path) {
  return path.startsWith('header.') ? token.get('header').get(path.slice('header.'.length)) : token.get(path);
}

/** Stage 4. */
function decode(get, paths) {
  const members = new Map();
  for (const path of paths) {
    const text = get(path);
    if (text !== undefined) members.set(path, decodeMember(path, text));
  }
  return members;
}

function decodeMember(path, text) {
  const [encoding, least, most] = ENCODINGS[path];
  const bytes = encoding === 'hex' ? decodeHex(text) : decodeBase64(text);
  if (bytes === null) throw new Fault(encoding === 'hex' ? 'invalidHex' : 'invalidBase64', 4, path);
  if (bytes.length < least || bytes.length > most) throw new Fault('invalidLength', 4, path);
  return bytes;
}
