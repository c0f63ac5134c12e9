import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { reportFigure } from "../support/endurance.ts";
import { type PortalBackend, signInToBackend } from "../support/portal-backend.ts";
import { type PortalProcess, startPortalProcess } from "../support/portal-process.ts";
import { ask, type RawResponse, signInForCookies } from "../support/raw-request.ts";

const megabyte = 1_048_576;
let portal: PortalProcess;
let backend: PortalBackend;

afterEach(() => portal?.stop());

/** The first start takes about 40 MB of the disk. */
async function startOnSmallDisk(reserveMegabytes: number): Promise<void> {
  const environment = { DATA_RESERVE_MEGABYTES: String(reserveMegabytes), LOG_LEVEL: "warn" };
  portal = await startPortalProcess({ diskMegabytes: 110, environment });
  backend = await signInToBackend(portal);
}

const filler = () => join(portal.dataDirectory, "filler");

function fillDiskBut(leftMegabytes: number): void {
  const { bavail, bsize } = statfsSync(portal.dataDirectory);
  writeFileSync(filler(), Buffer.alloc(bavail * bsize - leftMegabytes * megabyte, 1));
}

const cookieOf = ({ headers }: RawResponse) => (headers["set-cookie"] ?? []).map((one) => one.split(";")[0]).join("; ");

/** 8 kB. */
const store = (name: string) =>
  backend.securityService.createCredential({
    body: { name, domain: "api.example.com", type: "bearer", settings: {}, secret: `${name} `.padEnd(8_000, "s") },
  });
const healthStatus = async () => (await ask(portal.origin, "/actuator/health")).status;

test("D04: on a full disk nothing is stored and everything read, health is red, and free space restores all of it", async () => {
  await startOnSmallDisk(20);
  const cookie = await signInForCookies(portal.origin, portal);
  expect((await store("before")).status).toBe(201);
  fillDiskBut(10);
  await expect.poll(async () => (await store("too much")).status).toBe(507);
  expect(await store("too much")).toMatchObject({
    problem: { code: "insufficient_storage", detail: expect.stringContaining("disk is full") },
    retryAfterSeconds: 60,
  });
  await expect.poll(healthStatus).toBe(503);
  const { text } = await ask(portal.origin, "/actuator/health");
  expect(JSON.parse(text).components).toMatchObject({ storage: { status: "DOWN" }, database: { status: "UP" } });

  const { origin } = portal;
  const list = await ask(origin, "/administration/credentials", { headers: { cookie } });
  expect([list.status, list.text.includes("before")]).toEqual([200, true]);
  const headers = { origin, "content-type": "application/x-www-form-urlencoded" };
  const logIn = (username: string, password: string) =>
    ask(origin, "/login", { method: "POST", headers, body: new URLSearchParams({ username, password }).toString() });
  const other = await logIn("other", portal.password);
  expect(other).toMatchObject({ status: 507, headers: { "retry-after": "60" } });
  expect(other.text).toContain("only operators can log in");
  const signedIn = await logIn(portal.username, portal.password);
  expect(signedIn).toMatchObject({ status: 303, headers: { location: "/administration/system-configuration" } });
  const system = await ask(origin, "/administration/system-configuration", { headers: { cookie: cookieOf(signedIn) } });
  expect(system.text).toContain("The disk of the database is full: nothing is stored");

  const stored = ["before"];
  for (const name of ["after the first", "after the second", "after the third"]) {
    rmSync(filler());
    await expect.poll(async () => (await store(name)).status).toBe(201);
    stored.push(name);
    await expect.poll(healthStatus).toBe(200);
    fillDiskBut(10);
    await expect.poll(async () => (await store("too much")).status).toBe(507);
    const listed = await backend.securityService.listCredentials({ query: {} });
    expect(requireValue(listed, "listing credentials").items.map((one) => one.name)).toEqual(
      expect.arrayContaining(stored),
    );
  }
  rmSync(filler());
  await expect.poll(healthStatus).toBe(200);
  expect(await portal.stop()).toBe(0);
});

/** The engine has no space for a segment of its journal, on which it spins, or else for a table. */
async function storeUntilRefused(stored: string[]): Promise<void> {
  for (let count = stored.length; ; count++) {
    const name = `stored ${count}`;
    const { status } = await store(name);
    if (status !== 201) return expect([503, 507]).toContain(status);
    stored.push(name);
  }
}

test("D04: without a reserve, an engine that runs out of space is restarted, and nothing acknowledged is lost", async () => {
  await startOnSmallDisk(0);
  const stored: string[] = [];
  fillDiskBut(3);
  await storeUntilRefused(stored);
  await expect.poll(healthStatus).toBe(503);
  rmSync(filler());
  await expect.poll(async () => (await store("after")).status).toBe(201);
  await expect.poll(healthStatus).toBe(200);
  const names = new Set<string>();
  let cursor: string | undefined;
  do {
    const result = await backend.securityService.listCredentials({ query: { limit: 200, cursor } });
    const page = requireValue(result, "listing credentials");
    for (const { name } of page.items) names.add(name);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(stored.filter((name) => !names.has(name))).toEqual([]);

  fillDiskBut(3);
  const refused = storeUntilRefused(stored);
  await expect.poll(() => statfsSync(portal.dataDirectory).bavail).toBeLessThan(300);
  const reportedAt = performance.now();
  expect([0, 1]).toContain(await portal.stop());
  reportFigure(`told to end on a full disk, the process took ${Math.round(performance.now() - reportedAt)} ms`);
  await refused.catch(() => {});
});
