import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatMoment } from "#libraries/time-zone/written-moment.ts";
import { requireValue } from "../../services/kit/client/client.ts";
import { type MailServer, startMailServer } from "../../services/kit/testing/mail-server.ts";
import { type PortalBackend, signInToBackend } from "../support/portal-backend.ts";
import { type PostgresPortal, startPostgresPortal } from "../support/postgres-portal.ts";
import { ask, signInForCookies } from "../support/raw-request.ts";
import { runBySchedule } from "../support/scheduled-runs.ts";

const onCall = "on-call@example.org";
const password = "turquoise-herring-4711";
const token = "eyJhbGciOiJub25lIn0.c2hvcC1zZXNzaW9u.Zm9yLXRlc3Rz";

let mailServer: MailServer;
let portal: PostgresPortal;
let backend: PortalBackend;
let shop: Awaited<ReturnType<typeof startShop>>;

beforeAll(async () => {
  [mailServer, shop] = await Promise.all([startMailServer(), startShop()]);
  portal = await startPostgresPortal({
    LOG_LEVEL: "trace",
    MAIL_URL: mailServer.url,
    MAIL_FROM: "API Assurance <portal@example.com>",
  });
  backend = await signInToBackend(portal);
});
afterAll(async () => {
  await portal.stop();
  await mailServer.stop();
  await shop.stop();
});

/** One server for two APIs: signing in returns a token, and orders are read with it. It reveals secrets when it breaks. */
async function startShop() {
  let isBroken = false;
  async function replyTo(request: IncomingMessage): Promise<[status: number, body: object]> {
    let text = "";
    for await (const chunk of request) text += chunk;
    if (request.url === "/login") {
      return JSON.parse(text).password === password ? [200, { token }] : [401, { wrong: text }];
    }
    const given = request.headers.authorization;
    if (isBroken) return [500, { state: `stack trace with ${given} and ${password}` }];
    return given === `Bearer ${token}` ? [200, { state: "open" }] : [401, { given }];
  }
  const server = createServer(async (request, response) => {
    const [status, body] = await replyTo(request);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    breakDown(is: boolean) {
      isBroken = is;
    },
    stop: () =>
      new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      }),
  };
}

/** Registers an API of one operation; returns the id of its one test. */
async function createTest(
  title: string,
  input: Omit<Parameters<PortalBackend["testRegistry"]["createTest"]>[0]["body"], "request"> & { request: object },
): Promise<string> {
  const paths = { [input.path]: { [input.method]: { responses: { 200: { description: "Fine" } } } } };
  const document = { openapi: "3.1.0", info: { title, version: "1" }, servers: [{ url: shop.origin }], paths };
  const registered = await backend.apiRegistry.registerApi({
    body: { source: { document: JSON.stringify(document) } },
  });
  const { id: apiId } = requireValue(registered, "registering the API");
  const created = await backend.testRegistry.createTest({ params: { apiId }, body: input });
  return requireValue(created, "creating the test").id;
}

async function createCircle(): Promise<string> {
  const login = await createTest("Accounts", {
    ...{ name: "Log in", method: "post", path: "/login" },
    request: { body: { kind: "json", text: '{"password":"{{password}}"}' } },
    assertions: [{ source: "statusCode", comparison: "equals", target: 200 }],
    captures: [{ name: "token", source: "jsonPath", property: "$.token", secret: true }],
  });
  const order = await createTest("Orders", {
    ...{ name: "Read an order", method: "get", path: "/orders" },
    request: { headers: [{ name: "Authorization", value: "Bearer {{token}}" }] },
    assertions: [{ source: "jsonPath", property: "$.state", comparison: "equals", target: "open" }],
  });
  const created = await backend.testRegistry.createCircle({
    body: {
      name: "Orders, every morning",
      members: [{ testId: login, phase: "setUp" }, { testId: order }],
      variables: [{ name: "password", value: password, secret: true }],
    },
  });
  return requireValue(created, "creating the circle").id;
}

/** A mail channel with an address confirmed by its email, which the organization's rule notifies. */
async function createMailRule(): Promise<string> {
  const created = await backend.testAnalyzer.createChannel({
    body: { kind: "mail", name: "On call", enabled: true, addresses: [onCall] },
  });
  const { id } = requireValue(created, "creating the channel");
  const link = /http:\S+token=\S+/.exec((await mailServer.newest(onCall)).text ?? "")![0];
  const confirmed = await backend.testAnalyzer.confirmAddress({
    body: { token: new URL(link).searchParams.get("token")! },
  });
  requireValue(confirmed, "confirming the address");
  requireValue(
    await backend.testAnalyzer.createRule({ body: { scope: { kind: "organization" }, channelIds: [id] } }),
    "creating the rule",
  );
  return id;
}

async function until<Value>(read: () => Promise<Value>, fits: (value: Value) => unknown): Promise<Value> {
  for (;;) {
    const value = await read();
    if (fits(value)) return value;
    await pause(20);
  }
}

/** The content of the single incident, once the run has been judged. */
async function incidentBy(fits: (incident: Awaited<ReturnType<typeof listIncidents>>[number]) => boolean) {
  const incidents = await until(listIncidents, (found) => found[0] && fits(found[0]));
  expect(incidents).toHaveLength(1);
  return incidents[0]!;
}
const listIncidents = async () =>
  requireValue(await backend.testAnalyzer.listIncidents({ query: {} }), "incidents").items;

const alerts = () => mailServer.received.filter(({ subject }) => !subject?.startsWith("Send alerts to"));

test("the user on call is mailed once when a circle breaks and once when it recovers, with the reason, and no secret", async () => {
  const channelId = await createMailRule();
  const testCircleId = await createCircle();
  const run = () => runBySchedule(backend, portal.database.url, testCircleId);

  expect(await run()).toMatchObject({ verdict: "passed", trigger: "schedule", counts: { passed: 2 } });
  shop.breakDown(true);
  const first = await run();
  expect(first).toMatchObject({ verdict: "failed", counts: { passed: 1, failed: 1 } });
  const { id: incidentId, since } = await incidentBy(({ runId }) => runId === first.id);
  const email = await mailServer.newest(onCall, /fails/);
  expect(email).toMatchObject({
    subject: "Incident: Read an order fails (Orders, circle Orders, every morning)",
    from: { address: "portal@example.com" },
  });
  expect(email.text).toContain('> $.state: expected "open", found "stack trace with Bearer [secret] and [secret]".');
  expect(email.text).toContain(`It has failed since ${formatMoment(since)}.`);
  expect(email.text).toContain("GET /orders (Read an order; Orders, circle Orders, every morning)");

  expect(email.text).toContain("Severity: ");
  const cookie = await signInForCookies(portal.origin, portal);
  for (const linked of [`/runs/${first.id}`, `/incidents/${incidentId}`]) {
    const address = new RegExp(`http:\\S+${linked}`).exec(email.text ?? "")![0];
    const page = await ask(portal.origin, new URL(address).pathname, { headers: { cookie } });
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining("Read an order") });
  }

  const again = await run();
  expect((await incidentBy(({ runId }) => runId === again.id)).since).toBe(since);
  const muted = await backend.testAnalyzer.muteIncident({
    params: { incidentId },
    body: { until: new Date(Date.now() + 3_600_000).toISOString() },
  });
  expect(requireValue(muted, "muting")).toMatchObject({ state: "muted" });
  const whileMuted = await run();
  await incidentBy(({ runId }) => runId === whileMuted.id);

  shop.breakDown(false);
  expect(await run()).toMatchObject({ verdict: "passed" });
  await incidentBy(({ state }) => state === "resolved");
  const last = await mailServer.newest(onCall, /Resolved/);
  expect(last.text).toMatch(/It failed from .* UTC to .* UTC\./);

  const deliveries = await backend.testAnalyzer.listDeliveries({ params: { channelId }, query: {} });
  expect(requireValue(deliveries, "deliveries").items.map(({ state, title }) => [state, title])).toEqual([
    ["delivered", "Resolved: Read an order fails"],
    ["delivered", "Read an order fails"],
  ]);
  expect(alerts().map(({ subject }) => subject)).toEqual([
    "Incident: Read an order fails (Orders, circle Orders, every morning)",
    "Resolved: Read an order fails (Orders, circle Orders, every morning)",
  ]);
  for (const { text, html, raw } of mailServer.received) {
    for (const secret of [password, token]) expect(`${text} ${html} ${raw}`).not.toContain(secret);
  }
  for (const secret of [password, token]) expect(portal.output()).not.toContain(secret);
});
