import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { movableClock } from "../../kit/clock/clock.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { respondJson, startTarget, type Target } from "../testing/target.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";

const clientSecret = "canary-client secret/+&%7:é";
const clock = movableClock(new Date());
let world: ExecutionWorld;
let api: Target;
let issuer: Target;
let issued: string[] = [];
/** Tokens that the API takes. */
const good = new Set<string>();

/** A token server of RFC 6749 that knows one client. */
function issue(target: Target, fields: object = { expires_in: 3_600 }) {
  target.answer((request, response) => {
    const token = `access-token-${issued.length + 1}-${"x".repeat(20)}`;
    issued.push(token);
    good.add(token);
    respondJson({ access_token: token, token_type: "Bearer", ...fields })(request, response);
  });
}

beforeAll(async () => {
  world = await createExecutionWorld(await testEngines()[0].open(), { clock });
  issuer = await startTarget(() => {});
  api = await startTarget((request, response) => {
    const isGood = good.has(request.headers.authorization?.replace("Bearer ", "") ?? "");
    response.writeHead(isGood ? 200 : 401).end(`you sent ${request.headers.authorization}`);
  });
});
afterEach(() => {
  issued = [];
  good.clear();
  issuer.requests.length = 0;
  api.requests.length = 0;
});
afterAll(async () => {
  await world.stop();
  await world.database.close();
  await Promise.all([api.close(), issuer.close()]);
});

async function createTenant(settings: object = {}) {
  issue(issuer);
  const tenant = await world.createTenant(api.baseUrl);
  const credentialId = await tenant.createCredential({
    name: "Portal client",
    domain: api.host,
    type: "oauth2ClientCredentials",
    settings: { tokenUrl: `${issuer.baseUrl}/token`, clientId: "portal 1", ...settings },
    secret: clientSecret,
  });
  return { ...tenant, credentialId };
}

test("a client gets its token at the token URL, and the API only gets the token", async () => {
  const tenant = await createTenant({ scope: "read write", audience: "https://api.test/" });
  const { id } = await tenant.createTest();
  const execution = await tenant.run(id);
  expect(execution.verdict).toBe("passed");
  const [requested] = issuer.requests;
  const encoded = "portal+1:canary-client+secret%2F%2B%26%257%3A%C3%A9";
  expect(requested).toMatchObject({ method: "POST", url: "/token" });
  expect(requested!.headers.authorization).toBe(`Basic ${Buffer.from(encoded).toString("base64")}`);
  expect(Object.fromEntries(new URLSearchParams(requested!.text))).toEqual({
    grant_type: "client_credentials",
    scope: "read write",
    audience: "https://api.test/",
  });
  expect(api.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${issued[0]}`]);
  expect(JSON.stringify(api.requests)).not.toContain("canary");
});

test("a client may send its ID and secret in the body instead", async () => {
  const tenant = await createTenant({ clientAuthentication: "client_secret_post" });
  expect((await tenant.run((await tenant.createTest()).id)).verdict).toBe("passed");
  const [requested] = issuer.requests;
  expect(requested!.headers.authorization).toBeUndefined();
  expect(Object.fromEntries(new URLSearchParams(requested!.text))).toEqual({
    grant_type: "client_credentials",
    client_id: "portal 1",
    client_secret: clientSecret,
  });
});

test("many requests share one token until it expires", async () => {
  const tenant = await createTenant();
  const { id } = await tenant.createTest();
  const runs = await Promise.all([tenant.run(id), tenant.run(id), tenant.run(id)]);
  expect(runs.map(({ verdict }) => verdict)).toEqual(["passed", "passed", "passed"]);
  expect(issued).toHaveLength(1);
  clock.advance(3_600_000);
  expect((await tenant.run(id)).verdict).toBe("passed");
  expect(issued).toHaveLength(2);
});

test("a refused token is replaced once, and the response to the new one is judged", async () => {
  const tenant = await createTenant();
  const { id } = await tenant.createTest();
  await tenant.run(id);
  good.clear();
  const execution = await tenant.run(id);
  expect(execution).toMatchObject({ verdict: "passed", attempts: [{ response: { status: 200 } }] });
  expect(issued).toHaveLength(2);
  expect(api.requests).toHaveLength(3);
  good.clear();
  issuer.answer(respondJson({ access_token: "never-good-token", token_type: "bearer" }));
  const refused = await tenant.run(id);
  expect(refused).toMatchObject({ verdict: "failed", attempts: [{ response: { status: 401 } }] });
  expect(api.requests).toHaveLength(5);
});

test("H09 L03: neither the client's secret nor a token, old or new, is in a result or a log line", async () => {
  const tenant = await createTenant();
  const { id } = await tenant.createTest();
  await tenant.run(id);
  good.clear();
  const execution = await tenant.run(id);
  const sent = await tenant.client.sendRequest({
    body: { apiId: tenant.apiId, method: "get", path: "/", request: {} },
  });
  const revealed = JSON.stringify([execution, sent, world.logged]);
  expect(issued).toHaveLength(2);
  for (const secret of [...issued, "canary-client"]) expect(revealed).not.toContain(secret);
  expect(revealed).toContain("you sent Bearer [secret]");
});

test("L02: a token is only sent to the credential's domain, also when a redirect leads elsewhere", async () => {
  const tenant = await createTenant();
  const other = await startTarget((_, response) => void response.writeHead(401).end());
  const redirecting = await startTarget((_, response) => {
    response.writeHead(307, { location: `${other.baseUrl}/` }).end();
  });
  await tenant.createCredential({
    name: "Redirected",
    domain: redirecting.host,
    type: "oauth2ClientCredentials",
    settings: { tokenUrl: `${issuer.baseUrl}/token`, clientId: "portal" },
    secret: clientSecret,
  });
  const { id } = await tenant.createTest({ request: { followRedirects: true, baseUrl: redirecting.baseUrl } as never });
  await tenant.run(id);
  expect(redirecting.requests[0]!.headers.authorization).toBe(`Bearer ${issued[0]}`);
  expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  // The other host's refusal says nothing about the token.
  expect(issued).toHaveLength(1);
  await Promise.all([other.close(), redirecting.close()]);
});

test("L02: a token URL that redirects gives no token, and its target gets no secret", async () => {
  const other = await startTarget((_, response) => void response.end("{}"));
  const tenant = await createTenant({ clientAuthentication: "client_secret_post" });
  issuer.answer((_, response) => void response.writeHead(307, { location: `${other.baseUrl}/` }).end());
  const execution = await tenant.run((await tenant.createTest()).id);
  expect(execution).toMatchObject({ verdict: "errored", cause: { code: "access_token_missing" } });
  expect(execution.cause?.detail).toContain(`${issuer.host} answered 307.`);
  expect(other.requests).toEqual([]);
  expect(api.requests).toEqual([]);
  await other.close();
});

test("a token URL that refuses the client, returns an invalid response or may not be requested is reported", async () => {
  const tenant = await createTenant();
  const { id } = await tenant.createTest();
  issuer.answer(respondJson({ error: "invalid_client", error_description: clientSecret }, 401));
  const refused = await tenant.run(id);
  expect(refused.cause?.detail).toContain("answered 401 (invalid_client).");
  issuer.answer((_, response) => void response.end("<html>"));
  expect((await tenant.run(id)).cause?.detail).toContain("none that can be sent");
  issue(issuer, { token_type: "mac" });
  expect((await tenant.run(id)).cause?.detail).toContain("no bearer tokens");
  const internal = await createTenant({ tokenUrl: "http://169.254.169.254/latest/token" });
  expect((await internal.run((await internal.createTest()).id)).cause?.detail).toContain("could not be asked");
});

test("a replaced client secret takes effect at once, with a new token", async () => {
  const tenant = await createTenant();
  const { id } = await tenant.createTest();
  await tenant.run(id);
  await tenant.changeCredential(tenant.credentialId, {
    name: "Portal client",
    domain: api.host,
    type: "oauth2ClientCredentials",
    settings: { tokenUrl: `${issuer.baseUrl}/token`, clientId: "portal 1" },
    secret: "another secret",
  });
  const countTokens = async () => {
    await tenant.run(id);
    return issued.length;
  };
  // Opened credentials are cached for a second.
  await expect.poll(countTokens).toBe(2);
  const pair = Buffer.from("portal+1:another+secret").toString("base64");
  expect(issuer.requests.at(-1)!.headers.authorization).toBe(`Basic ${pair}`);
});
