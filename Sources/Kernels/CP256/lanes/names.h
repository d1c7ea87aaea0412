/* The names of a kernel's functions in the binary begin with its prefix: Scripts/check-kernel, debuggers and profilers
   can tell the same function of two kernels apart. */

#ifndef ASSAY_P256_NAMES_H
#define ASSAY_P256_NAMES_H

#define ASSAY_P256_JOINED(prefix, name) assay_p256_##prefix##_##name
#define ASSAY_P256_EXPANDED(prefix, name) ASSAY_P256_JOINED(prefix, name)
#define NAMED(name) ASSAY_P256_EXPANDED(PREFIX, name)

#define load_lane NAMED(load_lane)
#define load_peers NAMED(load_peers)
#define add_twice NAMED(add_twice)
#define make_multiples NAMED(make_multiples)
#define add_factor NAMED(add_factor)
#define take_factor NAMED(take_factor)
#define divide_multiples NAMED(divide_multiples)
#define multiply NAMED(multiply)
#define double_in_place NAMED(double_in_place)
#define add_window NAMED(add_window)
#define keep NAMED(keep)
#define divide NAMED(divide)
#define finish_multiples NAMED(finish_multiples)
#define finish NAMED(finish)
#define agree_groups NAMED(agree_groups)
#define wipe NAMED(wipe)
#define inverses NAMED(inverses)
#define f_mul_sum NAMED(f_mul_sum)
#define f_mul NAMED(f_mul)
#define f_square_sum NAMED(f_square_sum)
#define f_square NAMED(f_square)
#define f_mul_sub NAMED(f_mul_sub)
#define f_mul_less_square NAMED(f_mul_less_square)
#define add_terms NAMED(add_terms)
#define start_sum NAMED(start_sum)
#define replace_lanes NAMED(replace_lanes)
#define comb_sum NAMED(comb_sum)
#define matches NAMED(matches)
#define are_points NAMED(are_points)
#define verify_group NAMED(verify_group)
#define add_exchanged NAMED(add_exchanged)
#define verify_alone NAMED(verify_alone)
#define kernel_agree NAMED(kernel_agree)
#define kernel_verify NAMED(kernel_verify)
#define kernel_verify_one NAMED(kernel_verify_one)

#endif
