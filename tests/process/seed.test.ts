import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundle, workerThreads } from "../../scripts/bundle.js";
import { requireValue } from "../../services/kit/client/client.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import { signInToBackend } from "../support/portal-backend.ts";
import { administrator, startPortalProcess } from "../support/portal-process.ts";
import { startProgram } from "../support/program.ts";

const programs = resolve(`build/seed-of-tests-${process.pid}`);
let dataDirectory: string;

beforeAll(async () => {
  dataDirectory = mkdtempSync(join(tmpdir(), "portal-seed-"));
  await bundle({ seed: "server/seed.ts", ...workerThreads() }, programs);
});
afterAll(() => {
  for (const folder of [dataDirectory, programs]) rmSync(folder, { recursive: true, force: true });
});

async function seed(environment: Record<string, string> = {}) {
  const given = { DATA_DIRECTORY: dataDirectory, ADMIN_PASSWORD: administrator.password, ...environment };
  const program = startProgram(join(programs, "seed.js"), given);
  return { status: await program.ended, output: program.output() };
}

test("where tests may not reach the shop, the seed names the setting to change and creates nothing", async () => {
  const { status, output } = await seed({ EGRESS_ALLOW: "10.0.0.1:80" });
  expect(status).toBe(1);
  expect(output).toMatch(/Add 127\.0\.0\.1:\d+ to EGRESS_ALLOW/);
});

test("a seeded portal has the example, its incident and a month with correct counts; it is seeded once", async () => {
  const first = await seed();
  expect(first.output).toContain("180 earlier runs");
  expect(first.status).toBe(0);
  expect(await seed()).toMatchObject({ status: 0, output: expect.stringContaining("there already") });

  const portal = await startPortalProcess({ dataDirectory, keepData: true });
  try {
    const inUse = await seed();
    expect(inUse).toMatchObject({ status: 1, output: expect.stringContaining(`process ${portal.process.pid}`) });

    const backend = await signInToBackend(portal);
    const { apiRegistry, testRegistry, testExecutioner, testAnalyzer } = backend;
    const { org: organizationId } = decodeJwt<{ org: string }>(backend.token);
    const { items: apis } = requireValue(await apiRegistry.listApis({ query: {} }), "APIs");
    expect(apis.map(({ name }) => name)).toEqual(["Example shop"]);
    const { items: circles } = requireValue(await testRegistry.listCircles({ query: {} }), "circles");
    const params = { testCircleId: circles[0]!.id };
    const incidents = requireValue(await testAnalyzer.listIncidents({ query: params }), "incidents");
    expect(incidents.items.length).toBeGreaterThan(0);
    // The counts are exact: recounting changes nothing.
    const recounted = requireValue(await testExecutioner.recount({ body: { organizationId } }), "recount");
    expect(Object.values(recounted).filter((corrected) => corrected > 0)).toEqual([]);
    // The shop runs next to the portal.
    const run = { params, body: {} };
    expect(requireValue(await toTheEnd(testExecutioner).runCircle(run), "a run").verdict).toBe("failed");
  } finally {
    await portal.stop();
  }
});
