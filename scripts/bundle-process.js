/** Bundles the portal, the services that run alone, and what an operator runs, into `build/process`. */
import { existsSync, readdirSync } from "node:fs";
import { bundle, workerThreads } from "./bundle.js";

const services = readdirSync("services").filter((service) => existsSync(`services/${service}/main.ts`));
await bundle(
  {
    server: "server.ts",
    pages: "build/server/index.js",
    "rotate-secrets": "server/rotate-secrets.ts",
    "prepare-database": "server/prepare-database.ts",
    ...Object.fromEntries(services.map((service) => [`services/${service}/main`, `services/${service}/main.ts`])),
    ...workerThreads(),
  },
  "build/process",
);
