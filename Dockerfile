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
RUN SITE_URL="${SITE_URL}" npm run build && node scripts/native.ts native

# Of the official image, because "resolve" in upstream-compose.conf needs nginx 1.27.3: that
# file is all in which this nginx differs from one on a machine of its own.
FROM nginx:1.29 AS web
COPY scripts/deploy/nginx.conf scripts/deploy/unavailable.html /etc/nginx/
COPY scripts/deploy/upstream-compose.conf /etc/nginx/upstream.conf
# Here nginx has no root to give up.
RUN sed -i '/^user www-data;$/d' /etc/nginx/nginx.conf && install -d -o nginx -g nginx /var/lib/nginx /var/cache/nginx
USER nginx:nginx
EXPOSE 80
# Lets answers that have begun come to their end.
STOPSIGNAL SIGQUIT
# nginx is well while it answers at all, whatever becomes of the application.
HEALTHCHECK --interval=30s --timeout=5s --retries=3 CMD ["bash", "-c", \
  "exec 3<>/dev/tcp/127.0.0.1/80 && printf 'HEAD / HTTP/1.0\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q '^HTTP/'"]
ENTRYPOINT ["nginx", "-g", "daemon off;"]
CMD []

# Everything is bundled into dist but the encoder of pictures, which is compiled for
# its platform and loaded only to make an edition. Besides these, the process reads the
# content, to publish it, and public when it has to make another edition.
FROM node:${NODE_VERSION}-slim AS app
WORKDIR /app
# Only this folder is ever written, so the rest of the file system may be read-only.
# A volume takes over its owner when it is first mounted here.
RUN install -d -o 10001 -g 10001 /var/lib/korob
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
