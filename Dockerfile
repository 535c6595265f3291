# docker build .                       Goldseam
# docker build --target clusters .     the demo's simulated clusters, for docker-compose.yml

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /goldseam
COPY package.json package-lock.json ./
COPY server/package.json server/
COPY web/package.json web/
COPY e2e/package.json e2e/
COPY deploy/demo/package.json deploy/demo/
RUN npm ci
COPY . .
# Files keep the modes they have in the checkout, and are not read by their owner in the end.
RUN chmod -R a+rX . && npm run build

# Once more, without what only the build needs.
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /goldseam
COPY --from=build /goldseam/package.json /goldseam/package-lock.json ./
COPY --from=build /goldseam/server/package.json server/
COPY --from=build /goldseam/web/package.json web/
COPY --from=build /goldseam/e2e/package.json e2e/
COPY --from=build /goldseam/deploy/demo/package.json deploy/demo/
RUN npm ci --omit=dev --workspace server

FROM node:24.21.0-bookworm-slim AS clusters
ENV NODE_ENV=production
WORKDIR /goldseam
COPY --from=build /goldseam/deploy/demo/package.json deploy/demo/
COPY --from=build /goldseam/deploy/demo/dist deploy/demo/dist
USER 1000:1000
HEALTHCHECK --interval=2s --timeout=5s --start-period=2m --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8702/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "deploy/demo/dist/main.js", "--only", "clusters", "--targets", "0.0.0.0:8702"]

FROM node:24.21.0-bookworm-slim AS goldseam
# One heap of the C library for all threads: what they free is used by the others (server/bench/README.md).
ENV NODE_ENV=production MALLOC_ARENA_MAX=1
WORKDIR /goldseam
COPY --from=packages /goldseam/node_modules node_modules
COPY --from=build /goldseam/server/package.json server/
COPY --from=build /goldseam/server/dist server/dist
COPY --from=build /goldseam/web/dist web/dist
# A new volume mounted here takes over the owner.
RUN install -d -o 1000 -g 1000 /var/lib/goldseam
USER 1000:1000
EXPOSE 8700
# Whether the process lives; a silent cluster is no reason to start it anew.
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8700/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Reads /etc/goldseam/goldseam.yaml, where `listen: 0.0.0.0:8700` belongs.
ENTRYPOINT ["node", "server/dist/main.js"]
