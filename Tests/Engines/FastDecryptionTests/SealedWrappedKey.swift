/// A key wrapped for Corpus/keys/merchant-2048.pem by `openssl pkeyutl`, and the secrets of its encoding. Secrets are
/// masked like those of `SealedToken`.
enum SealedWrappedKey {
  static let wrapped =
    "38f7327128da2db1d847242d27f018b44212dfeaffbc3acf5bc14a70a57c5780016ce70a820444da31b20e5f7da32d82"
    + "41bee6890e51e8f2b05343dd2f6f531d93ccf3966fdb4f82f812a4409a597134af8ca29cec42d30144bc2ef5d4c04b33"
    + "79b2c8a80b2a7548cb32244aea2387c45dc724a235c1853abede244b3b572d45ec6965d93590f867ed56e3db4bbcf250"
    + "9f4effd6612bef8f32f54bb662df3fc58050ef0c137e19ee7a71d55e6316012c338d2f2277fd55fbd6d63b0e38249c18"
    + "574bba84b5d3706810f8b23938333ff2cee816e5e4de719b21830890021ac758f02fd4f99043ba2e19455a266897ffbf"
    + "018c1f07c940673ea59db04f7d0d7215"

  /// The AES key.
  static let key = "0be8bc1ff73fcd1ed63100b1991b550c"
  /// Bytes 1 to 32 of the OAEP encoding, and bytes 100 to 131. The key can be computed from the whole encoding.
  static let encodedSeed = "b709a2742e15a6dff1c4542fae9f58611b2489c76a9487278003ba1b8f6c396d"
  static let encodedBlock = "4952e408394dbb6e046fa6202ba812f79e6d7a7a8339fa9be64a1117639affe9"
  /// The OAEP seed, without the mask of MGF1.
  static let seed = "6690065b607e9a2e29d2c147bb98b15d1e9f4ef4eb25a27e176bed3bd69627cf"
}
