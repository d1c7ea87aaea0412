package external.keys;

import external.asn1.AsnException;
import external.cms.Certificate;
import java.io.IOException;
import java.io.StringReader;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.bouncycastle.crypto.util.PrivateKeyFactory;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;

/** PEM (RFC 7468). Certificates are read from their original bytes, because BouncyCastle reads them leniently. */
public final class Pem {
  private Pem() {}

  /** The only certificate of a text, read by rule 5.13. */
  public static Certificate certificate(String text) throws KeyException {
    try (PemReader reader = new PemReader(new StringReader(text))) {
      PemObject object = reader.readPemObject();
      if (object == null || !object.getType().equals("CERTIFICATE")) throw new KeyException("not a PEM certificate");
      if (reader.readPemObject() != null) throw new KeyException("more than one certificate in a PEM text");
      return Certificate.load(object.getContent());
    } catch (IOException | RuntimeException e) {
      throw new KeyException("not a PEM certificate");
    } catch (AsnException e) {
      throw new KeyException("a certificate that is not well-formed");
    }
  }

  /** A private key: PKCS #8, SEC 1 or PKCS #1, not encrypted. */
  static AsymmetricKeyParameter privateKey(String text) throws KeyException {
    try (PEMParser parser = new PEMParser(new StringReader(text))) {
      for (Object object = parser.readObject(); object != null; object = parser.readObject()) {
        if (object instanceof PrivateKeyInfo info) return PrivateKeyFactory.createKey(info);
        if (object instanceof PEMKeyPair pair) return PrivateKeyFactory.createKey(pair.getPrivateKeyInfo());
      }
    } catch (IOException | RuntimeException e) {
      throw new KeyException("not a private key");
    }
    throw new KeyException("not a private key");
  }
}
