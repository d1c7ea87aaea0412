// Stage 13: the decrypted payload.

import { decodeBase64, decodeHex } from '../readers/encodings.mjs';
import { JSONArray, JSONNumber, JSONObject, MalformedJSON, readObject } from '../readers/json.mjs';
import { isRealDate } from '../readers/times.mjs';
import { Fault, orFault } from './faults.mjs';

const MOST_MEMBERS = 64;
const MOST_AMOUNT_DIGITS = 12;
const GREATEST_EXPONENT = 12;
const MOST_IDENTIFIER_BYTES = 32;

const isString = (value) => typeof value === 'string';
const isOptional = (holds) => (value) => value === undefined || holds(value);
const isBase64 = (value) => isString(value) && (decodeBase64(value)?.length ?? 0) >= 1;
const isHex = (value) => isString(value) && (decodeHex(value)?.length ?? 0) >= 1;

/** Rules 13.2 and 13.5. An absent member is undefined. */
const MEMBERS = {
  applicationPrimaryAccountNumber: (value) => isString(value) && /^[0-9]{12,19}$/.test(value),
  applicationExpirationDate: isExpirationDate,
  currencyCode: (value) => isString(value) && /^[0-9]{3}$/.test(value),
  transactionAmount: (value) => value instanceof JSONNumber && readAmount(value.text) !== null,
  deviceManufacturerIdentifier: (value) => isHex(value) && value.length <= 2 * MOST_IDENTIFIER_BYTES,
  cardholderName: isOptional(isString),
  authenticationResponses: isOptional(areAuthenticationResponses),
  merchantTokenIdentifier: isOptional(isString),
  merchantTokenMetadata: isOptional((value) => value instanceof JSONObject),
};

/** Rule 13.4: the members of paymentData, by paymentDataType and the token's version. */
const PAYMENT_DATA = {
  '3DSecure': () => ({
    onlinePaymentCryptogram: isBase64,
    eciIndicator: isOptional((value) => isString(value) && /^[0-9]{1,2}$/.test(value)),
  }),
  EMV: (version) => ({
    emvData: isBase64,
    encryptedPINData: version === 'RSA_v1' ? isOptional(isHex) : (value) => value === undefined,
  }),
};

/** Reads a payload: { currency, amount } in minor units. Throws Fault. */
export function readPayload(plaintext, version) {
  const payload = orFault(MalformedJSON, 'malformedPayload', 13, () => readObject(plaintext));
  if (!isPlain(payload) || !satisfies(payload, MEMBERS) || !hasPaymentData(payload, version)) {
    throw new Fault('malformedPayload', 13);
  }
  return { currency: payload.get('currencyCode'), amount: readAmount(payload.get('transactionAmount').text) };
}

function hasPaymentData(payload, version) {
  const [type, data] = [payload.get('paymentDataType'), payload.get('paymentData')];
  if (!isString(type) || !Object.hasOwn(PAYMENT_DATA, type)) return false;
  return data instanceof JSONObject && isPlain(data) && satisfies(data, PAYMENT_DATA[type](version));
}

function satisfies(object, members) {
  return Object.entries(members).every(([name, holds]) => holds(object.get(name)));
}

/** Rule 13.1. */
function isPlain(object) {
  return object.members.length <= MOST_MEMBERS && !object.repeatsNames;
}

function isExpirationDate(value) {
  const match = isString(value) ? /^([0-9]{2})([0-9]{2})([0-9]{2})$/.exec(value) : null;
  return match !== null && isRealDate(2000 + Number(match[1]), Number(match[2]), Number(match[3]));
}

function areAuthenticationResponses(value) {
  const names = ['merchantIdentifier', 'authenticationData', 'transactionAmount'];
  const isResponse = (item) =>
    item instanceof JSONObject && isPlain(item) && names.every((name) => isString(item.get(name)));
  return value instanceof JSONArray && value.items.every(isResponse);
}

/** Rule 13.3: the value of a JSON number, or null if it is not an integer in range. */
export function readAmount(text) {
  const match = /^([0-9]+)(?:\.([0-9]+))?(?:[eE]\+?([0-9]+))?$/.exec(text);
  if (match === null) return null;
  const [, whole, fraction = '', power = '0'] = match;
  const exponent = Number(power);
  if (exponent > GREATEST_EXPONENT) return null;
  const digits = whole + fraction.padEnd(exponent, '0');
  const point = whole.length + exponent;
  const integer = digits.slice(0, point).replace(/^0+/, '');
  return /^0*$/.test(digits.slice(point)) && integer.length <= MOST_AMOUNT_DIGITS ? Number(integer) : null;
}
