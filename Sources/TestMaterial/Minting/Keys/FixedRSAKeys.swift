/// RSA test keys that everybody has: the text of the files in Corpus/keys, so that minting reads no file.
///
/// Worthless by design. Two large primes take too long to be found from a seed in every run.
public enum FixedRSAKeys {
  /// A key and the name of its file in Corpus/keys.
  public struct Key: Sendable {
    /// The name of the file, without `.pem`.
    public let name: String
    /// PKCS #8 as PEM, as it stands in the file.
    public let pem: String
  }

  /// All of them.
  public static let all = [leaf, foreignLeaf, merchant2048, merchant3072, merchant4096]

  /// Signs minted RSA_v1 tokens.
  public static let leaf = Key(
    name: "leaf-2048",
    pem: """
      -----BEGIN PRIVATE KEY-----
      MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQDKQZFI1Vw2DfpJ
      +GxoRgWbR7WnCTsaDzfYWm2zNBS//vPAaXhDVrsRJ7AkCC72jWWFNRRTAGHkT3qk
      AuhLKEOK3g74hffHFlwTAIAjUX6Pq0vzt6XXR3+gEaGPmOaIdxxS2oQMbSNaSfrA
      mZwhYDu3LhXB4SVQdnc2/y+xLcO8JBuj16hzxliXyVQYnOGgQIU9oEyDgaqkYdTt
      Efq3zbPPRQ5T2m0hiXaKN5BIMu8ANzoVdRelP+jiDVxj0TlDGZwUttEClFEyzijv
      VAYdM4O15jX0S4t5COeYer8z3dT/Z7UcPEpIRwUyDXdi6yNsqNY+Qi3IZAK7+G/F
      13qQGTJtAgMBAAECggEAGzMdJDPZTkWr8rWvcoh0KZFHuxpxMcx5IKXsmcx3u+hA
      BJDKhRfNWX3CYN4e3rZeQD9Gp/DluUv8/MCNV8om5y58yexOSZ5WrJGFKfrEL/MD
      6Fc6vMxXPAIS/Zo86n5GN1g+qOMmfXZ0e+FMj2p/LV/LukKaf4sm9iT0V3oFmC/v
      oPsqFWyusCLyt3PwOevXiFQAEPo4NNcg2ZNJWwNWoHR1PC4XqZrXtlUrZKNQdiLm
      HHyORPL06HgvZUFCuVB9ie1yG5aV0ZJvwIpV/Y4KUEWzxS55GHeLp/pkHU7HWkZH
      mdQbpmTA3FVEH7lQSmyzAYM8wj9u/dGqbUwsYMNR4QKBgQDwuH1MAlMFNtxAR2ay
      UerXaLHszfj6JSzIsRSf0hvmp7CMR4+KeQFe0FuDo9QUndQyL2IWvCENAgYYfgKe
      RsOBWhSFodiO6lAudCc/NpFC6/ckWycjCHJv4fsIL/hMhgX674s6vpTQ/0+IxvTR
      KQlnuOQLfAKxjFulFawSU960/QKBgQDXGA+yEbhz5rlhEaHIIy8xp1eKC3lKHw3Y
      Hohfdp2cMD97221TDCVa3I8R62lwBJ1gthW2QukoBbLjtmJk05ttg3X7s+bsq/fr
      jU/SCxnA6u4YLjrldP+rgHinaVvOIDDrIQm5rUQj0EVnzi9loZLQJ3QsGhhnYnQa
      7gVWOncmMQKBgQDdE8LXNOdESa8cRbcWnE8/CEMoRb6dFdk8dA2J/nBrdKSbIPm+
      ZgWRK3BwxNx5Fr6UXJoMYTlFdg9dHRWQgVL6kF16oTp/fsim8Tw+PQJJ4Oa4eBLI
      hPB8uqFPUqcKuKfzX16SVAferixAZODg23xsywx9U6Yxo8NjKTVAG9DUjQKBgCFo
      YE+1BuQhittzxJ/0LwlUR3lubMlBZ4IQw/en0bUHnWScYS+L7GVfam1LFhZK8TKr
      NVYYsGQB9pX9puyoHTT2PSX5/Dz4PMp+KU6jYL2g/5gL3iPzdx5pFtRRveuW/mIW
      wI7xRWsWlyEXWi872DSyXA3Zg77TANuJ6pRJAmaRAoGAV5Jdxr1q5/ZdpP4e6znS
      bK9p5vzGmsXa8F4eZyCyLzQcMlNMVM5zGvttJyPkQEtVohLad0jbDbWub36ZaBXi
      EcVNFKb8ij08GG2//+ozjpzVSRq6MFffuIxYY/ym9aZP9/gIA9BcA73sowiAi7OA
      L9Htrt9VgiAPGDoB9OaVcSc=
      -----END PRIVATE KEY-----

      """)

  /// The same in the attacker's PKI.
  public static let foreignLeaf = Key(
    name: "foreign-leaf-2048",
    pem: """
      -----BEGIN PRIVATE KEY-----
      MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQDDdxeRhhhgBtEY
      ytsh+J4bNh5GRHlM0P3egeEvVEV2bmZ0Rt1B3jOjdqAwkrR7/Tn9y5ualOp8E2sU
      cix9wM1lm52f0hp1Sj3UvBNAZk64YiVoO9rt1IitfjIuo0ddvCroqjFaaPdaeWYF
      SpEK428jf5S7fHRN/klv3b5uUQQNfGrQw5AttH/TwNzJD1aJNELY7z5i1icplJIW
      cClCHWQASeYcWZEHp0y8Ba1uwTBP8DdN3KLo25DhBK/8tVvcZ3AmPJi1Ob9QhpjB
      6icXYtkvhjglW3/dsEdOzeYCaGtLhkMV3voi6HLtYFn08L6JCNPtERfadw+oBNfo
      Zluet2ZRAgMBAAECggEAKq4IYWgsTltusMEqlAJbU4m/loxBCDriFAG8D7+Q40k7
      6cvHaCiCkgDG/ZQrAJ/MV9Rrh5dYk/sReIdtm4/LyZHvGwSfbljlo1vlwDwWmEAl
      9tqK9T9hELDreC+C177Mh70RxbIBwKmdUy5y+TOsAs5KxZ1pL9aEZn6+pAvgnKjZ
      pZAL9AcYBGYAziQw++vr+GaBEHQh67/qHJyh96A5FoupELyh6eXhC75hFei/BpH0
      9Bx031YxbBEh3oEwvcb76KL3enPXUDkE9W6ZNpQ56ColkRa8XXJxApv86VVgRwOb
      rHKf731ZUMYNg5KCT08R31N6Xh5Z2uYis9Ggy57jWQKBgQD83SQMYBy20EidxWPN
      VFaif5WTM4jq7BhrYC+UbRlLXrNscoWaxVMeeHB3F9R5FLtcK2ZB8SFpPLBhzbpL
      QhcIR5kyNXFjl1PRMq3vxGnkrflOaClKGBAwNAttt3uw3K6VJIRZrlTu+Q3KFP71
      pGRf7aKnxRncuCv2IZazxACTTwKBgQDF47T0ir0aIk+dgSpjh22IOmSOHW0t7jyu
      ct3kXVTNH5ayZu0ji8mE/9z4b7j/hHby2uD7rje55wws/Kf/xO6XUdThhLJSkBUG
      oU/GmUC4LOVdLSTNeO+nq1x412ylUPgMHNID2Q6U1wfZlirayTX7TrrLyu42YpdX
      dINdDbSEXwKBgFMfv0HyNn5CahyzTuOo3fH9TwZc4p2Xj099Bycb1jzYnNMBsrn2
      NCTIIvCDfO1wy0a5XZw/0GPv92uvXZZv23J1Vv8SYnwCuyMCLfur7cOnDVWhGDGr
      R2cRNNCUiKzTXvDYWEnC7VjBtq6/yDCoIfcG/3l3adENGiaHVCs0O5wxAoGALyfY
      2iEpeM3OTQkXkcoW1sybY6YtezF3Mlba+20mJQ8u+Oo//iV0awYRoP32hqUJN0vj
      KvZT/y/InfvDCNbjyBlO8kKNv9DnwcG04e1pF7pTGcYFLBVyfnD+QymKkUZfJXvE
      q/gQWnV3QGlhYutpuq4DI0cDRuBtkgCIwSbf6l8CgYBlEhW48q3VoqPmBC3HmFo1
      2mEcG3EYrF5lC+5oIFUrxtKoBytys7Kd74EoWy+9nZOMea3gAd0mfnEr4AF9SaKQ
      aRpLiHoT/87oZGbcz6RvHpfyJJHls6at+Z1mdqWR/DcKmxGgPkqHFqMllqqG2JNk
      KsIYx63Xqywv/EsM1s842Q==
      -----END PRIVATE KEY-----

      """)

  /// A merchant's key of 2,048 bits.
  public static let merchant2048 = Key(
    name: "merchant-2048",
    pem: """
      -----BEGIN PRIVATE KEY-----
      MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCpvRyj+hUzCEvK
      fJhhxTiI6hx19/ZeURvPQjEelQskq9pA33Of5/wohFmWRETZy5VadGIY9QofyMM6
      aN4+NwJBSIKDObmzENkuStMGEukwkfCBEKdJR+vJoRoPJB8SUJfJbxk0UpW5GrpE
      46lIypS8lA/6+BZexZfPyqTUosx/NTrYXZ4jNXiBOg5SM+U05kTKBY0I3lcPGPnk
      lHpSR0S8BNHsSBPvlZilfZlkeVhSltVz3OWy1jxzPsEPPU3fXT1vpL/M8YrucaV1
      Enwa9IoFgSn7Brjb63H90aefM5IK+H0fVJflNHcTOk6riQ4cKOFjYx8GXflsL+Wn
      uorNxSp3AgMBAAECggEACyqNBx8yjyg35DA3eLxtWwRxBDRgbr/4i7VCX01Vbaoo
      h3qrs+n3pVVfl1+9BR7mymE8UCv+kyy1Oyh0Rl9+tHtn/+inlhIWV3ybTpumijLE
      7ENY3fHvSapheSbagcKaLv7cskZ54bLSbNRqlIakgOtfScFRp2u+8EUtJsKMSr9C
      8dTjiNGr9MsWWzTNwsJBUFCQkZtG1Ds3TTRsZ93jY1dz+VYjrNpu6x89bVnfwGaP
      lzKM2MRkH5k5HTP9dpnHE/wEmxFCquOSp5jj8JqjDNWoYmF5tPLx2PeKZvyRIgwG
      Cr9w5jrWYqGaFuJrXT9bUiSb6mI51036XUqbu9CLgQKBgQDRO06a8l7IwHhOdbEC
      4YHZKRHHWi9XUPDTcpsi4PqCeL3pLEAnr7Y3ojYZmFmwRjHrJnOj/5+3KE+ENBRV
      rsAtoHDXsQyyNnRa/J21y7iNIMTj89+qW6RQdLCvXU3AubXAs2jL0kiagOJFO903
      wQrft/OKWYpsdkGWTAr+Dmz4FwKBgQDPre6XBU1RbraOwf/MYbinfOWglJsZ5gRQ
      OPywnJbJ3o+W4TyNGyF1+uCz0TtrbTO1/A3uGKMNEmfQDLH5qLjAS8ruJARVNN4f
      4tmCA8oe46oICNzyfSbIKBnr4Bp1mcq/L7PYFn/qLln5LV/v3mtc001+fOE74K8m
      qv9A/r58oQKBgGxgBdUoWYQufaJWP7u4RuPO7BCQXBkkKbm8kTK9ycQu+l9+tjRY
      RVAHy3HygfJWSaD9p8R4safTT2yw9R90hsKbaheu816T6iz+0EnMHemr4ZAZT+8T
      zMaHysTq1U1QZB5OT6fTYhv1Sj6GRY2Nhi5fP9yXiKWpk0tgVAlIO5U9AoGBAMtg
      Rj0IiS4M4KQuoUTSEdWbPvghbz5OfbzeAb8mqZfo5u7XhcedYQg7dZ9CcBEEsNYv
      jqiy4cHkW1tng0a9Dqfp0UGibcfPbRMGwQBMm7viMVmK7GxfWQI8Gx5dqSuvPtg5
      a8JaTkvTtnKJF+E8DCGsH8CVpLBRmNSiMjPBBGPhAoGAM4uI5qvPojs9ogTNc3iw
      Ou8oT1GRUmfMezFVuuXyPsLI8WVKGmrQkxv0DO9hFM7l24qrpbv0n8h7v/Nq5Wvv
      9ogCP2CQ2WEbkWh+MeQfFcWWPYmbcAaQ9zD+2aRwLycHpt5dh/x6a6t2PrKmSdam
      8NKWGty5lHW9wcDknDkzmtQ=
      -----END PRIVATE KEY-----

      """)

  /// A merchant's key of 3,072 bits.
  public static let merchant3072 = Key(
    name: "merchant-3072",
    pem: """
      -----BEGIN PRIVATE KEY-----
      MIIG/QIBADANBgkqhkiG9w0BAQEFAASCBucwggbjAgEAAoIBgQCi8sY1sJl7n9Hd
      GtFPDosowTG+zzIRhC0btxaRrMG4Dwo76Q/UkdrDs3JNypkJWh0IhXngWZqRMqb7
      hecuw/RmvSzY+XIgyr1+MvT+KodX7/wY3n0i66qhWrCFBTkvQeG3GPAZDtNqyF//
      FLZT+LoOBUez6MCl4c9t+KOrqHf0H1O70AhfgDQadp1OenASIvHjSjbjRhQaljak
      PXudy6A3e6I7JnErZzn9hurpUAYKidf//9bamejMCsb80L3lckQ+fRmEvBST+ves
      qRb96UH8cGieyLnhkZRIdlKq0dAHw3klJQm3IUC5L2yeSAy63Qz3p3QEk3yHdhZl
      x9Wulb4S0Goz3xqReH9yOJL1TYteUUVcZp3qK2ey3we4D6g5pTRQOqGj6fqSK9rP
      M8qzLBl/gM8wg6vWE/3+3BNt/WLM4Fxa4POvZE+6ufuh9AYoJqpGzrVMlOEaP43f
      +LRLYiXjSB7MxZ4OvmUXfhKw6dBVlm1aVkTYY3RPVxEC670LPcMCAwEAAQKCAYAB
      DVAVE1E2guVbCHAdfUtv/WhoY1B2WmW1U0l3bHUBxM3/fjPDpMRbLzx/YIdVy8Bh
      rPFR6eOiw40nfC4eZlluJJuf+d45TIhHSxKni+R4njoOILx0BXAebRiMMl690zOx
      RtDhszwYinNL2LDwKZnrnqRkj6oUtqFZztre4FrD+sxXpzFnyeP0Hu1dIUw0v5Zy
      /Z50aO5Nw4jHJwz7+unVdCcZaewg+oJxf24vfNE8BkYtQ6Pst9QWiVr9fL1pesQC
      izdISv0v0GXi/E8eMOGZQvFudYH6iDptTzH/u8B5tkO2U9KPOgBHfFuiXiyw3OpW
      /7O8GxAddS0VeD5er0ZNxIMlh21PDAFvckOK/ci8hYC0tpnC8nMcRtYzyZx3QbHF
      k15hR8jNrz1PU2mS2N6tVDiFBSkFkLfCimY9MwCHxL41wbb6NspUduq0St6F6sYr
      TtEkbZ6Jb7347F0W7sVZW0lQet2WKK3JNT6EhGjc8ufbIgy/xwfUu/1UL45uFwkC
      gcEA0qxHKztcUoPU4yy/SrrHx5Mr5BE/lT5Lri8Y71ei69Gt7V9tkUrEbvFw9mO8
      hTZJ4oEG5YVWBwf6kZWxjrsBZIU9D5ajlKijT7uLvocCMHbUGRNqbdpU0HeaIRCp
      etgRfvMu6juBiuoBZwjNNvqGAqoxmkefOlPmZaf5y/zIKHAUpbS5nmrK0/D5fUAT
      jlEeHjwrKVBfPyfkeoOM/OIZui5KnZZPVBgOBYzM61rRwKmf+37dngQYb6IivE5h
      EblbAoHBAMYB21Na3qRSqirIfOT059JOqgzIskGXnogIhemkiVRS3tqH88NPDvVB
      s6YTFAhAilDCwVy2GNQcgD6ebk4jpdUjtTpUmdco/yNvwFAQaOU+rtzE9ubAS9Fj
      gQuCTReJIUtxudBpobv9ZHThe7gfijKJ7fiCE0fXoi59aof0G+MZdimhUXNhM9Ih
      l5qUOEdaT2N0Y2h6JToXm1pO/iA4YTq+9QiLsYplZ+80d/s9P6GD9ATMTwpakR1Q
      SlYv+AvRuQKBwFoOWPHrEyEWx7dA1pjsVSBEEjwQ/3wdwB46dc9CSBvEazQQWfcE
      3gmK3j4FDn5nYZgYjckpgUfKKlt3gQpBeGvu5NY4D78pg34+7pLIhbAP68S4XwOM
      lDr1FYbS54/isz/wVnq8azjlpSnVQlwhJY4YENIhkbhOSyvjbU28xhc7KihXpA1L
      G18UIKJg9Lseg+Bq2gx0FfMaa3nPqEIlqNfEmBLbQRfynHPU53goP4e7Ou84ISY+
      G/AEgBK88pOwBwKBwQCf+mQQBr0Xmspt4qo1+kFKw8/UoFqVcEDfu7MmQI/MF2CC
      w5EJXdjCAyF4rrVirXKTKac8lsucpKJg9XQ9ocOcX0tPI4dgNXleUi3ZAkkd3vU8
      3c52RSt8s55RhCdxOpQx9mKgppfL4UDGxl9FNgZcKuCgBcg6JVidoyrtSSc25x13
      KSU7yW8q+YUZmWOXErpNqn2ergFh3CziXCwqMCMuaZZkHymEncXJmGTQEn5Uqt3+
      +mtp/B5+xp4o4HzSX9ECgcB5U2f5opQ9AZI/VH3hUi5P1UgS4QX673VHCXARPuZB
      MCWVqyRqtqr+qL/gdC2Ro8u3513gYe4z6asXkZS46WaledupW35Dx63hrQoWomMS
      qCXNI1avF5p4UOyyfFxTc0MkZ+vhVsKAL0j/Oy6s2u9xi095QEcKRw8DBIdGeKJp
      gLDbki4DSkG4FVK2Ae8WGEtz9QGKfYlNF9CbABkin9kIMKI/bIP57YflRoBeh+qO
      i+sM+pcvtv6o2RD53844U/o=
      -----END PRIVATE KEY-----

      """)

  /// A merchant's key of 4,096 bits.
  public static let merchant4096 = Key(
    name: "merchant-4096",
    pem: """
      -----BEGIN PRIVATE KEY-----
      MIIJRAIBADANBgkqhkiG9w0BAQEFAASCCS4wggkqAgEAAoICAQDoXDQzKvOG/LQ0
      sXObOKhJd/U2mh7TfeHUwmKqL9IXxhBGDAKchJgUEuHIWGpdxHfTl7Atj1Qd2RHf
      GiCRUFXT/Y0OjGqqN0M3P+Hnh1uGapSCxNHcuzjDwfCzsTCD5w9m2S/TmIhqIEe6
      d7Zm3j1qpZMHqHPqdlJBo54pJP4sRYhNAp48pGcNpwTg97+Sw377vN5iVY5578NT
      oDthOIaqqone2shSK+yIQjwB3wd9Rd38Fr/V8xBjDWa5HJ5EthwmCoSe1ExNbIZ4
      8MPk7T+ASswcQc+DCWk0FXXwfMltakSIbmLIUVjhIEiW/S24WULH+JnqT3UWDNmv
      WEBvPMMP62KYEW/2an4rLAov/USYZRQMuEatQhL97+fOSiY4k7PTo6yMdG2+KmGX
      XJFG5k8n2a0D6N8bZXGuNodSplF/7KhJOyu0TQmaMb2x2EA8qMiqLhXz5+ik4woA
      436AsWBTA3YRxZS6PV1V5q/V4curNUnoNXqrUiekyte0oRzXDseJejMLSKVypQIF
      JqTlr8rceaRDZc0fa4Z7SD2RdP6RmiL1Mu8OYJEmap9mKAG2Hq1ZLZFoxbMDIQBv
      x0ZWrLX3zSGaiWc+G9mBwZdD9BjyDNzHWE3W/EdxDSl+ewNIM4LidUBwLIjx9v36
      LfaGMdliN+vlwCDJ/ohNKt0n1sw4IwIDAQABAoICADQHNU8Bvo7KtcUYuNSYTqJI
      wHjt8JoVlUQRFIub8pSNLmao2MrYK79O7Qxxs7t0Owp/bBz/e2vFh6lnjcRL8zPp
      EbUgvt+HST8tSDWSCu3hnohbbsxYhaDbo7xwn/bg/YNffUSJYn405Sq9FHQbLjBb
      i70KvI3S2Z9F9iurU1hxZ1ArFmhovYSCkeaXwucnbB8NDtSA6Mqn45othi5CPHEp
      h36FiZZQrIFkJ1CZ8nDb/JUuON08tD4hqY8od83V4x6ne0OfMMijVMbuzkZL00y0
      Mtje6YqjSFG3vnVPU8Dyqw7LfMXy5Q5frrFUVnDxV7E0Gq6rBQIfdXy8K41c0yYn
      qenBPFBn2RR+5xRQ1lEFpVHOy62kP/K/0Xx7w5vScdIqhaekOffra5ZTTERIVLWU
      9UYTj4Yt78z0GLY4/lrqyH4PDt7RaSXxN5Ox8QpBfdk4qsoTlgQjGJdExw9cuRVX
      bgwXWo1AVBlNephcZqQKqNeEXbQldHtJc2DSrG9D4vOPqXdGjvzNKblDYaP4ZuG4
      X4JmbPJF5eH27THwy3KYiR90IJ3I5+3if5tgKo7i0pMYAD0Ik+bAtbxqBHZOlqDv
      FUIMh8nI8wqbfC8pvbXWHgwI//QgV626KP+gac1b0erCdDSmsdfKRUw0htCTEV0y
      By2/yVK5tFgF8Lle+0F1AoIBAQD2HMdfCZytGAQT1TkuCgM+vNSV/NV7dIB96lB4
      CcW3Vy2h21VBKldEvt72tsqWnAaeDce9YZX/xgL5z0VV1ub15G4TEgkzmrMNBqQY
      qIxQYye5RrsVNJOB7x4GZSb8URAALVrUR16h4we5IKOvJf1eAOcuaHRQYjINuMY8
      ktNd+Pht1Pe/EfkpUTQsoi4elFLqDKT4CfFB0fJvtHAWwFtDMcxzdubNpygEwHHR
      IOv08YauMIt0WgP6btzBVsS3zVMYdcBHKuu0ABRI6pNhSpLUA2c3NioDYQonXRn3
      8VsS/KE1axxr71tWRuHdD7LG3FDpqpgRyfzp4kuxLUbeHqE/AoIBAQDxsfxcFGG1
      oJ+E7tbVdpRHNdR1aA8hfV7KE2W98V2+Dpr1UiRIcJvT6UF8BlUwTqNam3UhpkKe
      FH/KqL8516SolfpWz6RF+u35v0NiKRdkyh8JIOwlDU4YcRFmrw3ga7G2F0HMsxi5
      c4aPQSGo6sWa1ui9gDK2boyes8KqVT5hKCzHpndkuicuw/jzVK1lW7p7Sm18wCQy
      F/mJYApZbhnwZ2T26LixDj+iuFL+Do5shf8YUJ0a5vgKL3pF0E15fCI4cMNmhA0Z
      sGMA+BOjMrlquiDheokbwkw+gOJ6D5EBYUCNxT2mpnjSFWv4DYJGA7NvTqlh6Qbb
      2HiIuHKb+wwdAoIBAQD0DfPTFbgNmhwpAq+SLRGsvBpfpfqZUx08QAiOELrFJak1
      sUfouDEUFecKZpedJJoXT/j7nvLdUaGP0e+iwNoFiwFw3djMGKNnzmcZoMKL0NgK
      jc5lp96C4fk3REWVvlkMo+1HRoLcLENzXJ+UxypqdqDJz4FQWR/jpZDHbp41uPe6
      Co+nJQ6c307K2AS+BD34pJNO+KUKrUQpa5gfp56YkqB4+7bCxvkTRTdYt7nlC0GQ
      KMmRltYNGLTG8OFglzbIsbP7nt9ffxieeieuOgJCRiGriYW+FhO4l0VyLyAuQuEm
      FNJ5YkGD3ASMb83MD5wZKzdjpJat499Fkm2NRHiHAoIBAQC9h5Udn93/T7XHyIMv
      YY1lShERAEjdOjLaw9tE18FrCIj7Vy6cn7GSu5deapjjCMeQhdeUS4xx6iFMCofq
      E/BLQ1DMQofPWLbE4fc1QoPVxaoQvoBvjb9v6zp6C0wWcF0rLZGrs8Xvp2gdbjW3
      AGN0yJI6CA28gXRD/zLn33DLP3XeGewGUPPo+ESAjCZtFUFm7TZuXT4FCkfkMivr
      dStiGbJS7KvoLAQ61dA+6atF7s3bg1uvfO+FDTYVCQO4AF/VYpfYDDU5r9fzKpY7
      o8tCpjKinjRmUDb5zJfMn+hV7K1yfvmZdXHJTIMeQXmm7cAHyOeKn/GA9H+QtxMo
      vfUBAoIBAQCVn4SzP22Sr+S5gq6LwvVqoR28MfS4SPKN1pIlcmLt4yiFFvFHI2Ba
      lFnGf/1in4xcSpSXbA1kTyZdZyxeaQV9gPERuH65V9O0SPLMeuP77SYgJqGuKrjm
      8WN46xzxZE6u84eslZwCXAcztCEM4TEUXVKr+hZfPDR6Xt9FfjFcfgFdeBB2X/mt
      ylHSzhzqnZSbS15EHzl6tqmYGMvtyVi/VQXCLa9tdRhAFv0Lo8B2ylQrlEajSXUy
      HRh+VkUXjLsBl9f3FGfnU8ECVP/pEIzrXQMY6WQ7URDh7gZUd+Ohy5Daep6JO+ok
      nY/Izp3ChI72e+4O42gMLYbRyiTukDrJ
      -----END PRIVATE KEY-----

      """)
}
