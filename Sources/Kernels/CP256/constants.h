/* Made by Scripts/p256-constants; not to be edited. */
#ifndef ASSAY_P256_CONSTANTS_H
#define ASSAY_P256_CONSTANTS_H

#include <stdint.h>

/* p in limbs of 52 bits. */
static const uint64_t P_LIMBS[5] = {0xFFFFFFFFFFFFF, 0xFFFFFFFFFFF, 0x0, 0x1000000000, 0xFFFFFFFF0000};
/* 2^260 mod p: 1 in Montgomery form. */
static const uint64_t R_LIMBS[5] = {0x10, 0xF000000000000, 0xFFFFFFFFFFFFF, 0xFFEFFFFFFFFFF, 0xFFFFF};
/* 2^520 mod p: what takes a number to Montgomery form. */
static const uint64_t R2_LIMBS[5] = {0x300, 0xFFFFFFFF00000, 0xFFFFEFFFFFFFB, 0xFDFFFFFFFFFFF, 0x4FFFFFF};
/* 3 in Montgomery form. */
static const uint64_t THREE_LIMBS[5] = {0x30, 0xD000000000000, 0xFFFFFFFFFFFFF, 0xFFCFFFFFFFFFF, 0x2FFFFF};
/* The curve's b in Montgomery form. */
static const uint64_t B_LIMBS[5] = {0xDF6229C4BDDFD, 0xCA8843090D89C, 0x212ED6ACF005C, 0x83415A220ABF7, 0xC30061DD4874};
/* n, the order, in limbs of 52 bits. */
static const uint64_t N_LIMBS[5] = {0x9CAC2FC632551, 0xADA7179E84F3B, 0xFFFFFFFBCE6FA, 0xFFFFFFFFF, 0xFFFFFFFF0000};
/* p in words of 64 bits. */
static const uint64_t P_WORDS[4] = {0xFFFFFFFFFFFFFFFF, 0xFFFFFFFF, 0x0, 0xFFFFFFFF00000001};
/* n in words of 64 bits. */
static const uint64_t N_WORDS[4] = {0xF3B9CAC2FC632551, 0xBCE6FAADA7179E84, 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFF00000000};
/* (n - 1) / 2. */
static const uint64_t HALF_N_WORDS[4] = {0x79DCE5617E3192A8, 0xDE737D56D38BCF42, 0x7FFFFFFFFFFFFFFF, 0x7FFFFFFF80000000};
/* p - n. */
static const uint64_t P_LESS_N_WORDS[4] = {0xC46353D039CDAAE, 0x4319055358E8617B, 0x0, 0x0};
/* 2^512 mod n: what takes a number to Montgomery form with 2^256. */
static const uint64_t N_R2_WORDS[4] = {0x83244C95BE79EEA2, 0x4699799C49BD6FA6, 0x2845B2392B6BEC59, 0x66E12D94F3D95620};
/* 2^256 mod p. */
static const uint64_t ONE_WORDS[4] = {0x1, 0xFFFFFFFF00000000, 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFE};
/* 2^516 mod p: what takes x to 16x in Montgomery form with 2^256. */
static const uint64_t TO_SCALED_MONTGOMERY_WORDS[4] = {0x30, 0xFFFFFFBFFFFFFFF0, 0xFFFFFFFFFFFFFFEF, 0x4FFFFFFFDF};
/* 2^768 mod p: takes the inverse of a Montgomery form to Montgomery form. */
static const uint64_t INVERSE_WORDS[4] = {0xFFFFFFFD0000000A, 0xFFFFFFEDFFFFFFF7, 0x5FFFFFFFC, 0x1800000001};
/* 3 · 4^4 mod p in Montgomery form with 2^256. */
static const uint64_t SCALED_A_WORDS[4] = {0x300, 0xFFFFFD0000000000, 0xFFFFFFFFFFFFFFFF, 0x2FFFFFFFCFF};
/* b · 4^6 mod p in Montgomery form with 2^256. */
static const uint64_t SCALED_B_WORDS[4] = {0xCDF6229C4BDDFDC3, 0x5CC9C543090D89, 0x220ABF7212ED6ACF, 0x61DE0B74834097};
/* The generator's x. */
static const uint64_t GX_WORDS[4] = {0xF4A13945D898C296, 0x77037D812DEB33A0, 0xF8BCE6E563A440F2, 0x6B17D1F2E12C4247};
/* The generator's y. */
static const uint64_t GY_WORDS[4] = {0xCBB6406837BF51F5, 0x2BCE33576B315ECE, 0x8EE7EB4A7C0F9E16, 0x4FE342E2FE1A7F9B};
/* -1/n mod 2^64. */
#define N_NEGATED_INVERSE_64 0xCCD1C8AAEE00BC4FULL
/* p in limbs of 62 bits. */
#define P_LIMBS_62 {0x3FFFFFFFFFFFFFFF, 0x3FFFFFFFF, 0x0, 0x3FFFFFC000000040, 0xFF}
/* n in limbs of 62 bits. */
#define N_LIMBS_62 {0x33B9CAC2FC632551, 0x339BEAB69C5E7A13, 0x3FFFFFFFFFFFFFFB, 0x3FFFFFC00000003F, 0xFF}
/* 1/p mod 2^62. */
#define P_INVERSE_62 0x3FFFFFFFFFFFFFFFULL
/* 1/n mod 2^62. */
#define N_INVERSE_62 0x332E375511FF43B1ULL

#endif
