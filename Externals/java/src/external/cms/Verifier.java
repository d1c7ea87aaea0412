package external.cms;

import external.asn1.AsnException;
import external.asn1.Oids;
import external.token.Code;
import external.token.Fault;
import external.token.Token;
import external.token.Version;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Verifies a token's signature: stages 5 to 9. */
public final class Verifier {
  private static final Set<String> KNOWN_CRITICAL =
      Set.of(Oids.BASIC_CONSTRAINTS, Oids.KEY_USAGE, Oids.LEAF_MARKER, Oids.INTERMEDIATE_MARKER);
  private static final int DIGITAL_SIGNATURE = 0;
  private static final int KEY_CERT_SIGN = 5;

  private final List<Certificate> roots;
  private final Long windowSeconds;

  /** {@code windowSeconds} null switches stage 9 off. */
  public Verifier(List<Certificate> roots, Long windowSeconds) {
    this.roots = roots;
    this.windowSeconds = windowSeconds;
  }

  /** Throws the first fault of stages 5 to 9. {@code at} is the verification time in seconds since 1970. */
  public void verify(Token token, long at, List<byte[]> revoked) throws Fault {
    SignedMessage message = SignedMessage.parse(token.signature(), token.version());
    Certificate leaf = leaf(message);
    Certificate intermediate = intermediate(message, leaf);
    checkOthers(message, leaf, intermediate);
    if (!message.signer.names(leaf)) throw new Fault(Code.SIGNER_MISMATCH);
    if (!isTrusted(leaf, intermediate, token.version())) throw new Fault(Code.UNTRUSTED_CHAIN);
    if (leaf.isOn(revoked) || intermediate.isOn(revoked)) throw new Fault(Code.CERTIFICATE_REVOKED);
    checkDates(leaf, at);
    checkDates(intermediate, at);
    checkSignature(token, message.signer, leaf);
    checkSigningTime(message.signer.attributes.signingTime, at);
  }

  /** Rule 6.1. */
  private static Certificate leaf(SignedMessage message) throws Fault {
    List<Certificate> leaves = message.with(Oids.LEAF_MARKER);
    if (leaves.size() != 1) throw new Fault(Code.MISSING_LEAF_MARKER);
    return leaves.get(0);
  }

  /** Rule 6.2. */
  private static Certificate intermediate(SignedMessage message, Certificate leaf) throws Fault {
    List<Certificate> intermediates = message.with(Oids.INTERMEDIATE_MARKER);
    if (intermediates.size() != 1 || intermediates.get(0) == leaf) throw new Fault(Code.MISSING_INTERMEDIATE_MARKER);
    return intermediates.get(0);
  }

  /** Rule 6.3. */
  private void checkOthers(SignedMessage message, Certificate leaf, Certificate intermediate) throws Fault {
    for (Certificate other : message.certificates) {
      if (other == leaf || other == intermediate) continue;
      if (roots.stream().noneMatch(other::sameAs)) throw new Fault(Code.UNEXPECTED_CERTIFICATE);
    }
  }

  /** Rules 7.1 to 7.5. */
  private boolean isTrusted(Certificate leaf, Certificate intermediate, Version version) {
    try {
      if (!isLeaf(leaf, version) || !isAuthority(intermediate, 0)) return false;
      if (!leaf.names(intermediate)) return false;
      boolean underRoot = false;
      for (Certificate root : roots) {
        underRoot |= intermediate.names(root) && isAuthority(root, 1) && intermediate.isSignedBy(root);
      }
      return underRoot && leaf.isSignedBy(intermediate);
    } catch (AsnException e) {
      return false;
    }
  }

  /** Rule 7.3: {@code below} is the number of authorities between it and the leaf. */
  private static boolean isAuthority(Certificate certificate, int below) throws AsnException {
    Extension constraints = certificate.extensions.get(Oids.BASIC_CONSTRAINTS);
    if (constraints == null || !Extension.BasicConstraints.of(constraints).allows(below)) return false;
    return mayBeUsed(certificate, KEY_CERT_SIGN) && knowsAllCritical(certificate);
  }

  /** Rule 7.4. */
  private static boolean isLeaf(Certificate leaf, Version version) throws AsnException {
    Extension constraints = leaf.extensions.get(Oids.BASIC_CONSTRAINTS);
    if (constraints != null && Extension.BasicConstraints.of(constraints).ca()) return false;
    boolean kind = version == Version.EC_V1
        ? leaf.key instanceof PublicKey.Ec ec && ec.curve() == Curve.P256
        : leaf.key instanceof PublicKey.Rsa rsa && rsa.isStrong();
    return kind && mayBeUsed(leaf, DIGITAL_SIGNATURE) && knowsAllCritical(leaf);
  }

  private static boolean mayBeUsed(Certificate certificate, int bit) throws AsnException {
    Extension usage = certificate.extensions.get(Oids.KEY_USAGE);
    return usage == null || usage.hasUsage(bit);
  }

  /** Rule 7.5. */
  private static boolean knowsAllCritical(Certificate certificate) {
    return certificate.extensions.entrySet().stream()
        .allMatch(entry -> !entry.getValue().critical() || KNOWN_CRITICAL.contains(entry.getKey()));
  }

  /** Rule 7.7. */
  private static void checkDates(Certificate certificate, long at) throws Fault {
    if (at > certificate.notAfter) throw new Fault(Code.CERTIFICATE_EXPIRED);
    if (at < certificate.notBefore) throw new Fault(Code.CERTIFICATE_NOT_YET_VALID);
  }

  /** Stage 8. */
  private static void checkSignature(Token token, Signer signer, Certificate leaf) throws Fault {
    byte[] applicationData = token.applicationData() == null ? new byte[0] : token.applicationData();
    byte[] digest = Hash.SHA256.of(token.key(), token.data(), token.transactionId(), applicationData);
    boolean holds = Arrays.equals(digest, signer.attributes.messageDigest)
        && Signatures.verifyToken(leaf.key, signer.attributes.signed, signer.signature);
    if (!holds) throw new Fault(Code.SIGNATURE_MISMATCH);
  }

  /** Rule 9.1. Times have four-digit years, so the difference cannot wrap. */
  private void checkSigningTime(long signingTime, long at) throws Fault {
    if (windowSeconds != null && Math.abs(signingTime - at) > windowSeconds) {
      throw new Fault(Code.SIGNING_TIME_OUTSIDE_WINDOW);
    }
  }
}
