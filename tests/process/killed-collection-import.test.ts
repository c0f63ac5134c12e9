import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { type PortalBackend, signInToBackend } from "../support/portal-backend.ts";
import { type PortalProcess, startPortalProcess } from "../support/portal-process.ts";

const dataDirectory = mkdtempSync(join(tmpdir(), "portal-collection-"));
let portal: PortalProcess | undefined;
afterAll(() => {
  portal?.process.kill("SIGKILL");
  rmSync(dataDirectory, { recursive: true, force: true });
});

async function start(): Promise<PortalBackend> {
  portal = await startPortalProcess({ dataDirectory, keepData: true, environment: { LOG_LEVEL: "fatal" } });
  return await signInToBackend(portal);
}

async function kill(): Promise<void> {
  const ended = new Promise((resolve) => portal!.process.once("exit", resolve));
  portal!.process.kill("SIGKILL");
  await ended;
}

const credentials = 8;
const file = (name: string) =>
  Array.from({ length: credentials }, (_, index) =>
    [
      `### Read ${index}`,
      `GET https://host${index}.example.com/${name}/${index}?team={{team}}`,
      `Authorization: Bearer s3cret-token-of-host-${index}`,
      "",
    ].join("\n"),
  ).join("\n");

const count = async (backend: PortalBackend) => ({
  apis: requireValue(await backend.apiRegistry.listApis({ query: { limit: 200 } }), "APIs").items.length,
  credentials: requireValue(await backend.securityService.listCredentials({ query: { limit: 200 } }), "credentials")
    .items.length,
});

test("an import that was killed after any of its steps is completed by importing the files again, nothing twice", async () => {
  // Ended once so many credentials are seen, and once the API is; the import may have gone further by then.
  const points = [
    { apis: 1, credentials: 0 },
    { apis: 1, credentials: 1 },
    { apis: 1, credentials: credentials / 2 },
    { apis: 1, credentials },
  ];
  let backend = await start();
  let before = await count(backend);
  for (const [index, point] of points.entries()) {
    const files = [{ name: `killed${index}.http`, text: `@team = books\n${file(`killed${index}`)}` }];
    const body = { source: { files }, unmatched: true };
    const importing = backend.testRegistry.importTests({ body }).catch(() => undefined);
    for (;;) {
      const now = await count(backend);
      if (now.apis >= before.apis + point.apis && now.credentials >= before.credentials + point.credentials) break;
    }
    await kill();
    await importing;
    backend = await start();
    const again = requireValue(await backend.testRegistry.importTests({ body }), "import again");
    expect(again.tests.length + again.existing).toBe(credentials);
    const after = await count(backend);
    const more = {
      apis: after.apis - before.apis - 1,
      credentials: after.credentials - before.credentials - credentials,
    };
    // At most what one call had stored when the process ended between that and remembering it.
    expect(more.apis + more.credentials).toBeLessThanOrEqual(1);
    expect(Math.min(more.apis, more.credentials)).toBe(0);
    const { apiId } = again;
    const circles = requireValue(await backend.testRegistry.listCircles({ query: { apiId } }), "circles").items;
    expect(circles.map(({ name }) => name)).toEqual([`killed${index}`]);
    const tests = requireValue(await backend.testRegistry.listTests({ params: { apiId }, query: {} }), "tests").items;
    expect(tests.map(({ request }) => request.authorization.kind)).toEqual(Array(credentials).fill("credentials"));
    const third = requireValue(await backend.testRegistry.importTests({ body }), "third import");
    expect(third).toMatchObject({ tests: [], changedTests: [], circles: [], changedCircles: [], credentials: [] });
    before = after;
  }
});
