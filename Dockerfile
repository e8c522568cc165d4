# Two images. The application, which is the default:
#
#   docker build --build-arg SITE_URL=https://example.ru -t korob .
#
# and nginx in front of it, with the configuration of scripts/deploy:
#
#   docker build --target web --build-arg SITE_URL=https://example.ru -t korob-web .
#
# scripts/deploy/compose.yaml builds and runs both. scripts/deploy/README.md explains when to update a digest.

ARG NODE=node:26-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1
ARG NGINX=nginx:1.30@sha256:b972f831f200b19ef0767938224f9711e74cd783718738cd7405d5cabf75c442

FROM ${NODE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY scripts/preinstall.js ./scripts/
RUN npm ci --no-audit --no-fund
COPY . .
# By the Node of the image, as at run time: npm scripts use that of package.json, whose compile cache another version ignores.
RUN node scripts/build.ts

FROM build AS nginx-files
ARG SITE_URL=http://localhost:3000
RUN SITE_URL="${SITE_URL}" node dist/cli.js nginx /build/nginx --compose

# The official image has HTTP/3 and the ACME module, which gets certificates.
FROM ${NGINX} AS web
COPY --from=nginx-files /build/nginx /etc/nginx
RUN mkdir /etc/nginx/modules-enabled \
  && echo 'load_module modules/ngx_http_acme_module.so;' > /etc/nginx/modules-enabled/acme.conf \
  && install -d -o nginx -g nginx -m 0700 /run/nginx /var/cache/nginx /var/lib/nginx /var/lib/acme
# nginx starts without root, and cannot change its configuration.
USER nginx:nginx
EXPOSE 80 443 443/udp
# Finishes responses in flight.
STOPSIGNAL SIGQUIT
# Any answer of nginx is healthy, even while the application is down.
HEALTHCHECK --interval=30s --timeout=5s --retries=3 CMD ["bash", "-c", \
  "exec 3<>/dev/tcp/127.0.0.1/80 && printf 'HEAD / HTTP/1.0\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q '^HTTP/'"]
ENTRYPOINT ["nginx", "-g", "daemon off;"]
CMD []

# dist contains everything except the encoder of pictures, which is compiled for its platform.
# Only the job that makes pictures loads it. At start, the process also reads src/content and public.
FROM ${NODE} AS app
WORKDIR /app
# Korob writes only here, so the rest of the file system may be read-only. A new volume inherits
# the owner of this folder.
RUN install -d -o 10001 -g 10001 /var/lib/korob
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules/sharp ./node_modules/sharp
COPY --from=build /build/node_modules/@img ./node_modules/@img
COPY --from=build /build/node_modules/detect-libc ./node_modules/detect-libc
COPY --from=build /build/node_modules/semver ./node_modules/semver
COPY --from=build /build/public ./public
COPY --from=build /build/src/content ./src/content
COPY --from=build /build/scripts/deploy ./scripts/deploy
COPY --from=build /build/dist ./dist
ARG SITE_URL=http://localhost:3000
ARG REVISION=unknown
LABEL org.opencontainers.image.title=korob org.opencontainers.image.revision=${REVISION}
# MALLOC_ARENA_MAX: otherwise glibc keeps 30 MB that compression has freed in threads.
ENV NODE_ENV=production \
  MALLOC_ARENA_MAX=2 \
  HOST=0.0.0.0 \
  PORT=3000 \
  METRICS_HOST=all \
  DATA_DIR=/var/lib/korob \
  SITE_URL=${SITE_URL}
# To serve other content, mount it and set CONTENT_DIR.
USER 10001:10001
EXPOSE 3000
# Readiness, not liveness: Compose waits for it before it sends visitors here, and Docker never
# restarts an unhealthy container. An orchestrator that does should ask /healthz.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 CMD ["node", "-e", \
  "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Without npm or a shell, node receives SIGTERM and drains.
CMD ["node", "dist/main.js"]
