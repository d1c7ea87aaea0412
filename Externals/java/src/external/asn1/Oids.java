package external.asn1;

import java.io.IOException;
import java.util.Arrays;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.cms.CMSAttributes;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.util.encoders.Hex;

/** Object identifiers, each as the hexadecimal of its contents, so that comparisons are byte for byte. */
public final class Oids {
  public static final String SIGNED_DATA = of(PKCSObjectIdentifiers.signedData);
  public static final String DATA = of(PKCSObjectIdentifiers.data);
  public static final String CONTENT_TYPE = of(CMSAttributes.contentType);
  public static final String MESSAGE_DIGEST = of(CMSAttributes.messageDigest);
  public static final String SIGNING_TIME = of(CMSAttributes.signingTime);
  public static final String ALGORITHM_PROTECTION = of(CMSAttributes.cmsAlgorithmProtect);
  public static final String SHA256 = of(NISTObjectIdentifiers.id_sha256);
  public static final String ECDSA_SHA256 = of(X9ObjectIdentifiers.ecdsa_with_SHA256);
  public static final String ECDSA_SHA384 = of(X9ObjectIdentifiers.ecdsa_with_SHA384);
  public static final String RSA = of(PKCSObjectIdentifiers.rsaEncryption);
  public static final String RSA_SHA256 = of(PKCSObjectIdentifiers.sha256WithRSAEncryption);
  public static final String RSA_SHA384 = of(PKCSObjectIdentifiers.sha384WithRSAEncryption);
  public static final String EC_PUBLIC_KEY = of(X9ObjectIdentifiers.id_ecPublicKey);
  public static final String P256 = of(X9ObjectIdentifiers.prime256v1);
  public static final String P384 = of(SECObjectIdentifiers.secp384r1);
  public static final String BASIC_CONSTRAINTS = of(Extension.basicConstraints);
  public static final String KEY_USAGE = of(Extension.keyUsage);
  public static final String SUBJECT_KEY_IDENTIFIER = of(Extension.subjectKeyIdentifier);
  public static final String LEAF_MARKER = of(new ASN1ObjectIdentifier("1.2.840.113635.100.6.29"));
  public static final String INTERMEDIATE_MARKER = of(new ASN1ObjectIdentifier("1.2.840.113635.100.6.2.14"));
  public static final String MERCHANT_ID = of(new ASN1ObjectIdentifier("1.2.840.113635.100.6.32"));

  private Oids() {}

  static String hex(byte[] contents) {
    return Hex.toHexString(contents);
  }

  private static String of(ASN1ObjectIdentifier oid) {
    try {
      byte[] encoded = oid.getEncoded();
      return hex(Arrays.copyOfRange(encoded, 2, encoded.length));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
