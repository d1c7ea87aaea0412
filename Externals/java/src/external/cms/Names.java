package external.cms;

import external.asn1.AsnException;
import external.asn1.Tlv;

/** Names, which are only compared byte for byte. */
final class Names {
  private Names() {}

  /** Rule 5.14. */
  static Tlv check(Tlv name) throws AsnException {
    for (Tlv set : name.as(Tlv.SEQUENCE).values()) {
      for (Tlv attribute : set.as(Tlv.SET).values(1, Integer.MAX_VALUE)) {
        attribute.as(Tlv.SEQUENCE).values(2, 2).get(0).oid();
      }
    }
    return name;
  }
}
