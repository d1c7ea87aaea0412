package external.cms;

import external.asn1.AsnException;
import external.asn1.Oids;
import external.asn1.Tlv;
import java.util.List;

/** An AlgorithmIdentifier: an OID and at most one value, null if absent (rule 5.10). */
public record Algorithm(String oid, Tlv parameters) {
  public static Algorithm of(Tlv value) throws AsnException {
    return of(value.as(Tlv.SEQUENCE).values(1, 2));
  }

  /** Reads the contents of an AlgorithmIdentifier, which have another tag in an attribute (RFC 6211). */
  static Algorithm of(List<Tlv> contents) throws AsnException {
    return new Algorithm(contents.get(0).oid(), contents.size() == 2 ? contents.get(1) : null);
  }

  boolean hasNoParameters() {
    return parameters == null;
  }

  boolean hasNullOrNoParameters() {
    return parameters == null || parameters.is(Tlv.NULL);
  }

  boolean isSha256() {
    return oid.equals(Oids.SHA256) && hasNullOrNoParameters();
  }
}
