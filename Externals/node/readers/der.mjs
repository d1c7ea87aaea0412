// A reader for DER as rules 5.1 and 5.3 to 5.5 have it. BER, which only the wrappers of a CMS may be, is in ber.mjs.

export const BOOLEAN = 0x01;
export const INTEGER = 0x02;
export const BIT_STRING = 0x03;
export const OCTET_STRING = 0x04;
export const NULL = 0x05;
export const OBJECT_IDENTIFIER = 0x06;
export const UTF8_STRING = 0x0c;
export const UTC_TIME = 0x17;
export const GENERALIZED_TIME = 0x18;
export const SEQUENCE = 0x30;
export const SET = 0x31;

const CONSTRUCTED = 0x20;
const DEEPEST = 16; // levels of constructed values; ContentInfo is level 1
const LONGEST_LENGTH = 4; // bytes of a long-form length

export class Malformed extends Error {}

/** A value: its tag byte, its contents, and for a constructed one the values in it. */
export class Element {
  constructor(bytes, { start, contents, end }, children) {
    this.tag = bytes[start];
    this.encoding = bytes.subarray(start, end); // tag, length and contents
    this.contents = bytes.subarray(contents, end);
    this.end = end; // in the bytes that it was read from
    this.children = children; // null for a primitive value
  }
}

/** Reads a value that is all of `bytes`. `level` is its level if it is constructed. Throws Malformed. */
export function readDER(bytes, level = 1) {
  const element = readElement(bytes, 0, bytes.length, level);
  check(element.end === bytes.length, 'something follows the value');
  return element;
}

/** Reads the value at `start`, which ends at `limit` or before. */
export function readElement(bytes, start, limit, level) {
  const [contents, end] = readHeader(bytes, start, limit);
  if (!(bytes[start] & CONSTRUCTED)) {
    checkPrimitive(bytes[start], bytes.subarray(contents, end));
    return new Element(bytes, { start, contents, end }, null);
  }
  checkConstructed(bytes[start]);
  check(level <= DEEPEST, 'nested too deep');
  const children = [];
  for (let at = contents; at < end; at = children.at(-1).end) children.push(readElement(bytes, at, end, level + 1));
  return new Element(bytes, { start, contents, end }, children);
}

/** Where the contents begin and end. */
function readHeader(bytes, start, limit) {
  check((bytes[start] & 0x1f) < 0x1f, 'a tag number above 30');
  const { length, contents, minimal } = readLength(bytes, start + 1, limit);
  check(minimal && length !== null, 'a length that is not the shortest');
  check(contents + length <= limit, 'a value that is longer than what it is in');
  return [contents, contents + length];
}

/** The length at `at`: null if it is indefinite. `contents` is where it ends. */
export function readLength(bytes, at, limit) {
  check(at < limit, 'no length');
  const first = bytes[at];
  if (first < 0x80) return { length: first, contents: at + 1, minimal: true };
  if (first === 0x80) return { length: null, contents: at + 1, minimal: false };
  const contents = at + 1 + (first - 0x80);
  check(first <= 0x80 + LONGEST_LENGTH && contents <= limit, 'a length that is too long');
  const length = bytes.readUIntBE(at + 1, first - 0x80);
  const minimal = length >= 0x80 && bytes[at + 1] !== 0;
  return { length, contents, minimal };
}

function checkConstructed(tag) {
  check(tag === SEQUENCE || tag === SET || tag >= 0x40, 'a constructed value of a primitive type');
}

function checkPrimitive(tag, contents) {
  switch (tag) {
    case 0x00:
    case SEQUENCE & ~CONSTRUCTED:
    case SET & ~CONSTRUCTED:
      throw new Malformed('a primitive value of a constructed type, or of universal type 0');
    case BOOLEAN:
      check(contents.length === 1 && (contents[0] === 0x00 || contents[0] === 0xff), 'a BOOLEAN');
      break;
    case INTEGER:
      check(isShortestInteger(contents), 'an INTEGER');
      break;
    case BIT_STRING:
      check(isBitString(contents), 'a BIT STRING');
      break;
    case NULL:
      check(contents.length === 0, 'a NULL');
      break;
    case OBJECT_IDENTIFIER:
      check(isObjectIdentifier(contents), 'an OBJECT IDENTIFIER');
      break;
    default:
  }
}

function isShortestInteger(contents) {
  if (contents.length < 2) return contents.length === 1;
  const startsWithOne = contents[1] >= 0x80;
  return !(contents[0] === 0x00 && !startsWithOne) && !(contents[0] === 0xff && startsWithOne);
}

function isBitString(contents) {
  const unused = contents[0];
  if (contents.length < 2) return unused === 0;
  return unused <= 7 && (contents.at(-1) & ((1 << unused) - 1)) === 0;
}

function isObjectIdentifier(contents) {
  if (contents.length === 0 || contents.at(-1) >= 0x80) return false;
  return contents.every((byte, index) => byte !== 0x80 || (index > 0 && contents[index - 1] >= 0x80));
}

/** Checks that `element` exists and has this tag. */
export function expect(element, tag) {
  check(element?.tag === tag, 'another type');
  return element;
}

/** The values in a constructed value of this tag; of a certain number of them, if `count` is given. */
export function children(element, tag, count = null) {
  const found = expect(element, tag).children;
  check(found !== null && (count === null || found.length === count), 'too few or too many values');
  return found;
}

/** The bytes of a BIT STRING without unused bits. */
export function wholeBytes(element) {
  const { contents } = expect(element, BIT_STRING);
  check(contents[0] === 0, 'unused bits');
  return contents.subarray(1);
}

/** The value of an INTEGER. */
export function integer(element) {
  const { contents } = expect(element, INTEGER);
  const value = BigInt(`0x${contents.toString('hex')}`);
  return contents[0] < 0x80 ? value : value - (1n << BigInt(8 * contents.length));
}

/** An object identifier, as it is compared here: the hexadecimal digits of its contents. */
export function identifier(element) {
  return expect(element, OBJECT_IDENTIFIER).contents.toString('hex');
}

/** The same of an identifier with dots. */
export function oid(dotted) {
  const [first, second, ...rest] = dotted.split('.').map(Number);
  const bytes = [40 * first + second, ...rest].flatMap((arc) => {
    const digits = [arc % 128];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) digits.unshift(128 + (left % 128));
    return digits;
  });
  return Buffer.from(bytes).toString('hex');
}

export function check(holds, message) {
  if (!holds) throw new Malformed(message);
}
