package external.payment;

import external.keys.MerchantKey;
import external.token.Code;
import external.token.Fault;
import external.token.Token;
import java.util.Arrays;
import org.bouncycastle.crypto.InvalidCipherTextException;
import org.bouncycastle.crypto.engines.AESEngine;
import org.bouncycastle.crypto.modes.GCMBlockCipher;
import org.bouncycastle.crypto.modes.GCMModeCipher;
import org.bouncycastle.crypto.params.AEADParameters;
import org.bouncycastle.crypto.params.KeyParameter;

/** Decrypts the data of a token with the merchant's key (stages 11 and 12). */
public final class Cipher {
  private static final int TAG_BITS = 128;
  private static final int IV_BYTES = 16;

  private Cipher() {}

  public static byte[] decrypt(Token token, MerchantKey merchantKey) throws Fault {
    byte[] key = SymmetricKey.restore(merchantKey, token.key());
    byte[] plaintext = new byte[token.data().length - TAG_BITS / 8];
    try {
      GCMModeCipher cipher = GCMBlockCipher.newInstance(AESEngine.newInstance());
      cipher.init(false, new AEADParameters(new KeyParameter(key), TAG_BITS, new byte[IV_BYTES]));
      int length = cipher.processBytes(token.data(), 0, token.data().length, plaintext, 0);
      cipher.doFinal(plaintext, length);
      return plaintext;
    } catch (InvalidCipherTextException e) {
      Arrays.fill(plaintext, (byte) 0);
      throw new Fault(Code.DECRYPTION_FAILED);
    } finally {
      Arrays.fill(key, (byte) 0);
    }
  }
}
