import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { startTarget, type Target } from "../../services/test-executioner/testing/target.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import type { FormPage } from "../support/form-page.ts";
import { joinAs } from "../support/handled-newcomer.ts";
import { type HandledPortal, openHandledPortal, type Visitor } from "../support/handled-portal.ts";

let portal: HandledPortal;
let visitor: Visitor;
let target: Target;
beforeAll(async () => {
  portal = await openHandledPortal();
  visitor = await portal.signIn();
});
const targets: Target[] = [];
afterAll(async () => {
  await Promise.all([portal?.stop(), ...targets.map((one) => one.close())]);
});

/** Each test has a host of its own, as credentials belong to hosts: no port is free for another before the end. */
beforeEach(async () => {
  target = await startTarget(({ headers }, response) => {
    const isKnown = headers["x-api-key"] === "canary-9c1e";
    response.writeHead(isKnown ? 200 : 401, { "content-type": "application/json" });
    response.end("[]");
  });
  targets.push(target);
});

const apiKey = { type: "apiKey", in: "header", name: "X-API-Key" };
const asks = "This API requires an API key in X-API-Key; none is stored";

interface Documented {
  securitySchemes?: Record<string, object>;
  security?: Record<string, string[]>[];
}

function documentOf(title: string, { securitySchemes = { key: apiKey }, security = [{ key: [] }] }: Documented = {}) {
  const get = { security, responses: { 200: { description: "The pets" } } };
  return JSON.stringify({
    ...{ openapi: "3.1.0", info: { title, version: "1" }, servers: [{ url: target.baseUrl }] },
    ...{ paths: { "/pets": { get } }, components: { securitySchemes } },
  });
}

async function register(title: string, documented?: Documented): Promise<string> {
  const source = { document: documentOf(title, documented) };
  return requireValue(await portal.backend.apiRegistry.registerApi({ body: { source } }), "API").id;
}

/** The run of a circle, once it has ended. */
async function ended(page: FormPage): Promise<FormPage> {
  const runId = /executions\/([^/?]+)/.exec(page.address)![1]!;
  await expect
    .poll(
      async () => {
        const query = { limit: 1 };
        return requireValue(await portal.backend.testExecutioner.getRun({ params: { runId }, query }), "run").state;
      },
      { timeout: 20_000 },
    )
    .toBe("finished");
  return await visitor.open(page.address);
}

async function runOwnTest(apiId: string, authorization: { kind: "inherit" | "none" }) {
  const body = {
    ...{ name: "Lists the pets", method: "get", path: "/pets", request: { authorization } },
    assertions: [{ source: "statusCode" as const, comparison: "equals" as const, target: 200 }],
  };
  const { testRegistry, testExecutioner } = portal.backend;
  const { id: testId } = requireValue(await testRegistry.createTest({ params: { apiId }, body }), "test");
  const ran = requireValue(await toTheEnd(testExecutioner).runTest({ params: { testId }, body: {} }), "execution");
  return `/test-management/${apiId}/tests/${testId}/executions/${ran.id}/verifications`;
}

test("from an empty dashboard with an API key: the document, the note, the key, and a run that passes", async () => {
  const form = await visitor.open("/api-management/register");
  const given = { way: "text", document: documentOf("Pets") };
  const checked = await form.submit("Validate", given);
  expect(checked.text).toContain(asks);
  const made = await checked.submit("Register", given);
  expect(made.heading).toBe("Generate tests");
  expect(made.text).toContain(asks);
  const stored = await made.submit("Store it", { secret: "canary-9c1e" });
  expect([stored.heading, stored.text.includes(asks)]).toEqual(["Generate tests", false]);
  expect(stored.text).toContain(`key of ${target.host} is stored, for ${target.host} only.`);
  const run = await ended(await stored.submit("Create and run", { invalid: false }));
  expect(target.requests.map(({ url, headers }) => [url, headers["x-api-key"]])).toEqual([["/pets", "canary-9c1e"]]);
  expect(run.text).toContain("Passed");
  expect(run.text).not.toContain(asks);
});

test("the note's form has host, type and name filled in, and an error keeps them and shows no secret", async () => {
  const apiId = await register("Filled");
  const page = await visitor.open(`/test-management/${apiId}/tests/make`);
  const filled = {
    domain: target.host,
    type: "apiKey",
    "settings.in": "header",
    "settings.parameterName": "X-API-Key",
  };
  for (const [name, value] of Object.entries(filled)) {
    expect(page.html).toContain(`<input type="hidden" name="${name}" value="${value}"/>`);
  }
  const empty = await page.submit("Store it");
  expect([empty.status, empty.heading, empty.errors("secret")]).toEqual([
    422,
    "Authentication of Filled",
    "Enter the secret",
  ]);
  const refused = await empty.submit("Store it", { domain: "not a host!", secret: "canary-9c1e" });
  expect([refused.status, refused.value("domain"), refused.errors("domain") !== ""]).toEqual([
    422,
    "not a host!",
    true,
  ]);
  expect(refused.value("settings.parameterName")).toBe("X-API-Key");
  expect(refused.html).not.toContain("canary-9c1e");
  const back = await refused.submit("Store it", { domain: target.host, secret: "canary-9c1e" });
  expect(back.address).toBe(page.address);
});

test("a name that is taken is reported at its field", async () => {
  const body = { name: `key of ${target.host}`, domain: "other.example.com", type: "bearer" as const, settings: {} };
  requireValue(await portal.backend.securityService.createCredential({ body: { ...body, secret: "taken" } }), "other");
  const apiId = await register("Taken");
  const page = await visitor.open(`/api-management/${apiId}/details`);
  const refused = await page.submit("Store it", { secret: "canary-9c1e" });
  expect([refused.status, refused.errors("name")]).toEqual([409, "Another credential has this name"]);
});

test("an inherited test without a credential ends errored, unsent; its pages ask for the key and accept nothing", async () => {
  const apiId = await register("Unsent");
  const execution = await visitor.open(await runOwnTest(apiId, { kind: "inherit" }));
  expect(target.requests).toEqual([]);
  expect(execution.text).toContain(`No credential for ${target.host}: the operation requires an API key in X-API-Key`);
  expect(execution.text).toContain(asks);
  const stored = await execution.submit("Store it", { secret: "canary-9c1e" });
  expect(stored.address).toBe(execution.address);
  expect(stored.text).not.toContain(asks);
});

test("a 401 can't be accepted as expected while the scheme is unanswered, and can once it is answered", async () => {
  const apiId = await register("Refused");
  const address = await runOwnTest(apiId, { kind: "none" });
  const page = await visitor.open(address);
  expect(target.requests).toHaveLength(1);
  expect(page.text).toContain(asks);
  expect(page.text).not.toContain("Update expected value");
  expect((await visitor.open(`${address}?dialog=accept&assertion=0`)).text).not.toContain("Update the expected value?");
  const forced = await visitor.post(address, { intent: "accept", assertion: "0", version: "1" });
  expect(forced.text).toContain("This can't be accepted");
  const stored = await page.submit("Store it", { secret: "canary-9c1e" });
  expect(stored.text).toContain("Update expected value");
});

test("a run that was refused asks for the key once, however many of its members need it", async () => {
  const apiId = await register("Run");
  await runOwnTest(apiId, { kind: "inherit" });
  await runOwnTest(apiId, { kind: "none" });
  const body = { source: { apiId, include: "safe" as const } };
  const started = requireValue(await toTheEnd(portal.backend.testExecutioner).startRun({ body }), "run");
  const run = await visitor.open(`/test-management/${apiId}/runs/${started.id}`);
  expect(run.text.split(asks)).toHaveLength(2);
  expect((await run.submit("Store it", { secret: "canary-9c1e" })).address).toBe(run.address);
});

test("settings list each scheme with its credential for each host, and a stored one can be chosen", async () => {
  const securitySchemes = { key: apiKey, login: { type: "http", scheme: "basic" } };
  const apiId = await register("Listed", { securitySchemes, security: [{ key: [] }, { login: [] }] });
  const { apiRegistry, securityService } = portal.backend;
  const items = [{ name: "Staging", baseUrl: "https://staging.example.com", variables: {} }];
  requireValue(await apiRegistry.replaceEnvironments({ params: { apiId }, body: { items } }), "environments");
  const header = { in: "header" as const, parameterName: "X-Other" };
  const other = { name: "Listed other", domain: "*.example.com", type: "apiKey" as const, settings: header };
  requireValue(await securityService.createCredential({ body: { ...other, secret: "other-secret" } }), "credential");
  const details = await visitor.open(`/api-management/${apiId}/details`);
  expect(details.text).toContain(
    "This API requires an API key in X-API-Key or a user name and password (HTTP Basic); none is stored",
  );
  const page = await details.follow("authentication");
  expect(page.heading).toBe("Authentication of Listed");
  expect(page.rows("key").map((row) => row.includes("None stored"))).toEqual([true, true]);
  expect(page.rows("login")[0]).toContain("a user name and password (HTTP Basic)");
  const form = await page.follow("Store one for key at staging.example.com");
  expect((await form.submit("Use it")).errors("credentialId")).toBe("Choose a credential");
  const credentialId = form.html.match(/<option value="([^"]+)"[^>]*>Listed other/)![1]!;
  const bound = await form.submit("Use it", { credentialId });
  expect(bound.text).toContain("key is mapped to Listed other at staging.example.com.");
  expect(bound.rows("staging.example.com")[0]).toContain("Listed other");
  const basic = await bound.follow(`Store one for login at ${target.host}`);
  const stored = await basic.submit("Store it", { "settings.username": "ana", secret: "a long password" });
  expect(stored.rows("login")[0]).toContain(`login of ${target.host}`);
  expect((await visitor.open(`/api-management/${apiId}/details`)).text).not.toContain("none is stored");
});

test("a second credential for a scheme that is answered replaces the first there", async () => {
  const apiId = await register("Replaced");
  const page = await visitor.open(`/api-management/${apiId}/details/authentication`);
  await page.submit("Store it", { secret: "first-secret" });
  const again = await (await visitor.open(page.address)).follow("Use another");
  const stored = await again.submit("Store it", { name: "Second key", secret: "canary-9c1e" });
  expect(stored.rows("key")[0]).toContain("Second key");
  const execution = await visitor.open(await runOwnTest(apiId, { kind: "inherit" }));
  expect(execution.text).toContain("Passed");
});

test("an API whose document names no scheme is asked whether its host's credential is sent, and the answer counts", async () => {
  const apiId = await register("Schemeless", { securitySchemes: {}, security: [] });
  const make = () => visitor.open(`/test-management/${apiId}/tests/make`);
  expect((await make()).text).not.toContain("with tests of this API?");
  const settings = { in: "header" as const, parameterName: "X-API-Key" };
  const body = {
    name: "Schemeless key",
    domain: target.host,
    type: "apiKey" as const,
    settings,
    secret: "canary-9c1e",
  };
  requireValue(await portal.backend.securityService.createCredential({ body }), "credential");
  const page = await make();
  expect(page.text).toContain("Send Schemeless key with tests of this API?");
  const answered = await page.submit("Send it");
  expect([answered.heading, answered.text.includes("with tests of this API?")]).toEqual(["Generate tests", false]);
  const run = await ended(await answered.submit("Create and run"));
  expect(run.text).toContain("Passed");
  expect(target.requests.at(-1)!.headers["x-api-key"]).toBe("canary-9c1e");
  const authentication = await visitor.open(`/api-management/${apiId}/details/authentication`);
  expect(authentication.text).toContain("Generated tests send them.");
  expect((await authentication.submit("Don't send them")).text).toContain("Generated tests don't send them.");
});

test("who may not store credentials is told who may, and what is sent all the same is refused", async () => {
  const apiId = await register("Editors");
  const editor = await joinAs(portal, "EDITOR");
  const page = await editor.open(`/test-management/${apiId}/tests/make`);
  expect(page.text).toContain(asks);
  expect(page.text).toContain("An administrator can add it");
  const address = `/api-management/${apiId}/details/authentication`;
  expect((await editor.open(address)).html).not.toContain('name="secret"');
  for (const intent of ["store", "bind"]) expect((await editor.post(address, { intent })).status).toBe(403);
  const viewer = await joinAs(portal, "VIEWER");
  for (const intent of ["send", "keep"]) expect((await viewer.post(address, { intent })).status).toBe(403);
  expect((await visitor.post(address, { intent: "other" })).status).toBe(400);
});

test("storing leads back to pages of this portal only", async () => {
  const apiId = await register("Returns");
  const address = `/api-management/${apiId}/details/authentication?returnTo=https%3A%2F%2Fevil.example.com`;
  const stored = await (await visitor.open(address)).submit("Store it", { secret: "canary-9c1e" });
  expect(stored.address).toBe(`/api-management/${apiId}/details/authentication`);
});
