import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createForeignServer } from "../../../tests/support/foreign-servers.ts";
import { documentAt } from "../document-at.ts";
import { installPackage } from "../installed-package.ts";
import type { MeasuredServer } from "../measured-server.ts";

const file = resolve("tests/fixtures/openapi/valid/scalar-galaxy-v31.yaml");

/** Mockoon from npm, on Scalar's example: it answers everything with random values, and keeps nothing. */
export const mockoon: MeasuredServer = {
  name: "mockoon galaxy",
  async start() {
    const program = join(installPackage("@mockoon/cli", "9.9.0"), "bin/run.js");
    const { host, start, stop } = await createForeignServer(
      (port) => [
        process.execPath,
        ...[program, "start", "--data", file, "--hostname", "127.0.0.1", "--port", String(port)],
        ...["--faker-seed", "1", "--disable-admin-api"],
      ],
      "/",
      { ready: "responds" },
    );
    await start();
    return {
      origin: `http://${host}`,
      documentFor: (address) => documentAt(readFileSync(file, "utf8"), address),
      credentials: [{ type: "bearer", settings: {}, secret: "turquoise-herring", schemeName: "bearerAuth" }],
      stop,
    };
  },
};
