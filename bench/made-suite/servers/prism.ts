import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createForeignServer } from "../../../tests/support/foreign-servers.ts";
import { documentAt } from "../document-at.ts";
import { installPackage } from "../installed-package.ts";
import type { MeasuredServer, StartedServer } from "../measured-server.ts";

/** The last version for Node 20. */
const version = "5.14.2";

/**
 * Stoplight's Prism from npm: it refuses requests that its document does not allow, and answers with the document's
 * examples. It keeps nothing, so nothing is ever gone.
 * @param file below `tests/fixtures/openapi/valid`, whose INDEX.tsv tells where it comes from
 */
export function createPrism(file: string, parts: Partial<StartedServer> = {}): MeasuredServer {
  return {
    name: `prism ${file.replace(/-?v\d+.*/, "")}`,
    async start() {
      const program = join(installPackage("@stoplight/prism-cli", version), "dist/index.js");
      const path = resolve("tests/fixtures/openapi/valid", file);
      const { host, start, stop } = await createForeignServer(
        (port) => [process.execPath, program, "mock", "--host", "127.0.0.1", "--port", String(port), path],
        "/",
        { ready: "responds" },
      );
      await start();
      return {
        origin: `http://${host}`,
        documentFor: (address) => documentAt(readFileSync(path, "utf8"), address),
        stop,
        ...parts,
      };
    },
  };
}

/** Prism takes any that has the form of the scheme. */
export const prisms = [
  createPrism("museum-v31.yaml", {
    credentials: [{ type: "basic", settings: { username: "ada" }, secret: "turquoise-herring" }],
  }),
  createPrism("swagger-petstore-v30.yaml", {
    credentials: [
      {
        type: "apiKey",
        settings: { in: "header", parameterName: "api_key" },
        secret: "turquoise-herring",
        schemeName: "api_key",
      },
      { type: "bearer", settings: {}, secret: "turquoise-herring", schemeName: "petstore_auth" },
    ],
  }),
  createPrism("vampi-v30.yml", {
    credentials: [{ type: "bearer", settings: {}, secret: "turquoise-herring" }],
  }),
];
