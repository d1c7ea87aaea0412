/* A kernel over lanes: one translation unit that includes, in this order, a backend (the operations on lanes), names.h,
   field.h, its products modulo p, and this file, which has everything that is made of them. The emulation of a kernel
   is another translation unit, with emulated.h as its backend and the same products.

   A backend defines
     LANES, LANES_BEGIN, LANES_END   how many lanes; what encloses functions that use them
     HOT                             the attributes of the routines that take most of the time; never inlined
     PADDING                         see field.h: 0, or a power of two
     BOUND                           checks a bound in builds with bound checks
     lanes, lane_mask                LANES words of 64 bits; a truth value for each of them, with the operators & | ~
     l_all                           the same word in all lanes
     l_add l_sub l_and l_or l_xor    lane by lane, modulo 2^64
     l_shl l_shr                     shifts by a constant
     l_carry                         a limb shifted right by 52 bits
     l_quotient l_remainder          the top limb shifted right by 48 bits, and the remainder; see f_reduced
     l_factor l_integer              converts a limb of 52 bits to the form that is multiplied, and back
     l_pinned                        the same value; may keep the compiler from moving its computation
     l_select                        where the mask is set the second, else the first
     l_is_zero l_is_negative         masks
     l_bits l_mask                   a mask as bits, lane 0 the lowest, and a mask of public bits
     l_exchange                      lane i of the result is lane i^distance; the distance is a power of two below LANES
     l_load_entries                  loads eight words from a separate address for each lane
     set_float_state                 sets the floating-point state that the lanes need, and returns the previous one
     restore_float_state             restores it
   Products of multiplicands, of which the first two are sums (see field.h) and the others multiplicands:
     f_mul_sum f_square_sum          a · b, a²
     f_mul f_square                  the same
     f_mul_sub                       a · b - c · d + 2p, for c · d / 2^260 < 2p
     f_mul_less_square               a · b - c² + p, for c² / 2^260 < p
   `r` may be one of the operands. */

#ifndef ASSAY_P256_KERNEL_H
#define ASSAY_P256_KERNEL_H

#include "CP256.h"
#include "agree.h"
#include "verify.h"

#define KERNEL_TABLE(kernel_name, supported, emulated, agreements, signatures)                                     \
  {                                                                                                                \
    .name = kernel_name, .is_supported = supported, .is_emulated = emulated, .lanes = LANES,                       \
    .minimum_agreements = agreements, .minimum_signatures = signatures, .agree = kernel_agree,                     \
    .verify = kernel_verify, .verify_one = kernel_verify_one                                                       \
  }

#endif
