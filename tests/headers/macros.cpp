/* tests/headers/macros.cpp - every public macro, used in C++11. */
/* SPDX-License-Identifier: Apache-2.0 */
#include "macros.c"
