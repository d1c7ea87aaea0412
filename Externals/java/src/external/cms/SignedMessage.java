package external.cms;

import external.asn1.AsnException;
import external.asn1.BerCursor;
import external.asn1.Oids;
import external.asn1.Tlv;
import external.token.Code;
import external.token.Fault;
import external.token.Version;
import java.util.ArrayList;
import java.util.List;

/** The detached SignedData of a token after stage 5. Its signature is not verified yet. */
public final class SignedMessage {
  private static final int MAXIMUM_CERTIFICATES = 3;
  private static final int MAXIMUM_CERTIFICATE_BYTES = 4096;

  final List<Certificate> certificates = new ArrayList<>();
  final Signer signer;

  private SignedMessage(byte[] bytes, Version version) throws AsnException {
    BerCursor outermost = BerCursor.over(bytes);
    BerCursor contentInfo = outermost.open(Tlv.SEQUENCE);
    if (!contentInfo.next().oid().equals(Oids.SIGNED_DATA)) throw new AsnException("not SignedData");
    BerCursor content = contentInfo.open(Tlv.CONTEXT);
    BerCursor signedData = content.open(Tlv.SEQUENCE);
    if (!signedData.next().isInteger(1)) throw new AsnException("not version 1");
    readDigestAlgorithms(signedData);
    readEncapsulatedContent(signedData);
    if (signedData.isAt(Tlv.CONTEXT)) readCertificates(signedData);
    signer = readSigner(signedData, version);
    signedData.close();
    content.close();
    contentInfo.close();
    outermost.close();
  }

  /** Stage 5. */
  public static SignedMessage parse(byte[] bytes, Version version) throws Fault {
    try {
      SignedMessage message = new SignedMessage(bytes, version);
      message.checkSignatureLength();
      return message;
    } catch (AsnException e) {
      throw new Fault(Code.MALFORMED_SIGNATURE);
    }
  }

  private static void readDigestAlgorithms(BerCursor signedData) throws AsnException {
    BerCursor algorithms = signedData.open(Tlv.SET);
    if (!Algorithm.of(algorithms.next()).isSha256()) throw new AsnException("not SHA-256");
    algorithms.close();
  }

  private static void readEncapsulatedContent(BerCursor signedData) throws AsnException {
    BerCursor content = signedData.open(Tlv.SEQUENCE);
    if (!content.next().oid().equals(Oids.DATA)) throw new AsnException("not id-data");
    content.close();
  }

  /** Rule 5.8. */
  private void readCertificates(BerCursor signedData) throws AsnException {
    BerCursor list = signedData.open(Tlv.CONTEXT);
    while (!list.atEnd()) {
      Tlv value = list.next();
      if (certificates.size() == MAXIMUM_CERTIFICATES || value.encodedLength() > MAXIMUM_CERTIFICATE_BYTES) {
        throw new AsnException("too many certificates, or one too long");
      }
      certificates.add(new Certificate(value));
    }
    list.close();
  }

  private static Signer readSigner(BerCursor signedData, Version version) throws AsnException {
    BerCursor signers = signedData.open(Tlv.SET);
    Signer signer = new Signer(signers.next(), version);
    signers.close();
    return signer;
  }

  /** The certificates with an extension of this OID. */
  List<Certificate> with(String oid) {
    return certificates.stream().filter(certificate -> certificate.has(oid)).toList();
  }

  /** Rule 5.19. */
  private void checkSignatureLength() throws AsnException {
    List<Certificate> leaves = with(Oids.LEAF_MARKER);
    if (!signer.isRsa || leaves.size() != 1 || !(leaves.get(0).key instanceof PublicKey.Rsa key)) return;
    if (signer.signature.length != key.length()) throw new AsnException("a signature of another length");
  }
}
