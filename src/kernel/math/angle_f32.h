/* kernel/math/angle_f32.h - functions of angles, and their inverses, of f32. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_KERNEL_MATH_ANGLE_F32_H
#define DTI_KERNEL_MATH_ANGLE_F32_H

#include <math.h>

#include "base/attributes.h"
#include "kernel/math/bits.h"

/*
 * sin, cos and tan are of two parts.  Those that end in `_near_f32` are right
 * up to 2^17, and for infinities and NaN; vectors are made of them.  Whoever
 * makes loops of them asks `is_far_f32` first; the others ask themselves.
 */

/* ---- Angles -------------------------------------------------------------- */

static DTI_INLINE int is_far_f32(float x)
{
    const float a = magnitude_f32(x);
    return (a > 0x1p17f) & (a < INFINITY);
}

/*
 * x = k pi/2 + r: gives r, and k's last bits by the way.  pi/2 is taken in two
 * parts, the first of so few bits that k times it is exact.
 */
static DTI_INLINE double reduce_angle(float x, uint32_t *quadrant)
{
    const float sum = x * 0x1.45f306p-1f + ROUNDING_F32;
    const double k = (double)(sum - ROUNDING_F32);
    *quadrant = dti_bits_of_f32(sum);
    return ((double)x - k * 0x1.921fb54p+0) - k * 0x1.10b4611a62633p-30;
}

/*
 * The same for what is far: x = m 2^e, and of the bits of 2/pi those are left
 * out whose product with it is a multiple of 4.  Of the next 96 the product
 * with m is taken, as an integer in which 2^64 stands for 4 quadrants.
 */
static DTI_INLINE double reduce_far_angle(float x, uint32_t *quadrant)
{
    static const uint32_t two_over_pi[] = {
        0x00000000, 0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1,
        0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561};
    const uint32_t bits = dti_bits_of_f32(x);
    const uint64_t m = (bits & 0x7fffff) | 0x800000;
    const uint32_t first = ((bits >> 23) & 0xff) - 150 + 32 + 30;
    const uint32_t *word = &two_over_pi[first / 32];
    uint64_t parts[3];
    for (int i = 0; i < 3; i++)
        parts[i] = ((((uint64_t)word[i] << 32 | word[i + 1]) << first % 32) &
                    0xffffffff00000000) >>
                   32;
    const uint64_t turn =
        (m * parts[0] << 32) + m * parts[1] + (m * parts[2] >> 32);
    const uint64_t k = (turn + (UINT64_C(1) << 61)) >> 62;
    const double r =
        (double)(int64_t)(turn - (k << 62)) * 0x1.921fb54442d18p-62;
    *quadrant = bits >> 31 ? 0 - (uint32_t)k : (uint32_t)k;
    return bits >> 31 ? -r : r;
}

/* sin of r + quadrant * pi/2. */
static DTI_INLINE float sin_turned_f32(float r, uint32_t quadrant)
{
    const float u = r * r;
    const float s = (-0x1.9950ap-13f * u + 0x1.11077cp-7f) * u - 0x1.555546p-3f;
    const float c =
        (0x1.99e0eep-16f * u - 0x1.6c0c1ap-10f) * u + 0x1.55554ap-5f;
    const float sine = s * (u * r) + r;
    const float cosine = c * (u * u) - 0.5f * u + 1.0f;
    const float size = choose_f32(quadrant & 1, cosine, sine);
    return dti_f32_of_bits(dti_bits_of_f32(size) ^ (quadrant & 2) << 30);
}

/* tan of angle + quadrant * pi/2.  What the tangent loses to rounding is given
 * to its inverse. */
static DTI_INLINE float tan_turned_f32(double angle, uint32_t quadrant)
{
    const float r = (float)angle, least = (float)(angle - (double)r);
    const float u = r * r, v = u * u;
    const float c0 = 0x1.110d22p-3f * u + 0x1.555562p-2f;
    const float c1 = 0x1.5bfa2ep-6f * u + 0x1.baee28p-5f;
    const float c2 = -0x1.63004p-15f * u + 0x1.669ca2p-7f;
    const float p = ((0x1.22e5dep-8f * v + c2) * v + c1) * v + c0;
    const float rest = p * (u * r) + least;
    const float tangent = r + rest, lost = rest - (tangent - r);
    const float inverse = -1.0f / tangent;
    const float turned = inverse + inverse * (inverse * lost);
    return choose_f32(quadrant & 1, turned, tangent);
}

static DTI_INLINE float sin_near_f32(float x)
{
    uint32_t quadrant;
    const double r = reduce_angle(x, &quadrant);
    return choose_f32(x == 0.0f, x, sin_turned_f32((float)r, quadrant));
}

static DTI_INLINE float cos_near_f32(float x)
{
    uint32_t quadrant;
    const double r = reduce_angle(x, &quadrant);
    return sin_turned_f32((float)r, quadrant + 1);
}

static DTI_INLINE float tan_near_f32(float x)
{
    uint32_t quadrant;
    const double r = reduce_angle(x, &quadrant);
    return choose_f32(x == 0.0f, x, tan_turned_f32(r, quadrant));
}

static DTI_INLINE float sin_f32(float x)
{
    uint32_t quadrant;
    if (!is_far_f32(x))
        return sin_near_f32(x);
    const double r = reduce_far_angle(x, &quadrant);
    return sin_turned_f32((float)r, quadrant);
}

static DTI_INLINE float cos_f32(float x)
{
    uint32_t quadrant;
    if (!is_far_f32(x))
        return cos_near_f32(x);
    const double r = reduce_far_angle(x, &quadrant);
    return sin_turned_f32((float)r, quadrant + 1);
}

static DTI_INLINE float tan_f32(float x)
{
    uint32_t quadrant;
    if (!is_far_f32(x))
        return tan_near_f32(x);
    const double r = reduce_far_angle(x, &quadrant);
    return tan_turned_f32(r, quadrant);
}

/* ---- Inverses ------------------------------------------------------------ */

/* (asin(s) / s - 1), of z = s^2 up to 1/4. */
static DTI_INLINE float asin_curve_f32(float z)
{
    const float u = z * z;
    const float c0 = 0x1.33016ap-4f * z + 0x1.5555cap-3f;
    const float c1 = 0x1.8bb56p-6f * z + 0x1.748a2ap-5f;
    return ((0x1.59cc5ep-5f * u + c1) * u + c0) * z;
}

/*
 * Beyond 1/2, asin(x) is pi/2 - 2 asin(s) for s = sqrt((1 - x) / 2); in f64,
 * as their difference may be smaller than both.
 */
static DTI_INLINE float asin_f32(float x)
{
    const float a = magnitude_f32(x);
    const float z = choose_f32(a > 0.5f, 0.5f - 0.5f * a, x * x);
    const float curve = asin_curve_f32(z);
    const double s = sqrt((double)z);
    const float large =
        (float)(0x1.921fb54442d18p+0 - 2 * (s + s * (double)curve));
    return choose_f32(a > 0.5f, copy_sign_f32(large, x), x * curve + x);
}

static DTI_INLINE float acos_f32(float x)
{
    const float a = magnitude_f32(x);
    const float z = choose_f32(a > 0.5f, 0.5f - 0.5f * a, x * x);
    const double s = choose_f64(a > 0.5f, sqrt((double)z), (double)x);
    const double angle = s + s * (double)asin_curve_f32(z);
    const double outer =
        choose_f64(x < 0.0f, 0x1.921fb54442d18p+1 - 2 * angle, 2 * angle);
    return (float)choose_f64(a > 0.5f, outer, 0x1.921fb54442d18p+0 - angle);
}

/* atan(t) - t, for |t| up to 1. */
static DTI_INLINE float atan_curve_f32(float t)
{
    const float u = t * t, v = u * u;
    const float c0 = 0x1.997aeap-3f * u - 0x1.5554e6p-2f;
    const float c1 = 0x1.b56bc4p-4f * u - 0x1.231bcap-3f;
    const float c2 = 0x1.64d822p-5f * u - 0x1.36862ap-4f;
    const float c3 = 0x1.8601ecp-9f * u - 0x1.0fbad2p-6f;
    return (((c3 * v + c2) * v + c1) * v + c0) * (u * t);
}

/* Above 1, atan(x) is pi/2 + atan(-1/x). */
static DTI_INLINE float atan_f32(float x)
{
    const float a = magnitude_f32(x);
    const int large = a > 1.0f;
    const float t = choose_f32(large, -1.0f, a) / choose_f32(large, a, 1.0f);
    const float base = choose_f32(large, 0x1.921fb6p+0f, 0.0f);
    const float less = choose_f32(large, -0x1.777a5cp-25f, 0.0f);
    return copy_sign_f32(base + (t + (atan_curve_f32(t) + less)), x);
}

/*
 * Of the smaller over the larger of both; that is the angle from the nearer
 * axis.  The quotient is as exact as two f32 can say it.
 */
static DTI_INLINE float atan2_f32(float y, float x)
{
    const float a = magnitude_f32(x), b = magnitude_f32(y);
    const int steep = b > a, left = (int)(dti_bits_of_f32(x) >> 31);
    const double small = (double)choose_f32(steep, a, b);
    const double large = (double)choose_f32(steep, b, a);
    /* Equal ones may be 0 or infinite, where there is no quotient. */
    const double same = choose_f64(a == 0.0f, 0, 1);
    const double ratio = choose_f64(a == b, same, small / large);
    const float most = (float)ratio, least = (float)(ratio - (double)most);
    const uint32_t turned = (uint32_t)(steep != left) << 31;
    const float t = dti_f32_of_bits(dti_bits_of_f32(most) ^ turned);
    const float rest = dti_f32_of_bits(dti_bits_of_f32(least) ^ turned);
    const float side = choose_f32(left, 0x1.921fb6p+1f, 0.0f);
    const float base = choose_f32(steep, 0x1.921fb6p+0f, side);
    const float lost = base * -0x1.de12cap-26f + rest;
    const float angle = base + (t + (atan_curve_f32(t) + lost));
    return choose_f32(x != x || y != y, NAN, copy_sign_f32(angle, y));
}

#endif
