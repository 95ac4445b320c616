/* random/math_tmpl.h - log, sin, cos, exp and the normal quantile of vectors.
 */
/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Included after lanes_portable.h, lanes_avx2.h or lanes_avx512.h.
 *
 * Every function is a fixed sequence of correctly rounded operations (sum,
 * product, quotient, root) and of operations on bits, without fused
 * multiply-add and without choices: any processor, one number at a time or
 * sixteen, gives the same bits.  The C library's functions promise no such
 * thing.  Errors are measured by tests/unit/random/math.c.
 */

/* ---- Choosing ----------------------------------------------------------- */

/* `a` where the mask is set, `b` elsewhere. */
static inline real32 choose32(word32 mask, real32 a, real32 b)
{
    return real32_of_bits((bits_of_real32(a) & mask) |
                          (bits_of_real32(b) & ~mask));
}

static inline real64 choose64(word64 mask, real64 a, real64 b)
{
    return real64_of_bits((bits_of_real64(a) & mask) |
                          (bits_of_real64(b) & ~mask));
}

/* ---- 32 bits ------------------------------------------------------------ */

/*
 * log(x) for normal x > 0: x = 2^e m with m from sqrt(1/2) to sqrt(2), and
 * log(m) = f - f^2/2 + f^3 P(f) for f = m - 1.  P is that of Cephes' logf.
 */
static inline real32 log32(real32 x)
{
    const word32 bits = bits_of_real32(x);
    /* Adding 1 - sqrt(1/2), as bits, carries into the exponent where the
     * fraction is past it. */
    const word32 e =
        (bits + (UINT32_C(0x3f800000) - UINT32_C(0x3f3504f3))) >> 23;
    const real32 scale = real32_of_signed(e) - 127.0f;
    const real32 f =
        real32_of_bits(bits - (e << 23) + UINT32_C(0x3f800000)) - 1.0f;
    const real32 z = f * f;
    real32 p = f * 7.0376836292e-2f - 1.1514610310e-1f;
    p = p * f + 1.1676998740e-1f;
    p = p * f - 1.2420140846e-1f;
    p = p * f + 1.4249322787e-1f;
    p = p * f - 1.6668057665e-1f;
    p = p * f + 2.0000714765e-1f;
    p = p * f - 2.4999993993e-1f;
    p = p * f + 3.3333331174e-1f;
    /* The logarithm of 2 in two parts, so that its error does not show. */
    const real32 y = p * f * z - scale * 2.12194440e-4f - z * 0.5f;
    return f + y + scale * 0.693359375f;
}

/*
 * sin and cos of (turns + 1/2) / 2^32 turns.  The nearest quarter is taken off
 * the integer, which is exact; the polynomials for the rest, up to 1/8 of a
 * turn, are those of Cephes' sinf and cosf.
 */
static inline void sin_cos32(word32 turns, real32 *sine, real32 *cosine)
{
    const word32 quarter = (turns + (UINT32_C(1) << 29)) >> 30;
    const word32 rest = turns - (quarter << 30);
    const real32 x =
        (real32_of_signed(rest) + 0.5f) * 0x1.921fb6p-30f; /* 2pi/2^32 */
    const real32 z = x * x;
    real32 s = z * -1.9515295891e-4f + 8.3321608736e-3f;
    s = s * z - 1.6666654611e-1f;
    s = s * z * x + x;
    real32 c = z * 2.443315711809948e-5f - 1.388731625493765e-3f;
    c = c * z + 4.166664568298827e-2f;
    c = c * z * z - z * 0.5f + 1.0f;
    /* A quarter further: sin is cos, cos is -sin; a half: both are negative. */
    const word32 swap = UINT32_C(0) - (quarter & 1);
    const word32 sine_sign = (quarter & 2) << 30;
    const word32 cosine_sign = ((quarter + 1) & 2) << 30;
    *sine = real32_of_bits(bits_of_real32(choose32(swap, c, s)) ^ sine_sign);
    *cosine =
        real32_of_bits(bits_of_real32(choose32(swap, s, c)) ^ cosine_sign);
}

/* ---- 64 bits ------------------------------------------------------------ */

/* A word below 2^52 as a number: it becomes the fraction of 2^52 + word. */
static inline real64 real64_of_small(word64 word)
{
    return real64_of_bits(word | UINT64_C(0x4330000000000000)) - 0x1p52;
}

/* log(x) for normal x > 0, as fdlibm's: with s = f / (2 + f), log(1 + f) is
 * 2 atanh(s), a polynomial in s^2. */
static inline real64 log64(real64 x)
{
    const word64 one = every_word64(UINT64_C(0x3ff0000000000000));
    const word64 bits = bits_of_real64(x);
    const word64 e = (bits + (one - UINT64_C(0x3fe6a09e667f3bcd))) >> 52;
    const real64 scale = real64_of_small(e) - 1023.0;
    const real64 f = real64_of_bits(bits - (e << 52) + one) - 1.0;
    const real64 s = f / (f + 2.0);
    const real64 z = s * s;
    const real64 half = f * f * 0.5;
    real64 p = z * 1.479819860511658591e-01 + 1.531383769920937332e-01;
    p = p * z + 1.818357216161805012e-01;
    p = p * z + 2.222219843214978396e-01;
    p = p * z + 2.857142874366239149e-01;
    p = p * z + 3.999999999940941908e-01;
    p = p * z + 6.666666666666735130e-01;
    const real64 low = s * (half + p * z) + scale * 1.90821492927058770002e-10;
    return scale * 6.93147180369123816490e-01 - (half - low - f);
}

/* sin and cos of (turns + 1/2) / 2^53 turns, of the upper 53 bits of a word, as
 * sin_cos32 with fdlibm's polynomials. */
static inline void sin_cos64(word64 word, real64 *sine, real64 *cosine)
{
    const word64 turns = word >> 11;
    const word64 quarter = (turns + (UINT64_C(1) << 50)) >> 51;
    const word64 rest = turns - (quarter << 51) + (UINT64_C(1) << 51);
    const real64 x = (real64_of_small(rest) - (0x1p51 - 0.5)) *
                     0x1.921fb54442d18p-51; /* 2pi/2^53 */
    const real64 z = x * x;
    real64 s = z * 1.58969099521155010221e-10 - 2.50507602534068634195e-08;
    s = s * z + 2.75573137070700676789e-06;
    s = s * z - 1.98412698298579493134e-04;
    s = s * z + 8.33333333332248946124e-03;
    s = s * z - 1.66666666666666324348e-01;
    s = s * z * x + x;
    real64 c = z * -1.13596475577881948265e-11 + 2.08757232129817482790e-09;
    c = c * z - 2.75573143513906633035e-07;
    c = c * z + 2.48015872894767294178e-05;
    c = c * z - 1.38888888888741095749e-03;
    c = c * z + 4.16666666666666019037e-02;
    c = c * z * z - z * 0.5 + 1.0;
    const word64 swap = UINT64_C(0) - (quarter & 1);
    const word64 sine_sign = (quarter & 2) << 62;
    const word64 cosine_sign = ((quarter + 1) & 2) << 62;
    *sine = real64_of_bits(bits_of_real64(choose64(swap, c, s)) ^ sine_sign);
    *cosine =
        real64_of_bits(bits_of_real64(choose64(swap, s, c)) ^ cosine_sign);
}

/* exp(x), infinity and 0 where that is too large or too small, as fdlibm's:
 * x = k log(2) + r, and exp(r) by a rational function. */
static inline real64 exp64(real64 x)
{
    const real64 bound = every_real64(800.0);
    const real64 kept = lesser64(greater64(x, -bound), bound);
    /* Adding 3 * 2^51 leaves a whole number in the low bits. */
    const real64 shifted = kept * 1.44269504088896338700e+00 + 0x1.8p52;
    const real64 k = shifted - 0x1.8p52;
    const real64 high = kept - k * 6.93147180369123816490e-01;
    const real64 low = k * 1.90821492927058770002e-10;
    const real64 r = high - low;
    const real64 t = r * r;
    real64 p = t * 4.13813679705723846039e-08 - 1.65339022054652515390e-06;
    p = p * t + 6.61375632143793436117e-05;
    p = p * t - 2.77777777770155933842e-03;
    p = p * t + 1.66666666666666019037e-01;
    const real64 c = r - p * t;
    const real64 y = 1.0 - (low - r * c / (2.0 - c) - high);
    /* 2^k in two factors, both of which are numbers for k of -1155 to 1155:
     * only the second product rounds. */
    const word64 biased =
        bits_of_real64(shifted) - UINT64_C(0x4338000000000000) + 4096;
    const word64 first = biased >> 1;
    const word64 second = biased - first;
    return y * real64_of_bits((first - 2048 + 1023) << 52) *
           real64_of_bits((second - 2048 + 1023) << 52);
}

/* A polynomial of degree 7, its first coefficient that of x^7. */
static inline real64 polynomial7(real64 x, const double *coefficients)
{
    real64 p = x * coefficients[0] + coefficients[1];
    for (int i = 2; i < 8; i++)
        p = p * x + coefficients[i];
    return p;
}

/*
 * The number below which a normal variable lies with probability p, 0 < p < 1:
 * Wichura, algorithm AS 241 (1988), PPND16.  Three quotients of polynomials,
 * for the middle and for near and far tails; all are computed.
 */
static inline real64 normal_quantile64(real64 p)
{
    static const double middle[2][8] = {
        {2.5090809287301226727e3, 3.3430575583588128105e4,
         6.7265770927008700853e4, 4.5921953931549871457e4,
         1.3731693765509461125e4, 1.9715909503065514427e3,
         1.3314166789178437745e2, 3.3871328727963666080e0},
        {5.2264952788528545610e3, 2.8729085735721942674e4,
         3.9307895800092710610e4, 2.1213794301586595867e4,
         5.3941960214247511077e3, 6.8718700749205790830e2,
         4.2313330701600911252e1, 1.0},
    };
    static const double near_tail[2][8] = {
        {7.74545014278341407640e-4, 2.27238449892691845833e-2,
         2.41780725177450611770e-1, 1.27045825245236838258e0,
         3.64784832476320460504e0, 5.76949722146069140550e0,
         4.63033784615654529590e0, 1.42343711074968357734e0},
        {1.05075007164441684324e-9, 5.47593808499534494600e-4,
         1.51986665636164571966e-2, 1.48103976427480074590e-1,
         6.89767334985100004550e-1, 1.67638483018380384940e0,
         2.05319162663775882187e0, 1.0},
    };
    static const double far_tail[2][8] = {
        {2.01033439929228813265e-7, 2.71155556874348757815e-5,
         1.24266094738807843860e-3, 2.65321895265761230930e-2,
         2.96560571828504891230e-1, 1.78482653991729133580e0,
         5.46378491116411436990e0, 6.65790464350110377720e0},
        {2.04426310338993978564e-15, 1.42151175831644588870e-7,
         1.84631831751005468180e-5, 7.86869131145613259100e-4,
         1.48753612908506148525e-2, 1.36929880922735805310e-1,
         5.99832206555887937690e-1, 1.0},
    };
    const real64 zero = every_real64(0);
    const real64 q = p - 0.5;
    const real64 t = 0.180625 - q * q;
    const real64 center =
        q * (polynomial7(t, middle[0]) / polynomial7(t, middle[1]));
    /* p from the nearer end; r is 0 at the middle. */
    const real64 r = root64(zero - log64(lesser64(p, 1.0 - p)));
    const real64 n = r - 1.6, f = r - 5.0;
    const real64 in_near =
        polynomial7(n, near_tail[0]) / polynomial7(n, near_tail[1]);
    const real64 in_far =
        polynomial7(f, far_tail[0]) / polynomial7(f, far_tail[1]);
    const real64 tail = choose64(less64(every_real64(5.0), r), in_far, in_near);
    const real64 signed_tail = choose64(less64(q, zero), zero - tail, tail);
    return choose64(less64(t, zero), signed_tail, center);
}
