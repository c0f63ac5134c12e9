/** Fills the portal of this data folder with an example: `npm run seed`. It needs no built pages. */
import { join } from "node:path";
import { install, root } from "./prepare.js";

install();
process.chdir(root);
process.env.NODE_ENV ??= "production";
// No user waits: calls may take as long as they need on a busy machine.
process.env.SERVICE_DEADLINE_SECONDS ??= "600";
const { bundle, workerThreads } = await import("./bundle.js");
await bundle({ seed: "server/seed.ts", ...workerThreads() }, "build/seed");
await import(join(root, "build/seed/seed.js"));
