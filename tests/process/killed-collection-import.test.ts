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
type Counts = Awaited<ReturnType<typeof count>>;

/** Kills the process once so much of an import is seen; the import may have gone further by then. */
async function killWhileImporting(backend: PortalBackend, body: { source: object; unmatched: true }, seen: Counts) {
  const before = await count(backend);
  const importing = backend.testRegistry.importTests({ body: body as never }).catch(() => undefined);
  for (;;) {
    const now = await count(backend);
    if (now.apis >= before.apis + seen.apis && now.credentials >= before.credentials + seen.credentials) break;
  }
  await kill();
  await importing;
  return before;
}

const toBody = (name: string) => ({
  source: { files: [{ name: `${name}.http`, text: `@team = books\n${file(name)}` }] },
  unmatched: true as const,
});

test("an import that was killed is undone by itself, unless it was completed", async () => {
  const name = "left";
  const before = await killWhileImporting(await start(), toBody(name), { apis: 1, credentials: 0 });
  const backend = await start();
  const circles = requireValue(await backend.testRegistry.listCircles({ query: {} }), "circles").items;
  const isCompleted = circles.some((circle) => circle.name === name);
  const expected = isCompleted ? { apis: before.apis + 1, credentials: before.credentials + credentials } : before;
  await expect.poll(() => count(backend), { timeout: 60_000, interval: 500 }).toEqual(expected);
  await kill();
});

test("importing the files again at once after a kill leaves everything once", async () => {
  let backend = await start();
  for (const [index, seen] of [
    { apis: 1, credentials: 0 },
    { apis: 1, credentials },
  ].entries()) {
    const name = `killed${index}`;
    const body = toBody(name);
    const before = await killWhileImporting(backend, body, seen);
    backend = await start();
    const again = requireValue(await backend.testRegistry.importTests({ body }), "import again");
    expect(again.tests.length + again.existing).toBe(credentials);
    await expect
      .poll(() => count(backend), { timeout: 60_000, interval: 500 })
      .toEqual({ apis: before.apis + 1, credentials: before.credentials + credentials });
    const { apiId } = again;
    const circles = requireValue(await backend.testRegistry.listCircles({ query: { apiId } }), "circles").items;
    expect(circles.map((circle) => circle.name)).toEqual([name]);
    const tests = requireValue(await backend.testRegistry.listTests({ params: { apiId }, query: {} }), "tests").items;
    expect(tests.map(({ request }) => request.authorization.kind)).toEqual(Array(credentials).fill("credentials"));
    const third = requireValue(await backend.testRegistry.importTests({ body }), "third import");
    expect(third).toMatchObject({ tests: [], changedTests: [], circles: [], changedCircles: [], credentials: [] });
  }
});
