import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";
import { registerApi } from "../support/portal-backend.ts";
import { startTargetApi, type TargetApi } from "../support/target-api.ts";

const hour = 60 * 60 * 1_000;

let portal: HandledPortal;
let targetApi: TargetApi;
let visitor: Visitor;
let apiId: string;
beforeAll(async () => {
  [portal, targetApi] = await Promise.all([openHandledPortal(), startTargetApi()]);
  apiId = await registerApi(portal.backend, targetApi.documentUrl);
  visitor = await portal.signIn();
});
afterAll(async () => {
  await portal.stop();
  await targetApi.stop();
});

/** A test met a certificate that expires in this many hours. */
const meet = (host: string, hours: number) =>
  portal.receive({
    ...{ id: randomUUID(), type: "certificate.seen", occurredAt: new Date().toISOString() },
    payload: {
      ...{ host, apiId, subject: `CN=${host}`, issuer: "CN=Test Authority" },
      validTo: new Date(Date.now() + hours * hour).toISOString(),
    },
  });

test("certificates of tested hosts are listed by expiry, each with its remaining validity", async () => {
  const empty = await (await visitor.open("/test-management/incidents")).follow("Certificates");
  expect(empty.text).toContain("No certificates yet");
  await meet("calm.example.com", 24 * 90 + 1);
  await meet("soon.example.com", 24 * 20 + 1);
  await meet("today.example.com:8443", 1);
  await meet("late.example.com", -1);
  const page = await visitor.open("/test-management/certificates");
  expect(page.rows("CN=Test Authority")).toEqual([
    expect.stringMatching(/late\.example\.com.*Expired/),
    expect.stringMatching(/today\.example\.com:8443.*Within a day/),
    expect.stringMatching(/soon\.example\.com.*In 20 days/),
    expect.stringMatching(/calm\.example\.com.*In 90 days/),
  ]);
  expect((await page.follow("Bookshop")).address).toMatch(`/test-management/${apiId}/manage`);
});

test("one host's certificate has an address, and leads to all", async () => {
  const one = await visitor.open("/test-management/certificates?host=soon.example.com");
  expect(one.rows("CN=Test Authority")).toHaveLength(1);
  expect((await one.follow("Show all certificates")).rows("CN=Test Authority")).toHaveLength(4);
});
