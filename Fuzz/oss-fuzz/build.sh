#!/bin/bash -eu
# Builds every libFuzzer program of Fuzz/ into $OUT, with its dictionary, options and seeds. The contract is that of
# OSS-Fuzz and ClusterFuzzLite: $SRC, $OUT, $WORK, $SANITIZER, $LIB_FUZZING_ENGINE. Nothing in $OUT needs a library that
# the machine that runs it might lack: libcrypto, libsodium and Swift's runtime are linked statically.
#
# $LIB_FUZZING_ENGINE must be libFuzzer, which Swift links itself. Another engine is refused.

: "${SRC:?}" "${OUT:?}" "${SANITIZER:=address}" "${LIB_FUZZING_ENGINE:=-fsanitize=fuzzer}"
WORK=${WORK:-$OUT/../work}
mkdir -p "$OUT" "$WORK/static" "$WORK/pkgconfig"
cd "$SRC/assay"

case $LIB_FUZZING_ENGINE in
-fsanitize=fuzzer | */libFuzzingEngine.a | */libclang_rt.fuzzer*.a) ;;
*)
  echo "build.sh: this engine is not libFuzzer: $LIB_FUZZING_ENGINE" >&2
  exit 1
  ;;
esac

case $SANITIZER in
address) flags=(--sanitize=fuzzer -Xswiftc -sanitize=fuzzer,address -Xcc -fsanitize=address,fuzzer-no-link) ;;
coverage) flags=(--sanitize=fuzzer -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping) ;;
none) flags=(--sanitize=fuzzer) ;;
*)
  echo "build.sh: Swift has no sanitizer $SANITIZER" >&2
  exit 1
  ;;
esac

# A folder with only the static libraries comes first on the linker's path, so that it finds no shared ones.
for library in crypto sodium; do
  archive=$(find /usr/lib /usr/local/lib -name "lib$library.a" -print -quit)
  [ -n "$archive" ] || { echo "build.sh: there is no static lib$library" >&2; exit 1; }
  ln -sf "$archive" "$WORK/static/lib$library.a"
done
for package in libcrypto libsodium; do
  printf 'Name: %s\nDescription: static\nVersion: 1\nLibs: -L%s -l%s\nCflags:\n' "$package" "$WORK/static" "${package#lib}" \
    >"$WORK/pkgconfig/$package.pc"
done
export PKG_CONFIG_PATH="$WORK/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"

swift build -c release --package-path Fuzz --scratch-path "$WORK/build" --static-swift-stdlib \
  -Xlinker "-L$WORK/static" "${flags[@]}"

targets=$(cd Fuzz/options && ls *.options)
for options in $targets; do
  name=${options%.options}
  cp "$WORK/build/release/fuzz-$name" "$OUT/fuzz-$name"
  cp "Fuzz/dictionaries/$name.dict" "$OUT/fuzz-$name.dict"
  sed "s/^dict = /dict = fuzz-/" "Fuzz/options/$options" >"$OUT/fuzz-$name.options"
done

# All targets get the seeds of the corpus; libFuzzer keeps those that a target can use.
(cd Corpus/seeds && find . -type f | sort | zip -q -X -@ "$WORK/seeds.zip")
for options in $targets; do
  name=${options%.options}
  cp "$WORK/seeds.zip" "$OUT/fuzz-${name}_seed_corpus.zip"
done
