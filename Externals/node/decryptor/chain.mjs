// Stages 6 and 7: which certificate is which, and the chain to a pinned root.

import { oid } from '../readers/der.mjs';
import {
  ECDSA_WITH_SHA256, ECDSA_WITH_SHA384, SHA256_WITH_RSA, SHA384_WITH_RSA, hasNoParameters,
} from './algorithms.mjs';
import { BASIC_CONSTRAINTS, KEY_USAGE } from './certificate.mjs';
import { LEAF_MARKER } from './cms.mjs';
import { Fault } from './faults.mjs';
import { P256 } from './public-keys.mjs';

const INTERMEDIATE_MARKER = oid('1.2.840.113635.100.6.2.14');
const CRITICAL_EXTENSIONS = new Set([BASIC_CONSTRAINTS, KEY_USAGE, LEAF_MARKER, INTERMEDIATE_MARKER]);
const DIGITAL_SIGNATURE = 0; // bits of keyUsage
const KEY_CERT_SIGN = 5;
const FEWEST_MODULUS_BITS = 2048;

const ECDSA_HASHES = { [ECDSA_WITH_SHA256]: 'sha256', [ECDSA_WITH_SHA384]: 'sha384' };
const RSA_HASHES = { [SHA256_WITH_RSA]: 'sha256', [SHA384_WITH_RSA]: 'sha384' };

/** Stage 6: { leaf, intermediate }. `roots` are the trusted Certificates. Throws Fault. */
export function findCertificates({ certificates, signer }, roots) {
  const marked = (marker) => certificates.filter(({ extensions }) => extensions.has(marker));
  const [leaf, ...leaves] = marked(LEAF_MARKER);
  if (!leaf || leaves.length > 0) throw new Fault('missingLeafMarker', 6);
  const [intermediate, ...intermediates] = marked(INTERMEDIATE_MARKER);
  if (!intermediate || intermediates.length > 0 || intermediate === leaf) {
    throw new Fault('missingIntermediateMarker', 6);
  }
  const others = certificates.filter((certificate) => certificate !== leaf && certificate !== intermediate);
  const areRoots = others.every((other) => roots.some((root) => root.encoding.equals(other.encoding)));
  if (others.length > 1 || !areRoots) throw new Fault('unexpectedCertificate', 6);
  if (!signer.names(leaf)) throw new Fault('signerMismatch', 6);
  return { leaf, intermediate };
}

/** Stage 7, at the time `at` (seconds), with `revoked`, a set of digests in hexadecimal. Throws Fault. */
export function checkChain({ leaf, intermediate }, { roots, version, revoked, at }) {
  const isTrusted =
    isLeaf(leaf, version) &&
    isAuthority(intermediate, 0n) &&
    isIssued(leaf, intermediate) &&
    roots.some((root) => isAuthority(root, 1n) && isIssued(intermediate, root));
  if (!isTrusted) throw new Fault('untrustedChain', 7);
  for (const certificate of [leaf, intermediate]) {
    if (certificate.digests.some((digest) => revoked.has(digest))) throw new Fault('certificateRevoked', 7);
  }
  for (const certificate of [leaf, intermediate]) {
    if (at > certificate.notAfter) throw new Fault('certificateExpired', 7);
    if (at < certificate.notBefore) throw new Fault('certificateNotYetValid', 7);
  }
}

/** Rules 7.4 and 7.5. */
function isLeaf(certificate, version) {
  const { curve, modulusBits } = certificate.publicKey;
  const isOfVersion = version === 'EC_v1' ? curve === P256 : modulusBits >= FEWEST_MODULUS_BITS;
  const isNoAuthority = !certificate.basicConstraints?.isAuthority;
  return isOfVersion && isNoAuthority && certificate.allowsUsage(DIGITAL_SIGNATURE) && hasKnownExtensions(certificate);
}

/** Rules 7.3 and 7.5. */
function isAuthority(certificate, leastPathLength) {
  const { isAuthority: isMarked = false, pathLength = null } = certificate.basicConstraints ?? {};
  const isLongEnough = pathLength === null || pathLength >= leastPathLength;
  return isMarked && isLongEnough && certificate.allowsUsage(KEY_CERT_SIGN) && hasKnownExtensions(certificate);
}

/** Rule 7.5. */
function hasKnownExtensions({ extensions }) {
  return [...extensions].every(([name, { isCritical }]) => !isCritical || CRITICAL_EXTENSIONS.has(name));
}

/** Rule 7.2. */
function isIssued(certificate, issuer) {
  return certificate.issuer.equals(issuer.subject) && isSigned(certificate, issuer.publicKey);
}

function isSigned({ algorithm, signed, signature }, key) {
  if (Object.hasOwn(ECDSA_HASHES, algorithm.name)) {
    return algorithm.parameters === undefined && key.verifiesECDSA(ECDSA_HASHES[algorithm.name], signed, signature);
  }
  if (!Object.hasOwn(RSA_HASHES, algorithm.name) || !hasNoParameters(algorithm)) return false;
  return key.modulusBits >= FEWEST_MODULUS_BITS && key.verifiesRSA(RSA_HASHES[algorithm.name], signed, signature);
}
