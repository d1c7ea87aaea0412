#!/bin/bash -eu
# The same programs as on OSS-Fuzz.
exec bash "$SRC/assay/Fuzz/oss-fuzz/build.sh"
