# Two images. The application, which is the default:
#
#   docker build --build-arg SITE_URL=https://example.ru -t korob .
#
# and nginx before it, with the configuration of scripts/deploy:
#
#   docker build --target web --build-arg SITE_URL=https://example.ru -t korob-web .
#
# scripts/deploy/compose.yaml builds and runs both. README.md beside it says when and how to renew a digest.

ARG NODE=node:26-slim@sha256:ec7758ee051e457b468b32bde57b0879010b325bb9862718e9615225ce4aaae1
ARG NGINX=nginx:1.30@sha256:b972f831f200b19ef0767938224f9711e74cd783718738cd7405d5cabf75c442

FROM ${NODE} AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY scripts/preinstall.js ./scripts/
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build

FROM build AS nginx-files
ARG SITE_URL=http://localhost:3000
RUN SITE_URL="${SITE_URL}" node dist/cli.js nginx /build/nginx --compose

# The official image has HTTP/3, and the module that gets certificates.
FROM ${NGINX} AS web
COPY --from=nginx-files /build/nginx /etc/nginx
RUN mkdir /etc/nginx/modules-enabled \
  && echo 'load_module modules/ngx_http_acme_module.so;' > /etc/nginx/modules-enabled/acme.conf \
  && install -d -o nginx -g nginx -m 0700 /run/nginx /var/cache/nginx /var/lib/nginx /var/lib/acme
# Here nginx has no root to give up, and what it reads is not its own.
USER nginx:nginx
EXPOSE 80 443 443/udp
# Lets answers that have begun come to their end.
STOPSIGNAL SIGQUIT
# nginx is well while it answers at all, whatever becomes of the application.
HEALTHCHECK --interval=30s --timeout=5s --retries=3 CMD ["bash", "-c", \
  "exec 3<>/dev/tcp/127.0.0.1/80 && printf 'HEAD / HTTP/1.0\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q '^HTTP/'"]
ENTRYPOINT ["nginx", "-g", "daemon off;"]
CMD []

# Everything is bundled into dist but the encoder of pictures, which is compiled for its
# platform and loaded only by the job that makes them. Besides these, the process reads
# the content and public when it starts.
FROM ${NODE} AS app
WORKDIR /app
# Only this folder is ever written, so the rest of the file system may be read-only.
# A volume takes over its owner when it is first mounted here.
RUN install -d -o 10001 -g 10001 /var/lib/korob
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules/sharp ./node_modules/sharp
COPY --from=build /build/node_modules/@img ./node_modules/@img
COPY --from=build /build/node_modules/detect-libc ./node_modules/detect-libc
COPY --from=build /build/public ./public
COPY --from=build /build/src/content ./src/content
COPY --from=build /build/scripts/deploy ./scripts/deploy
COPY --from=build /build/dist ./dist
ARG SITE_URL=http://localhost:3000
# Without the limit of arenas, glibc keeps for each thread what compressing has freed: 30 MB.
ENV NODE_ENV=production \
  MALLOC_ARENA_MAX=2 \
  HOST=0.0.0.0 \
  PORT=3000 \
  DATA_DIR=/var/lib/korob \
  SITE_URL=${SITE_URL}
# To serve other content, mount it and set CONTENT_DIR.
USER 10001:10001
EXPOSE 3000
# Readiness and not liveness: Docker itself restarts nothing that is unhealthy. Whoever
# looks at the health waits for it to send visitors here, or wants to know that a
# request can be stored. An orchestrator that kills by this check should ask /healthz.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 CMD ["node", "-e", \
  "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# node itself receives SIGTERM and drains; no npm or shell in between.
CMD ["node", "dist/main.js"]
