package external;

import external.cms.Certificate;
import external.decryptor.Decryptor;
import external.decryptor.Policy;
import external.decryptor.ReplayStore;
import external.keys.KeyException;
import external.keys.MerchantKeys;
import external.keys.Pem;
import external.token.Encodings;
import external.token.Fault;
import frame.Frame;
import java.util.ArrayList;
import java.util.List;

/** The decryptor behind the frame of the line protocol (Docs/LineProtocol.md). */
public final class Main implements Frame.Decryptor {
  private static final List<String> SUPPORTS =
      List.of("EC_v1", "RSA_v1", "envelopes", "expect", "payload", "replay", "revoked", "roots", "signature", "unsigned");

  private Decryptor decryptor;

  private Main() {}

  public static void main(String[] arguments) {
    Frame.serve("java-bouncycastle", "1", SUPPORTS, new Main());
  }

  @Override
  public void begin(Frame.Hello hello) throws KeyException {
    MerchantKeys keys = new MerchantKeys();
    for (Frame.Key key : hello.keys()) keys.add(key.privateKeyPem(), key.certificatePem(), key.merchantId());
    List<Certificate> roots = new ArrayList<>();
    for (String pem : hello.roots()) roots.add(Pem.certificate(pem));
    decryptor = new Decryptor(keys, roots, hello.window());
  }

  /** Ignores the frame's choice of a key: stage 10 finds the key itself. */
  @Override
  public byte[] decrypt(byte[] token, Frame.Key named, Frame.Request request) throws Fault {
    Policy policy = policy(request.policy);
    long at = request.at.getEpochSecond();
    for (byte[] earlier : request.prelude) {
      try {
        decryptor.decrypt(earlier, at, policy);
      } catch (Fault fault) {
        // Its verdict is not reported.
      }
    }
    Decryptor.Payment payment = decryptor.decrypt(token, at, policy);
    request.acceptedUnsigned = !payment.signed();
    return payment.plaintext();
  }

  private static Policy policy(Frame.Policy policy) {
    Frame.Expect expect = policy.expect();
    byte[] applicationData = expect.applicationData() == null ? null : Encodings.hex(expect.applicationData());
    List<byte[]> revoked = policy.revoked().stream().map(Encodings::hex).toList();
    ReplayStore seen = policy.replay() ? new ReplayStore() : null;
    return new Policy(
        policy.envelope(), policy.unsigned(), expect.currency(), expect.amount(), applicationData, seen, revoked);
  }
}
