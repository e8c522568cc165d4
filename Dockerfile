# Two images. The application, which is the default:
#
#   docker build --build-arg SITE_URL=https://example.ru -t korob .
#
# and nginx before it, with the configuration of scripts/deploy:
#
#   docker build --target web -t korob-web .
#
# scripts/deploy/compose.yaml builds and runs both.

ARG NODE_VERSION=26

FROM node:${NODE_VERSION}-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
# The shipped edition is for this address. With another one, the application makes
# an edition of its own when it starts, which takes some seconds.
ARG SITE_URL=http://localhost:3000
# The cache of what is costly to make is only of use where the next build runs.
RUN SITE_URL="${SITE_URL}" npm run build && rm -r dist/editions/cache && node scripts/native.ts native

FROM debian:bookworm-slim AS web
RUN apt-get update \
  && apt-get install --yes --no-install-recommends nginx libnginx-mod-http-brotli-static \
  && rm -rf /var/lib/apt/lists/* \
  && ln -sf /dev/stdout /var/log/nginx/access.log \
  && ln -sf /dev/stderr /var/log/nginx/error.log
COPY scripts/deploy/nginx.conf /etc/nginx/nginx.conf
COPY --chmod=755 scripts/deploy/follow-editions.sh /usr/local/bin/follow-editions
# Here the application is another machine, called "app", and nginx has no root to give up.
RUN sed -i -e 's/server 127\.0\.0\.1:3000;/server app:3000;/' -e '/^user www-data;$/d' /etc/nginx/nginx.conf \
  && grep -q 'server app:3000;' /etc/nginx/nginx.conf
USER www-data:www-data
EXPOSE 80
# Lets answers that have begun come to their end.
STOPSIGNAL SIGQUIT
# nginx is well while it serves the edition, whatever becomes of the application.
HEALTHCHECK --interval=30s --timeout=5s --retries=3 CMD ["bash", "-c", \
  "exec 3<>/dev/tcp/127.0.0.1/80 && printf 'HEAD /builds/latest.json HTTP/1.0\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]
CMD ["bash", "-c", "follow-editions /var/lib/korob/editions & exec nginx -g 'daemon off;'"]

# Everything is bundled into dist but the encoder of pictures, which is compiled for
# its platform and loaded only to make an edition. Besides these, the process reads the
# content, to know whether the edition fits, and public when it has to make another one.
FROM node:${NODE_VERSION}-slim AS app
WORKDIR /app
# Only this folder is ever written, so the rest of the file system may be read-only.
# A volume takes over its owner when it is first mounted here.
RUN install -d -o 10001 -g 10001 /var/lib/korob /var/lib/korob/editions
COPY --from=build /build/package.json ./
COPY --from=build /build/native/node_modules ./node_modules
COPY --from=build /build/public ./public
COPY --from=build /build/src/content ./src/content
COPY --from=build /build/dist ./dist
ARG SITE_URL=http://localhost:3000
ENV NODE_ENV=production \
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
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --start-interval=1s --retries=3 CMD ["node", "-e", \
  "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# node itself receives SIGTERM and drains; no npm or shell in between.
CMD ["node", "dist/main.js"]
