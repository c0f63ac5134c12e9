import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Authority, createAuthority } from "#libraries/egress/testing/certificates.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { awsServer } from "../testing/aws-server.ts";
import { digestServer } from "../testing/digest-server.ts";
import { type Responding, startTarget } from "../testing/target.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";

const password = "canary-password/+&%7:é";
const accessKey = { accessKeyId: "AKIDEXAMPLE", region: "eu-central-1", service: "execute-api" };
let world: ExecutionWorld;
let authority: Authority;

beforeAll(async () => {
  world = await createExecutionWorld(await testEngines()[0].open());
  authority = await createAuthority();
});
afterAll(async () => {
  await world.stop();
  await world.database.close();
  await authority.remove();
});

async function start(answering: Responding) {
  const target = await startTarget(answering);
  onTestFinished(() => target.close());
  return target;
}

async function startSecure(requiresCertificate: boolean) {
  const seen: unknown[] = [];
  let location: string | undefined;
  const certificate = await authority.issue("server", "IP:127.0.0.1", 30);
  const options = { ...certificate, ca: authority.ca, requestCert: true, rejectUnauthorized: requiresCertificate };
  const server = createServer(options, (request, response) => {
    seen.push((request.socket as TLSSocket).getPeerCertificate()?.subject?.CN);
    if (location) response.writeHead(307, { location });
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    baseUrl: `https://${host}`,
    seen,
    redirectTo(url: string) {
      location = url;
    },
  };
}

test.each(["SHA-256", "MD5"] as const)(
  "a Digest challenge with %s is answered, also with a body and a query",
  async (algorithm) => {
    const target = await start(digestServer(algorithm, { username: "ana", password }));
    const tenant = await world.createTenant(target.baseUrl);
    const settings = { username: "ana" };
    await tenant.createCredential({ name: "ana", domain: target.host, type: "digest", settings, secret: password });
    const read = await tenant.run((await tenant.createTest()).id);
    expect(read).toMatchObject({ verdict: "passed", attempts: [{ response: { status: 200 } }] });
    const written = await tenant.createTest({
      name: "writes",
      method: "post",
      path: "/orders",
      request: {
        query: [{ name: "q", value: "a b", enabled: true }],
        body: { kind: "json", text: '{"a":1}' },
      } as never,
    });
    expect((await tenant.run(written.id)).verdict).toBe("passed");
    expect(target.requests.map(({ method, headers }) => [method, Boolean(headers.authorization)])).toEqual([
      ["GET", false],
      ["GET", true],
      ["POST", false],
      ["POST", true],
    ]);
    // Values derived from the password are redacted like it.
    const response = /response="([0-9a-f]+)"/.exec(target.requests.at(1)!.headers.authorization!)![1]!;
    const revealed = JSON.stringify([read, world.logged]);
    expect(revealed).not.toContain(response);
    expect(revealed).toContain('response=\\"[secret]');
    expect(revealed).not.toContain("canary-password");
  },
);

test("a wrong Digest password is tried once, and the refusal is the response", async () => {
  const target = await start(digestServer("SHA-256", { username: "ana", password: "another" }));
  const tenant = await world.createTenant(target.baseUrl);
  const settings = { username: "ana" };
  await tenant.createCredential({ name: "ana", domain: target.host, type: "digest", settings, secret: password });
  const execution = await tenant.run((await tenant.createTest()).id);
  expect(execution).toMatchObject({ verdict: "failed", attempts: [{ response: { status: 401 } }] });
  expect(target.requests).toHaveLength(2);
});

test("L02: a challenge of another host, after a redirect, is not answered", async () => {
  const other = await start(digestServer("MD5", { username: "ana", password }));
  const target = await start((_, response) => {
    response.writeHead(307, { location: `${other.baseUrl}/` }).end();
  });
  const tenant = await world.createTenant(target.baseUrl);
  const settings = { username: "ana" };
  await tenant.createCredential({ name: "ana", domain: target.host, type: "digest", settings, secret: password });
  const { id } = await tenant.createTest({ request: { followRedirects: true } as never });
  expect(await tenant.run(id)).toMatchObject({ attempts: [{ response: { status: 401 } }] });
  expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});

test("a request is signed for AWS as AWS verifies it, and its signature is redacted", async () => {
  const target = await start(awsServer(accessKey.accessKeyId, password));
  const tenant = await world.createTenant(target.baseUrl);
  const credential = {
    name: "key",
    domain: target.host,
    type: "awsSignatureV4",
    settings: accessKey,
    secret: password,
  };
  await tenant.createCredential(credential);
  const written = await tenant.createTest({
    method: "post",
    path: "/orders and more",
    request: {
      query: [
        { name: "q", value: "b c", enabled: true },
        { name: "a", value: "1", enabled: true },
      ],
      body: { kind: "json", text: '{"a":"é"}' },
    } as never,
  });
  const execution = await tenant.run(written.id);
  expect(execution.verdict).toBe("passed");
  const signature = target.requests[0]!.headers.authorization!.slice(-64);
  const revealed = JSON.stringify([execution, world.logged]);
  expect(revealed).not.toContain(signature);
  expect(revealed).toContain("Signature=[secret]");
  expect(revealed).not.toContain("canary-password");
});

test("L02: a signature is not sent when a redirect leads to another origin", async () => {
  const other = await start((_, response) => void response.end("other"));
  const target = await start((_, response) => {
    response.writeHead(307, { location: `${other.baseUrl}/` }).end();
  });
  const tenant = await world.createTenant(target.baseUrl);
  const credential = {
    name: "key",
    domain: target.host,
    type: "awsSignatureV4",
    settings: accessKey,
    secret: password,
  };
  await tenant.createCredential(credential);
  const { id } = await tenant.createTest({ request: { followRedirects: true } as never });
  await tenant.run(id);
  expect(target.requests[0]!.headers.authorization).toContain("Signature=");
  expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});

async function createClientCredential(domain: string) {
  const client = await authority.issue("portal client", "DNS:client.test", 30);
  return {
    name: domain,
    domain,
    type: "mutualTls",
    settings: { certificate: client.cert, authority: authority.ca },
    // A single-line field removes line breaks.
    secret: client.key.replaceAll("\n", ""),
  };
}

test("a server that requires a client certificate gets it, and refuses clients without one", async () => {
  const server = await startSecure(true);
  const tenant = await world.createTenant(server.baseUrl);
  const { id } = await tenant.createTest();
  expect((await tenant.run(id)).verdict).toBe("errored");
  const credential = await createClientCredential(server.host);
  await tenant.createCredential(credential);
  const run = async () => (await tenant.run(id)).verdict;
  // Opened credentials are cached for a second.
  await expect.poll(run).toBe("passed");
  expect(server.seen).toEqual(["portal client"]);
  const other = await world.createTenant(server.baseUrl);
  expect((await other.run((await other.createTest()).id)).verdict).toBe("errored");
});

test("L02: a client certificate is only presented to its own domain, also when a redirect leads elsewhere", async () => {
  const [server, elsewhere] = [await startSecure(true), await startSecure(false)];
  server.redirectTo(`${elsewhere.baseUrl}/`);
  const tenant = await world.createTenant(server.baseUrl);
  await tenant.createCredential(await createClientCredential(server.host));
  const { id } = await tenant.createTest({ request: { followRedirects: true } as never });
  expect((await tenant.run(id)).verdict).toBe("passed");
  expect(server.seen).toEqual(["portal client"]);
  expect(elsewhere.seen).toEqual([undefined]);
});

test("a client certificate that a test names is not treated as a credential that http could carry", async () => {
  const target = await start((_, response) => void response.end());
  const tenant = await world.createTenant(target.baseUrl);
  const credentialId = await tenant.createCredential(await createClientCredential(target.host));
  const { id } = await tenant.createTest({
    request: { authorization: { kind: "credentials", bindings: [{ schemeName: "", credentialId }] } } as never,
  });
  const execution = await tenant.run(id);
  expect(execution).toMatchObject({ verdict: "errored", cause: { code: "credential_mismatch" } });
  expect(execution.cause?.detail).toContain("is not https");
  expect(target.requests).toEqual([]);
});
