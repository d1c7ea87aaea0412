#ifndef ASSAY_CBUILD_H
#define ASSAY_CBUILD_H

/* The commit of this build, as `make release` gives it to Package.swift in ASSAY_BUILD_COMMIT; empty in any other. */
const char *assay_build_commit(void);

#endif
