// Base64 and hexadecimal, strictly (rules 4.1 and 4.2). Node.js forgives what these refuse.

/** The bytes, or null. Only strict base64 is what its bytes encode to. */
export function decodeBase64(text) {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : null;
}

/** The bytes, or null. */
export function decodeHex(text) {
  return /^(?:[0-9A-Fa-f]{2})*$/.test(text) ? Buffer.from(text, 'hex') : null;
}
