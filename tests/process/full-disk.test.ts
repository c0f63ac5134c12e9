import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { backendOf, type PortalBackend } from "../support/portal-backend.ts";
import { type PortalProcess, signInForToken, startPortalProcess } from "../support/portal-process.ts";
import { ask, signInForCookies } from "../support/raw-request.ts";

const megabyte = 1_048_576;
function freeMegabytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return Math.floor((bavail * bsize) / megabyte);
}
/** In memory where there is such a disk, so that filling it takes no time. */
const disk = existsSync("/dev/shm") && freeMegabytes("/dev/shm") > 1_000 ? "/dev/shm" : tmpdir();

let place: string;
let portal: PortalProcess;
let backend: PortalBackend;
let cookie: string;

beforeAll(async () => {
  place = mkdtempSync(join(disk, "portal-full-disk-"));
  // The first start takes about 60 MB of what is beyond the reserve.
  const reserve = freeMegabytes(disk) - 200;
  portal = await startPortalProcess({
    dataDirectory: join(place, "data"),
    environment: { DATA_RESERVE_MEGABYTES: String(reserve), LOG_LEVEL: "warn" },
  });
  backend = backendOf(portal.origin, await signInForToken(portal));
  cookie = await signInForCookies(portal.origin, portal);
});
afterAll(async () => {
  await portal?.stop();
  rmSync(place, { recursive: true, force: true });
});

const store = (name: string) =>
  backend.securityService.createCredential({
    body: { name, domain: "api.example.com", type: "bearer", settings: {}, secret: `secret of ${name}` },
  });
const form = { "content-type": "application/x-www-form-urlencoded" };

test("D04: on a full disk nothing is stored and everything read, health is red, and room brings all of it back", async () => {
  expect((await store("before")).status).toBe(201);
  const filler = join(place, "filler");
  writeFileSync(filler, Buffer.alloc(250 * megabyte, 1));
  await expect.poll(async () => (await store("too much")).status).toBe(507);
  expect(await store("too much")).toMatchObject({
    problem: { code: "insufficient_storage", detail: expect.stringContaining("disk is full") },
    retryAfterSeconds: 60,
  });
  await expect.poll(async () => (await ask(portal.origin, "/actuator/health")).status).toBe(503);
  const { text } = await ask(portal.origin, "/actuator/health");
  expect(JSON.parse(text).components).toMatchObject({ storage: { status: "DOWN" }, database: { status: "UP" } });

  const { origin } = portal;
  const list = await ask(origin, "/administration/credentials", { headers: { cookie } });
  expect([list.status, list.text.includes("before")]).toEqual([200, true]);
  const body = new URLSearchParams({ username: portal.username, password: portal.password }).toString();
  const signIn = await ask(origin, "/login", { method: "POST", headers: { origin, ...form }, body });
  expect(signIn).toMatchObject({ status: 507, headers: { "retry-after": "60" } });
  expect(signIn.text).toContain("The portal&#x27;s disk is full");

  rmSync(filler);
  await expect.poll(async () => (await store("after")).status).toBe(201);
  await expect.poll(async () => (await ask(portal.origin, "/actuator/health")).status).toBe(200);
  expect(await portal.stop()).toBe(0);
});
