package external.cms;

import org.bouncycastle.crypto.Digest;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.digests.SHA384Digest;
import org.bouncycastle.util.encoders.Hex;

/** The hash functions of signatures, with the bytes before the digest in an RSA signature (RFC 8017 9.2). */
public enum Hash {
  SHA256("3031300d060960864801650304020105000420"),
  SHA384("3041300d060960864801650304020205000430");

  final byte[] digestInfo;

  Hash(String digestInfo) {
    this.digestInfo = Hex.decode(digestInfo);
  }

  /** The digest of the parts, one after the other. */
  public byte[] of(byte[]... parts) {
    Digest digest = this == SHA256 ? new SHA256Digest() : new SHA384Digest();
    for (byte[] part : parts) digest.update(part, 0, part.length);
    byte[] value = new byte[digest.getDigestSize()];
    digest.doFinal(value, 0);
    return value;
  }
}
