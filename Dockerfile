# The command assay: docker build -t assay . && docker run --rm -i assay explain - <token.json
# With files: docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/data:ro" assay decrypt --key merchant.key --cert merchant.pem token.json
FROM swift:6.3-noble AS build
# hadolint ignore=DL3008
RUN apt-get update -q \
  && apt-get install -y -q --no-install-recommends binutils git jq libsodium-dev libssl-dev make openssl pkg-config python3 \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY . .
RUN make install PREFIX=/usr/local DESTDIR=/installed

FROM ubuntu:24.04
# hadolint ignore=DL3008
RUN apt-get update -q \
  && apt-get install -y -q --no-install-recommends libsodium23 openssl \
  && rm -rf /var/lib/apt/lists/*
COPY --from=build /installed/usr/local /usr/local
# Keys are read as the user of the container: no root.
# A crash shows no memory.
ENV SWIFT_BACKTRACE=enable=no
USER 65534:65534
WORKDIR /data
ENTRYPOINT ["/usr/local/bin/assay"]
CMD ["--help"]
