// A reader for strict JSON (rules 2.1 to 2.4) that keeps what JSON.parse loses: the order of members, repeated names,
// the characters of numbers, and where an object begins and ends.
//
// Values are JSONObject, JSONArray, JSONNumber, string, boolean and null. An absent member is undefined.

const DEEPEST = 32; // levels; the outermost object is level 1

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ESCAPES = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

// What a byte can be.
const STRING_TEXT = 1; // ASCII that stands for itself in a string
const NUMBER_TEXT = 2;
const WHITE_SPACE = 4;
const KIND = new Uint8Array(256);
for (let byte = 0x20; byte < 0x80; byte += 1) if (byte !== QUOTE && byte !== BACKSLASH) KIND[byte] |= STRING_TEXT;
for (const byte of Buffer.from('+-.0123456789Ee')) KIND[byte] |= NUMBER_TEXT;
for (const byte of Buffer.from(' \t\n\r')) KIND[byte] |= WHITE_SPACE;

export class MalformedJSON extends Error {}

export class JSONNumber {
  constructor(text) {
    this.text = text;
  }
}

export class JSONArray {
  constructor(items) {
    this.items = items;
  }
}

export class JSONObject {
  /** `bytes` is the text from the opening to the closing brace. */
  constructor(bytes, members) {
    this.bytes = bytes;
    this.members = members; // [{ name, value }] in the order of the text
  }

  /** The first value of this name. */
  get(name) {
    return this.members.find((member) => member.name === name)?.value;
  }

  /** All values of this name. */
  all(name) {
    return this.members.filter((member) => member.name === name).map((member) => member.value);
  }

  get repeatsNames() {
    return new Set(this.members.map((member) => member.name)).size < this.members.length;
  }
}

/** Reads a document that is one object. Throws MalformedJSON. */
export function readObject(bytes) {
  const reader = new Reader(bytes);
  reader.skipWhiteSpace();
  if (bytes[reader.at] !== 0x7b) throw new MalformedJSON('no object');
  const object = reader.object(1);
  reader.skipWhiteSpace();
  if (reader.at !== bytes.length) throw new MalformedJSON('something follows the object');
  return object;
}

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  /** `level` is that of the value if it is an object or an array. */
  value(level) {
    switch (this.bytes[this.at]) {
      case 0x7b:
        return this.object(level);
      case 0x5b:
        return this.array(level);
      case QUOTE:
        return this.string();
      case 0x74:
        return this.word('true', true);
      case 0x66:
        return this.word('false', false);
      case 0x6e:
        return this.word('null', null);
      default:
        return this.number();
    }
  }

  object(level) {
    const start = this.at;
    const members = [];
    this.list(level, 0x7d, () => {
      if (this.bytes[this.at] !== QUOTE) throw new MalformedJSON('a member without a name');
      const name = this.string();
      this.skipWhiteSpace();
      if (this.bytes[this.at] !== 0x3a) throw new MalformedJSON('a name without a colon');
      this.at += 1;
      this.skipWhiteSpace();
      members.push({ name, value: this.value(level + 1) });
    });
    return new JSONObject(this.bytes.subarray(start, this.at), members);
  }

  array(level) {
    const items = [];
    this.list(level, 0x5d, () => items.push(this.value(level + 1)));
    return new JSONArray(items);
  }

  /** From the opening bracket to the closing one; `item` reads what is between commas. */
  list(level, closing, item) {
    if (level > DEEPEST) throw new MalformedJSON('nested too deep');
    this.at += 1;
    this.skipWhiteSpace();
    if (this.bytes[this.at] === closing) {
      this.at += 1;
      return;
    }
    for (;;) {
      item();
      this.skipWhiteSpace();
      const byte = this.bytes[this.at];
      this.at += 1;
      if (byte === closing) return;
      if (byte !== 0x2c) throw new MalformedJSON('no comma between two values');
      this.skipWhiteSpace();
    }
  }

  string() {
    const { bytes } = this;
    let text = '';
    let start = this.at + 1; // of what is not yet in `text`
    let at = start;
    for (;;) {
      while (KIND[bytes[at]] & STRING_TEXT) at += 1;
      const byte = bytes[at];
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) {
        text += bytes.toString('utf8', start, at);
        const escape = readEscape(bytes, at);
        text += escape.text;
        at = start = escape.end;
      } else if (byte >= 0x80) {
        at += sequenceLength(bytes, at);
      } else {
        throw new MalformedJSON('a control character, or the end of the text, in a string');
      }
    }
    this.at = at + 1;
    return text + bytes.toString('utf8', start, at);
  }

  number() {
    const start = this.at;
    while (KIND[this.bytes[this.at]] & NUMBER_TEXT) this.at += 1;
    const text = this.bytes.toString('latin1', start, this.at);
    if (!NUMBER.test(text)) throw new MalformedJSON('no value');
    return new JSONNumber(text);
  }

  word(text, value) {
    const end = this.at + text.length;
    if (this.bytes.toString('latin1', this.at, end) !== text) throw new MalformedJSON('no value');
    this.at = end;
    return value;
  }

  skipWhiteSpace() {
    while (KIND[this.bytes[this.at]] & WHITE_SPACE) this.at += 1;
  }
}

/** The text of the escape at `at`, which is two code units for a pair of surrogates, and where it ends. */
function readEscape(bytes, at) {
  const letter = String.fromCharCode(bytes[at + 1]);
  if (letter !== 'u') {
    if (!Object.hasOwn(ESCAPES, letter)) throw new MalformedJSON('an unknown escape');
    return { text: ESCAPES[letter], end: at + 2 };
  }
  const unit = codeUnit(bytes, at);
  if (unit < 0xd800 || unit > 0xdfff) return { text: String.fromCharCode(unit), end: at + 6 };
  const low = codeUnit(bytes, at + 6);
  if (unit > 0xdbff || low < 0xdc00 || low > 0xdfff) throw new MalformedJSON('a surrogate without its other half');
  return { text: String.fromCharCode(unit, low), end: at + 12 };
}

/** The code unit of the escape `\uXXXX` at `at`. */
function codeUnit(bytes, at) {
  const text = bytes.toString('latin1', at, at + 6);
  if (!/^\\u[0-9A-Fa-f]{4}$/.test(text)) throw new MalformedJSON('an escape without four digits');
  return parseInt(text.slice(2), 16);
}

/** The length of the UTF-8 sequence at `at`, which is not ASCII. Well-formed sequences: Unicode, table 3-7. */
function sequenceLength(bytes, at) {
  const first = bytes[at];
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const lowest = { 0xe0: 0xa0, 0xf0: 0x90 }[first] ?? 0x80; // of the second byte: neither overlong
  const highest = { 0xed: 0x9f, 0xf4: 0x8f }[first] ?? 0xbf; // nor a surrogate nor above U+10FFFF
  const second = bytes[at + 1];
  let wellFormed = first >= 0xc2 && first <= 0xf4 && second >= lowest && second <= highest;
  for (let index = 2; index < length; index += 1) wellFormed &&= (bytes[at + index] & 0xc0) === 0x80;
  if (!wellFormed) throw new MalformedJSON('no UTF-8');
  return length;
}
