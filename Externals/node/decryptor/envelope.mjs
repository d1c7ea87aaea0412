// Stage 0: finds the token in a gateway's request.

import { decodeBase64 } from '../readers/encodings.mjs';
import { JSONNumber, JSONObject, MalformedJSON, readObject } from '../readers/json.mjs';
import { Fault, orFault } from './faults.mjs';

const STAGE = 0;
const MOST_BYTES = 262_144;
const MEMBERS_OF_A_TOKEN = ['version', 'data', 'signature', 'header'];

const WORLDLINE = 'mobilePaymentMethodSpecificInput';
const MPGS_TOKEN = 'sourceOfFunds.provided.card.devicePayment.paymentToken';

/** Rule 0.10. Paths have dots between their names. `transaction` is the path of a transactionIdentifier (14.0). */
const ENVELOPES = {
  applepayjs: {
    routes: [
      { path: 'token.paymentData', type: 'object', transaction: 'token.transactionIdentifier' },
      { path: 'paymentData', type: 'object', transaction: 'transactionIdentifier' },
    ],
    forbiddenMarks: ['paymentId'],
  },
  worldline: {
    routes: [
      {
        path: WORLDLINE,
        type: 'parts',
        constants: [{ path: `${WORLDLINE}.paymentProductId`, value: new JSONNumber('302') }],
      },
    ],
    marks: [`${WORLDLINE}.encryptedPaymentData`],
    parts: {
      data: ['encryptedPaymentData'],
      signature: ['signature'],
      'header.ephemeralPublicKey': ['ephemeralPublicKey', 'ephemeralKey'],
      'header.publicKeyHash': ['publicKeyHash'],
      'header.transactionId': ['transactionId'],
      'header.applicationData': ['applicationData'],
    },
  },
  alphapay: {
    routes: [{ path: 'token.paymentData', type: 'object', transaction: 'token.transactionIdentifier' }],
    marks: ['paymentId'],
  },
  mpgs: {
    routes: [
      { path: MPGS_TOKEN, type: 'json', constants: [{ path: 'order.walletProvider', value: 'APPLE_PAY' }] },
    ],
  },
  bambora: {
    routes: [
      {
        path: 'apple_pay.payment_token',
        type: 'base64',
        constants: [{ path: 'payment_method', value: 'apple_pay' }],
      },
      { path: 'apple-wallet.payment-token', type: 'base64' },
    ],
  },
};

export const ENVELOPE_NAMES = ['apple', 'auto', ...Object.keys(ENVELOPES)];

/**
 * What a request holds. `bytes` is the token, or the object that holds its parts: what rule 1.1 counts. `parts` has the
 * values of the members by their path in a token (undefined for an absent one), or is null for a whole token.
 * `transactionIdentifier` is the value next to the token, undefined if it is absent.
 */
class Extracted {
  constructor(bytes, parts = null, transactionIdentifier = undefined) {
    this.bytes = bytes;
    this.parts = parts;
    this.transactionIdentifier = transactionIdentifier;
  }
}

/** Finds the token in a request in the envelope of this name. Throws Fault. */
export function extract(request, name) {
  if (name === 'apple') return new Extracted(request);
  if (request.length > MOST_BYTES) throw new Fault('tokenTooLarge', STAGE);
  if (name === 'auto') return extractFitting(request);
  const root = orFault(MalformedJSON, 'malformedEnvelope', STAGE, () => readObject(request));
  return extractFrom(root, ENVELOPES[name]);
}

/** Rule 0.9. */
function extractFitting(request) {
  let root;
  try {
    root = readObject(request);
  } catch (error) {
    if (error instanceof MalformedJSON) return new Extracted(request);
    throw error;
  }
  const fitting = Object.values(ENVELOPES).filter((envelope) => fits(root, envelope));
  const isToken = MEMBERS_OF_A_TOKEN.every((member) => exists(root, member));
  if (fitting.length + isToken > 1) throw new Fault('ambiguousEnvelope', STAGE);
  return fitting.length === 1 ? extractFrom(root, fitting[0]) : new Extracted(request);
}

function fits(root, { routes, marks = [], forbiddenMarks = [] }) {
  return (
    marks.every((mark) => exists(root, mark)) &&
    !forbiddenMarks.some((mark) => exists(root, mark)) &&
    routes.some((route) => exists(root, route.path))
  );
}

/** Whether the path leads to a value, through any of the values of a repeated name. */
function exists(root, path) {
  return valuesAt(root, path.split('.')).length > 0;
}

function valuesAt(value, names) {
  if (names.length === 0) return [value];
  if (!(value instanceof JSONObject)) return [];
  return value.all(names[0]).flatMap((next) => valuesAt(next, names.slice(1)));
}

/** Rules 0.3 to 0.6 and 0.11. */
function extractFrom(root, { routes, parts = {} }) {
  for (const route of routes) checkDistinct(root, route.path);
  const leading = routes.filter((route) => exists(root, route.path));
  if (leading.length !== 1) throw malformed();
  const [{ path, type, constants = [], transaction = null }] = leading;
  const fields = constants.map((constant) => constant.path).concat(transaction ?? []);
  for (const field of fields) checkDistinct(root, field);
  const [value] = valuesAt(root, path.split('.'));
  const bytes = bytesOf(value, type);
  if (type === 'parts') for (const part of Object.values(parts).flat()) checkDistinct(value, part);
  for (const constant of constants) checkConstant(valuesAt(root, constant.path.split('.'))[0], constant.value);
  if (type === 'parts') return new Extracted(bytes, readParts(value, parts));
  return new Extracted(bytes, null, transaction === null ? undefined : valuesAt(root, transaction.split('.'))[0]);
}

/** Rule 0.3: each name on the path occurs at most once in the object that the path reaches. */
function checkDistinct(root, path) {
  let value = root;
  for (const name of path.split('.')) {
    if (!(value instanceof JSONObject)) return;
    const [first, ...others] = value.all(name);
    if (others.length > 0) throw malformed();
    value = first;
  }
}

/** Rule 0.5: the bytes that the following stages check. */
function bytesOf(value, type) {
  let bytes = null;
  if (type === 'json') bytes = typeof value === 'string' ? Buffer.from(value) : null;
  else if (type === 'base64') bytes = typeof value === 'string' ? decodeBase64(value) : null;
  else if (value instanceof JSONObject) bytes = value.bytes;
  if (bytes === null) throw malformed();
  return bytes;
}

/** Rule 0.6. */
function checkConstant(value, constant) {
  const isEqual =
    constant instanceof JSONNumber ? value instanceof JSONNumber && value.text === constant.text : value === constant;
  if (value !== undefined && !isEqual) throw new Fault('envelopeFieldMismatch', STAGE);
}

/** Rules 0.8 and 0.11. */
function readParts(object, parts) {
  const found = new Map();
  for (const [path, names] of Object.entries(parts)) {
    const values = names.map((name) => object.get(name)).filter((value) => value !== undefined);
    if (values.length > 1 && !(typeof values[0] === 'string' && values[0] === values[1])) {
      throw new Fault('envelopeFieldMismatch', STAGE);
    }
    found.set(path, values[0]);
  }
  return found;
}

function malformed() {
  return new Fault('malformedEnvelope', STAGE);
}
