/* base/text/nearest.h - which name was meant. */
/* SPDX-License-Identifier: Apache-2.0 */
#ifndef DTI_BASE_TEXT_NEAREST_H
#define DTI_BASE_TEXT_NEAREST_H

/*
 * Give whichever of `best`, which may be NULL, and `candidate` is nearer to
 * what was written; a candidate that is nothing like it is never taken.
 */
const char *dti_nearer(const char *written, const char *best,
                       const char *candidate);

#endif
