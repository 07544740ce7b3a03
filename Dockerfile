# An image for each process and one for the migrations, for example `docker build --target gateway .`. Only the
# pages are built, because Node strips the types of TypeScript. An image contains Node, the packages of its
# process and its sources. It runs as an unprivileged user and supports a read-only root file system.

# The only image from a registry, for linux/amd64 and linux/arm64. Renovate updates the version together with
# Node in package.json. It adds the digest, and updates it when Debian's packages in the image change.
ARG NODE_IMAGE=docker.io/library/node:26.12.1-trixie-slim

FROM ${NODE_IMAGE} AS node
ENV NODE_ENV=production
WORKDIR /app

# Only the files that npm reads, so that a change of sources does not repeat the installation.
FROM node AS manifests
COPY package.json package-lock.json .npmrc ./
COPY admin-service/package.json admin-service/
COPY auth-service/package.json auth-service/
COPY bench/package.json bench/
COPY deploy/probe/package.json deploy/probe/
COPY dev/package.json dev/
COPY test/package.json test/
COPY test-bench/package.json test-bench/
COPY gateway/package.json gateway/
COPY mailer-worker/package.json mailer-worker/
COPY migrate/package.json migrate/
COPY openapi/package.json openapi/
COPY openapi/client/package.json openapi/client/
COPY shared/package.json shared/
COPY web/package.json web/

# An image gets the packages that its workspace and shared declare. The optional packages contain Node, which
# the image already has. Source maps and type declarations are half of the files' size, and no process reads
# them. For a private registry, pass the npm configuration with `--secret id=npmrc,src=$HOME/.npmrc`; it is
# not stored in any layer.
FROM manifests AS gateway-packages
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci --omit=dev --omit=optional --workspace=gateway \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.*ts' \) -delete

FROM manifests AS auth-service-packages
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci --omit=dev --omit=optional --workspace=auth-service \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.*ts' \) -delete

FROM manifests AS admin-service-packages
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci --omit=dev --omit=optional --workspace=admin-service \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.*ts' \) -delete

# Where another workspace uses another version of a package, npm installs that of the worker in its folder.
FROM manifests AS mailer-worker-packages
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci --omit=dev --omit=optional --workspace=mailer-worker \
  && mkdir -p mailer-worker/node_modules \
  && find node_modules mailer-worker/node_modules -type f \( -name '*.map' -o -name '*.d.*ts' \) -delete

FROM manifests AS migrate-packages
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci --omit=dev --omit=optional --workspace=migrate \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.*ts' \) -delete

FROM manifests AS probe-packages
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci --omit=dev --omit=optional --workspace=deploy/probe \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.*ts' \) -delete

# Builds the pages. The gateway's image gets the built files without the packages that build them. Vite's
# binary is an optional package.
FROM manifests AS pages
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci --include=dev --include=optional \
  --workspace=web --workspace=openapi/client
COPY tsconfig.json ./
COPY openapi/client/src openapi/client/src
COPY openapi/types openapi/types
COPY web web
RUN node web/run-build.ts --compress

# Removes the package manager, because running containers install nothing.
FROM node AS runtime
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack \
  /opt/yarn-* /usr/local/bin/yarn /usr/local/bin/yarnpkg
COPY package.json ./
COPY deploy/check-health.sh deploy/node-flags deploy/
COPY shared/package.json shared/
COPY shared/src shared/src
ENV LISTEN_HOST=0.0.0.0
# One malloc arena for all threads, and large buffers outside of it, because glibc does not return the freed
# memory of an arena. Caching compiled code in the image halves the start-up time and saves a fifth of the
# memory.
ENV MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_=32768 NODE_COMPILE_CACHE=/app/.compile-cache
# The V8 flags (docs/decisions.md, 19) are not allowed in NODE_OPTIONS. The shell replaces itself with node.
ENTRYPOINT ["sh", "-c", "exec node $(cat deploy/node-flags) \"$@\"", "node"]

FROM runtime AS gateway
COPY --from=gateway-packages /app/node_modules node_modules
COPY openapi/package.json openapi/auth.yaml openapi/admin.yaml openapi/common.yaml openapi/enumerations.yaml openapi/
COPY gateway/package.json gateway/
COPY gateway/src gateway/src
COPY --from=pages /app/web/dist web/dist
RUN node $(cat deploy/node-flags) --eval "import('/app/gateway/src/compose.ts')" \
  && chmod -R a+rX .compile-cache
USER 1000:1000
EXPOSE 3000 9300
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["bash", "deploy/check-health.sh", "GATEWAY_OPS_PORT", "9300", "/healthz"]
CMD ["gateway/src/main.ts"]

FROM runtime AS auth-service
COPY --from=auth-service-packages /app/node_modules node_modules
COPY openapi/package.json openapi/auth.yaml openapi/internal.yaml openapi/common.yaml openapi/enumerations.yaml openapi/
COPY auth-service/package.json auth-service/
COPY auth-service/src auth-service/src
RUN node $(cat deploy/node-flags) --eval "import('/app/auth-service/src/compose.ts')" \
  && chmod -R a+rX .compile-cache
USER 1000:1000
EXPOSE 3001 9301
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["bash", "deploy/check-health.sh", "AUTH_OPS_PORT", "9301", "/healthz"]
CMD ["auth-service/src/main.ts"]

FROM runtime AS admin-service
COPY --from=admin-service-packages /app/node_modules node_modules
COPY openapi/package.json openapi/admin.yaml openapi/internal.yaml openapi/common.yaml openapi/enumerations.yaml openapi/
COPY admin-service/package.json admin-service/
COPY admin-service/src admin-service/src
RUN node $(cat deploy/node-flags) --eval "import('/app/admin-service/src/compose.ts')" \
  && chmod -R a+rX .compile-cache
USER 1000:1000
EXPOSE 3002 9302
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["bash", "deploy/check-health.sh", "ADMIN_OPS_PORT", "9302", "/healthz"]
CMD ["admin-service/src/main.ts"]

FROM runtime AS mailer-worker
COPY --from=mailer-worker-packages /app/node_modules node_modules
COPY --from=mailer-worker-packages /app/mailer-worker/node_modules mailer-worker/node_modules
COPY openapi/package.json openapi/
COPY openapi/client/src/device-name.ts openapi/client/src/
COPY mailer-worker/package.json mailer-worker/
COPY mailer-worker/src mailer-worker/src
RUN node $(cat deploy/node-flags) --eval "import('/app/mailer-worker/src/compose.ts')" \
  && chmod -R a+rX .compile-cache
# Numeric, so that Kubernetes can verify that it is not root.
USER 1000:1000
EXPOSE 9303
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["bash", "deploy/check-health.sh", "WORKER_OPS_PORT", "9303", "/healthz"]
CMD ["mailer-worker/src/main.ts"]

# Runs once for each release, before its processes start, and exits.
FROM runtime AS migrate
COPY --from=migrate-packages /app/node_modules node_modules
COPY migrate migrate
USER 1000:1000
CMD ["migrate/src/run-migrations.ts"]

FROM runtime AS probe
COPY --from=probe-packages /app/node_modules node_modules
COPY deploy/probe deploy/probe
RUN node $(cat deploy/node-flags) --eval "import('/app/deploy/probe/src/compose.ts')" \
  && chmod -R a+rX .compile-cache
USER 1000:1000
EXPOSE 9304
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["bash", "deploy/check-health.sh", "PROBE_OPS_PORT", "9304", "/healthz"]
CMD ["deploy/probe/src/main.ts"]
