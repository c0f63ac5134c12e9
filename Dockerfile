# Builds pages and process, then keeps what runs: no compiler, no test tool, no root.
ARG NODE_VERSION=24.21.0
FROM node:${NODE_VERSION}-slim AS build
WORKDIR /portal
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN NODE_ENV=production npm run build

FROM node:${NODE_VERSION}-slim AS packages
WORKDIR /portal
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --omit=dev --no-audit --no-fund && npm cache clean --force

FROM node:${NODE_VERSION}-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIRECTORY=/data
WORKDIR /portal
COPY --from=packages /portal/node_modules node_modules
COPY --from=build /portal/build build
COPY package.json ./
# A new volume takes over owner and mode of the folder it is mounted on.
RUN install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/actuator/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The process itself gets SIGTERM, and finishes what is under way; it wants up to 60 s of the stop's time of grace.
CMD ["node", "build/process/server.js"]
