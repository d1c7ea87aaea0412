// PEM (RFC 7468), as keys and certificates are in hello.

import { decodeBase64 } from './encodings.mjs';

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----\s([A-Za-z0-9+/=\s]*)-----END \1-----/g;

/** The bytes of the one block with this label; null if there is none, if there are several, or if it is not base64. */
export function readPEM(text, label) {
  const bodies = [...text.matchAll(BLOCK)].filter((match) => match[1] === label).map((match) => match[2]);
  return bodies.length === 1 ? decodeBase64(bodies[0].replace(/\s/g, '')) : null;
}
