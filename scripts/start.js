/**
 * Installs, builds and starts the portal. Installed packages and existing builds are reused. The server takes over
 * this process's signals and output. `npm start` has V8 collect young objects at 4 MB instead of 16: after a start
 * it would retain 40 MB of garbage.
 */
import { join } from "node:path";
import { build, install, root } from "./prepare.js";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`Node 20.19 or newer is needed; this is ${process.version}.\n`);
  process.exit(1);
}
install();
build();
process.env.NODE_ENV ??= "production";
process.stdout.write("Starting the portal …\n");
await import(join(root, "build/process/server.js"));
