package external.decryptor;

import external.cms.Certificate;
import external.cms.Verifier;
import external.envelope.Envelope;
import external.json.Json;
import external.keys.MerchantKeys;
import external.payment.Cipher;
import external.payment.Payload;
import external.token.Code;
import external.token.Encodings;
import external.token.Fault;
import external.token.Member;
import external.token.Token;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;

/** Verifies and decrypts requests by the stages of Docs/Verification.md, in their order. */
public final class Decryptor {
  private final MerchantKeys keys;
  private final Verifier verifier;

  /** {@code windowSeconds} null switches stage 9 off. */
  public Decryptor(MerchantKeys keys, List<Certificate> roots, Long windowSeconds) {
    this.keys = keys;
    this.verifier = new Verifier(roots, windowSeconds);
  }

  /** The payload of an accepted token. {@code signed} is false only under the unsigned policy. */
  public record Payment(byte[] plaintext, boolean signed) {}

  /** The payment, or the first fault. {@code at} is the verification time in seconds since 1970. */
  public Payment decrypt(byte[] request, long at, Policy policy) throws Fault {
    Envelope.Contents contents = Envelope.open(request, policy.envelope());
    Token token = token(contents, policy);
    if (token.isSigned()) verifier.verify(token, at, policy.revoked());
    byte[] plaintext = Cipher.decrypt(token, keys.find(token.publicKeyHash(), token.version()));
    try {
      Payload payload = Payload.parse(plaintext, token.version());
      checkExpectations(token, payload, contents.identifier(), policy);
      return new Payment(plaintext, token.isSigned());
    } catch (Fault fault) {
      Arrays.fill(plaintext, (byte) 0);
      throw fault;
    }
  }

  /** Stages 1 to 4. */
  private static Token token(Envelope.Contents contents, Policy policy) throws Fault {
    if (contents.parts() == null) return Token.parse(contents.bytes());
    Token.checkSize(contents.bytes());
    boolean isUnsigned = policy.unsigned() && contents.parts().get(Member.SIGNATURE) == null;
    if (isUnsigned) return Token.unsigned(contents.parts(), policy.transactions() != null);
    return Token.ofParts(contents.parts());
  }

  /** Stage 14. */
  private static void checkExpectations(Token token, Payload payload, Json identifier, Policy policy) throws Fault {
    if (identifier != null && !names(identifier, token)) throw new Fault(Code.ENVELOPE_FIELD_MISMATCH, 14);
    byte[] applicationData = policy.applicationData();
    if (applicationData != null && !Arrays.equals(applicationData, token.applicationData())) {
      throw new Fault(Code.APPLICATION_DATA_MISMATCH);
    }
    if (policy.currency() != null && !policy.currency().equals(payload.currency())) {
      throw new Fault(Code.CURRENCY_MISMATCH);
    }
    BigInteger minorUnits = policy.minorUnits();
    if (minorUnits != null && !minorUnits.equals(BigInteger.valueOf(payload.minorUnits()))) {
      throw new Fault(Code.AMOUNT_MISMATCH);
    }
    boolean isNew = policy.transactions() == null || policy.transactions().add(token.transactionId());
    if (!isNew) throw new Fault(Code.REPLAYED_TRANSACTION);
  }

  /** Rule 14.0. */
  private static boolean names(Json identifier, Token token) {
    return identifier instanceof Json.Str string
        && Arrays.equals(Encodings.hex(string.value()), token.transactionId());
  }
}
