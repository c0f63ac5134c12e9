/** Fills the portal of this data folder with an example: `npm run seed`. It needs no built pages. */
import { join } from "node:path";
import { install, root } from "./prepare.js";

install();
process.chdir(root);
process.env.NODE_ENV ??= "production";
// Nobody looks at a page meanwhile: on a busy machine a call takes as long as it takes.
process.env.SERVICE_DEADLINE_SECONDS ??= "600";
const { bundle, workerThreads } = await import("./bundle.js");
await bundle({ seed: "server/seed.ts", ...workerThreads() }, "build/seed");
await import(join(root, "build/seed/seed.js"));
