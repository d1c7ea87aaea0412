import PaymentToken

/// RSA test keys, the same as in the files of Corpus/keys, so that minting reads no file.
///
/// They are public and therefore worthless. The primes are stored, because finding two large primes from a seed in
/// every run takes too long. The rest of a key is computed from them.
package enum FixedRSAKeys {
  /// A key and the name of its file in Corpus/keys.
  package struct Key: Sendable {
    /// The name of the file, without `.pem`.
    package let name: String
    /// The two primes, in hexadecimal digits.
    fileprivate let primes: [String]

    /// The private key.
    package var pair: RSAKeyPair {
      get throws(MintingError) { try RSAKeyPair(primes: primes.map { Hex.decode($0) ?? [] }) }
    }

    /// PKCS #8 as PEM, the contents of the file.
    package var pem: String {
      get throws(MintingError) { try PEM.pkcs8(pair) }
    }
  }

  /// All that have a file.
  package static let all = [leaf, foreignLeaf, merchant2048, merchant3072, merchant4096]

  /// Signs minted RSA_v1 tokens.
  package static let leaf = Key(
    name: "leaf-2048",
    primes: [
      """
      f0b87d4c02530536dc404766b251ead768b1eccdf8fa252cc8b1149fd21be6a7b08c478f8a79015ed05b83a3d4149dd4322f6216bc21\
      0d0206187e029e46c3815a1485a1d88eea502e74273f369142ebf7245b272308726fe1fb082ff84c8605faef8b3abe94d0ff4f88c6f4\
      d1290967b8e40b7c02b18c5ba515ac1253deb4fd
      """,
      """
      d7180fb211b873e6b96111a1c8232f31a7578a0b794a1f0dd81e885f769d9c303f7bdb6d530c255adc8f11eb6970049d60b615b642e9\
      2805b2e3b66264d39b6d8375fbb3e6ecabf7eb8d4fd20b19c0eaee182e3ae574ffab8078a7695bce2030eb2109b9ad4423d04567ce2f\
      65a192d027742c1a186762741aee05563a772631
      """,
    ])

  /// The same in the attacker's PKI.
  package static let foreignLeaf = Key(
    name: "foreign-leaf-2048",
    primes: [
      """
      fcdd240c601cb6d0489dc563cd5456a27f95933388eaec186b602f946d194b5eb36c72859ac5531e78707717d47914bb5c2b6641f121\
      693cb061cdba4b4217084799323571639753d132adefc469e4adf94e68294a181030340b6db77bb0dcae95248459ae54eef90dca14fe\
      f5a4645feda2a7c519dcb82bf62196b3c400934f
      """,
      """
      c5e3b4f48abd1a224f9d812a63876d883a648e1d6d2dee3cae72dde45d54cd1f96b266ed238bc984ffdcf86fb8ff8476f2dae0fbae37\
      b9e70c2cfca7ffc4ee9751d4e184b252901506a14fc69940b82ce55d2d24cd78efa7ab5c78d76ca550f80c1cd203d90e94d707d9962a\
      dac935fb4ebacbcaee3662975774835d0db4845f
      """,
    ])

  /// A merchant's key of 2,048 bits.
  package static let merchant2048 = Key(
    name: "merchant-2048",
    primes: [
      """
      d13b4e9af25ec8c0784e75b102e181d92911c75a2f5750f0d3729b22e0fa8278bde92c4027afb637a236199859b04631eb2673a3ff9f\
      b7284f84341455aec02da070d7b10cb236745afc9db5cbb88d20c4e3f3dfaa5ba45074b0af5d4dc0b9b5c0b368cbd2489a80e2453bdd\
      37c10adfb7f38a598a6c7641964c0afe0e6cf817
      """,
      """
      cfadee97054d516eb68ec1ffcc61b8a77ce5a0949b19e6045038fcb09c96c9de8f96e13c8d1b2175fae0b3d13b6b6d33b5fc0dee18a3\
      0d1267d00cb1f9a8b8c04bcaee24045534de1fe2d98203ca1ee3aa0808dcf27d26c82819ebe01a7599cabf2fb3d8167fea2e59f92d5f\
      efde6b5cd34d7e7ce13be0af26aaff40febe7ca1
      """,
    ])

  /// A merchant's key of 3,072 bits.
  package static let merchant3072 = Key(
    name: "merchant-3072",
    primes: [
      """
      d2ac472b3b5c5283d4e32cbf4abac7c7932be4113f953e4bae2f18ef57a2ebd1aded5f6d914ac46ef170f663bc853649e28106e58556\
      0707fa9195b18ebb0164853d0f96a394a8a34fbb8bbe87023076d419136a6dda54d0779a2110a97ad8117ef32eea3b818aea016708cd\
      36fa8602aa319a479f3a53e665a7f9cbfcc8287014a5b4b99e6acad3f0f97d40138e511e1e3c2b29505f3f27e47a838cfce219ba2e4a\
      9d964f54180e058ccceb5ad1c0a99ffb7edd9e04186fa222bc4e6111b95b
      """,
      """
      c601db535adea452aa2ac87ce4f4e7d24eaa0cc8b241979e880885e9a4895452deda87f3c34f0ef541b3a6131408408a50c2c15cb618\
      d41c803e9e6e4e23a5d523b53a5499d728ff236fc0501068e53eaedcc4f6e6c04bd163810b824d1789214b71b9d069a1bbfd6474e17b\
      b81f8a3289edf8821347d7a22e7d6a87f41be3197629a151736133d221979a9438475a4f637463687a253a179b5a4efe2038613abef5\
      088bb18a6567ef3477fb3d3fa183f404cc4f0a5a911d504a562ff80bd1b9
      """,
    ])

  /// A merchant's key of 4,096 bits.
  package static let merchant4096 = Key(
    name: "merchant-4096",
    primes: [
      """
      f61cc75f099cad180413d5392e0a033ebcd495fcd57b74807dea507809c5b7572da1db55412a5744bedef6b6ca969c069e0dc7bd6195\
      ffc602f9cf4555d6e6f5e46e131209339ab30d06a418a88c506327b946bb15349381ef1e066526fc5110002d5ad4475ea1e307b920a3\
      af25fd5e00e72e68745062320db8c63c92d35df8f86dd4f7bf11f92951342ca22e1e9452ea0ca4f809f141d1f26fb47016c05b4331cc\
      7376e6cda72804c071d120ebf4f186ae308b745a03fa6edcc156c4b7cd531875c0472aebb4001448ea93614a92d4036737362a03610a\
      275d19f7f15b12fca1356b1c6bef5b5646e1dd0fb2c6dc50e9aa9811c9fce9e24bb12d46de1ea13f
      """,
      """
      f1b1fc5c1461b5a09f84eed6d576944735d475680f217d5eca1365bdf15dbe0e9af5522448709bd3e9417c0655304ea35a9b7521a642\
      9e147fcaa8bf39d7a4a895fa56cfa445faedf9bf4362291764ca1f0920ec250d4e18711166af0de06bb1b61741ccb318b973868f4121\
      a8eac59ad6e8bd8032b66e8c9eb3c2aa553e61282cc7a67764ba272ec3f8f354ad655bba7b4a6d7cc0243217f989600a596e19f06764\
      f6e8b8b10e3fa2b852fe0e8e6c85ff18509d1ae6f80a2f7a45d04d797c223870c366840d19b06300f813a332b96aba20e17a891bc24c\
      3e80e27a0f910161408dc53da6a678d2156bf80d824603b36f4ea961e906dbd87888b8729bfb0c1d
      """,
    ])

  /// A merchant's key of 2,049 bits, whose modulus begins with 01 and a byte below 55: for unit tests, in no file.
  package static let merchant2049 = Key(
    name: "merchant-2049",
    primes: [
      """
      01102e5639010846714031847a43020df85c49424762a12851fbe5b0e2d37d4a74f6050f0b746c1c96f4b7861c41baca5460ac8f7b38\
      f218c21649b9f07c700471c461c70fa6147973b0bc1980cbb0d0e40d250623937d627ba4336b49bd11942fd1af2520d6fa2fcd567231\
      fb4e6861afac71e515383b462a7313d0d75a1b1c65
      """,
      """
      011dd443c1311511843672ec514e616f35df928c8702feae0928cc5b0223937722546e460cd181ef1ab4db62c2922bec81995b37c8c8\
      37c9e98ad696207128cb8470fc97bd12e7bb39a46ac03ef790bc704773d7c065b4f971a5a53f0d831fb83308fa648a1e784e22cb6fcd\
      6410058e6df785d53eafc0b22290120435e7246d5d
      """,
    ])
}
