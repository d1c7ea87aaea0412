// The wrappers of a CMS (rule 5.2), which may be BER. What is in them is DER.

import { check, readElement, readLength } from './der.mjs';

/** Reads from the front to the end, into wrappers and out of them. */
export class WrapperReader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
    this.limit = bytes.length; // of the innermost wrapper whose length is definite
    this.isIndefinite = false; // the innermost wrapper, which 00 00 ends
    this.level = 0; // of the innermost wrapper
  }

  /** Reads a wrapper of this tag, whose contents `read` reads. Returns what `read` returns. */
  wrapper(tag, read) {
    check(this.isNext(tag), 'no wrapper');
    const { length, contents } = readLength(this.bytes, this.at + 1, this.limit);
    const { limit, isIndefinite } = this;
    this.at = contents;
    this.isIndefinite = length === null;
    this.limit = this.isIndefinite ? limit : contents + length;
    check(this.limit <= limit, 'a wrapper that is longer than what it is in');
    this.level += 1;
    const result = read();
    check(this.atEnd(), 'more in a wrapper than it holds');
    this.level -= 1;
    if (this.isIndefinite) this.at += 2;
    this.limit = limit;
    this.isIndefinite = isIndefinite;
    return result;
  }

  /** Whether the innermost wrapper ends here. */
  atEnd() {
    if (!this.isIndefinite) return this.at === this.limit;
    return this.at + 2 <= this.limit && this.bytes[this.at] === 0 && this.bytes[this.at + 1] === 0;
  }

  /** Whether a value of this tag is next in the innermost wrapper. */
  isNext(tag) {
    return this.at < this.limit && this.bytes[this.at] === tag;
  }

  /** Reads a value in DER. */
  element() {
    const element = readElement(this.bytes, this.at, this.limit, this.level + 1);
    this.at = element.end;
    return element;
  }

  /** Reads values in DER to the end of the innermost wrapper. */
  elements() {
    const found = [];
    while (!this.atEnd()) found.push(this.element());
    return found;
  }
}
