/** Bundles the portal, the services that run alone and the operator's programs into `build/process`. */
import { readdirSync } from "node:fs";
import { bundle, toName, workerThreads } from "./bundle.js";

const services = readdirSync("server/services");
await bundle(
  {
    server: "server.ts",
    pages: "build/server/index.js",
    "rotate-secrets": "server/rotate-secrets.ts",
    migrate: "server/migrate.ts",
    "prepare-database": "server/prepare-database.ts",
    ...Object.fromEntries(services.map((file) => [`services/${toName(file)}/main`, `server/services/${file}`])),
    ...workerThreads(),
  },
  "build/process",
);
