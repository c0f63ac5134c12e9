import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

export interface SwaggerUi {
  version: string;
  /** The page opened at one operation. */
  addressOf(tag: string, operationId: string): string;
  stop(): Promise<void>;
}

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Swagger UI</title>
<link rel="stylesheet" href="/swagger-ui.css"></head><body><div id="swagger-ui"></div>
<script src="/swagger-ui-bundle.js"></script>
<script>SwaggerUIBundle({ url: "/openapi.json", dom_id: "#swagger-ui", deepLinking: true, docExpansion: "none" });</script>
</body></html>`;

/** Installs swagger-ui-dist into a temporary folder and serves it with a document, everything compressed. */
export async function startSwaggerUi(document: string): Promise<SwaggerUi> {
  const folder = mkdtempSync(join(tmpdir(), "swagger-ui-"));
  execFileSync(
    "npm",
    ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "swagger-ui-dist"],
    {
      stdio: "ignore",
    },
  );
  const home = join(folder, "node_modules/swagger-ui-dist");
  const file = (name: string) => gzipSync(readFileSync(join(home, name)));
  const files: Record<string, { type: string; content: Buffer } | undefined> = {
    "/": { type: "text/html", content: gzipSync(page) },
    "/swagger-ui.css": { type: "text/css", content: file("swagger-ui.css") },
    "/swagger-ui-bundle.js": { type: "text/javascript", content: file("swagger-ui-bundle.js") },
    "/openapi.json": { type: "application/json", content: gzipSync(document) },
  };
  const server = createServer((request, response) => {
    const found = files[new URL(request.url ?? "/", "http://swagger.invalid").pathname];
    if (!found) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": found.type, "content-encoding": "gzip" }).end(found.content);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { version } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as { version: string };
  return {
    version,
    addressOf: (tag, operationId) => `${origin}/#/${tag}/${operationId}`,
    async stop() {
      await new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
