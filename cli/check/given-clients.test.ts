import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createAuthority } from "#libraries/egress/testing/certificates.ts";
import { startTarget } from "../../services/test-executioner/testing/target.ts";
import { check } from "./check.ts";
import { chooseTokenUrl } from "./given-clients.ts";

const clientSecret = "canary-client-5e/+&%7";
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "check-clients-"));
});
afterAll(() => rm(folder, { recursive: true }));

const flags = { header: [], variable: [], only: [], include: [], invalid: false };

/** Writes a document whose only operation requires the scheme. */
async function writeDocument(scheme: object): Promise<string> {
  const responses = { 200: { description: "Books", content: { "application/json": { schema: { type: "array" } } } } };
  const document = {
    ...{ openapi: "3.1.0", info: { title: "Books", version: "1" }, security: [{ given: [] }] },
    paths: { "/books": { get: { operationId: "listBooks", responses } } },
    components: { securitySchemes: { given: scheme } },
  };
  const file = join(folder, "openapi.json");
  await writeFile(file, JSON.stringify(document));
  return file;
}

/** The exit code, and all that was written. */
async function run(document: string, given: object) {
  const report = join(folder, "report.json");
  const printed: string[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => printed.push(String(text)) > 0);
  try {
    const code = await check(document, { ...flags, ...given, report: [`json=${report}`] });
    return { code, written: (await readFile(report, "utf8")) + printed.join("") };
  } finally {
    write.mockRestore();
  }
}

test("an OAuth 2 client gets a token, with which the API is tested, and its secret is written nowhere", async () => {
  const issuer = await startTarget(({ headers, text }, response) => {
    const isIt = headers.authorization?.startsWith("Basic ") && text.includes("scope=books");
    response.writeHead(isIt ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(isIt ? { access_token: "canary-token-77", token_type: "Bearer" } : {}));
  });
  onTestFinished(() => issuer.close());
  const api = await startTarget(({ headers }, response) => {
    const isIt = headers.authorization === "Bearer canary-token-77";
    response.writeHead(isIt ? 200 : 401, { "content-type": "application/json" }).end("[]");
  });
  onTestFinished(() => api.close());
  const secretFile = join(folder, "secret");
  await writeFile(secretFile, `${clientSecret}\n`);
  const tokenUrl = `${issuer.baseUrl}/token`;
  const flow = { tokenUrl, scopes: { books: "All books" } };
  const document = await writeDocument({ type: "oauth2", flows: { clientCredentials: flow } });
  const client = { url: api.baseUrl, clientId: "ci", clientSecretFile: secretFile, scope: "books" };

  await expect(run(document, client)).rejects.toThrow(`add --token-url ${tokenUrl}`);
  expect([issuer.requests.length, api.requests.length]).toEqual([0, 0]);
  const { code, written } = await run(document, { ...client, tokenUrl });
  expect(code).toBe(0);
  expect(api.requests.length).toBeGreaterThan(0);
  expect(issuer.requests.length).toBe(1);
  expect(written).not.toContain("canary-");
  const refused = await run(document, { ...client, tokenUrl, scope: "other" });
  expect([refused.code, refused.written]).toEqual([2, expect.stringContaining("No access token")]);
});

test("a server that requires a client certificate is tested with the one that was given", async () => {
  const authority = await createAuthority();
  onTestFinished(() => authority.remove());
  const [own, client] = [
    await authority.issue("localhost", "IP:127.0.0.1", 1),
    await authority.issue("ci", "DNS:ci.example.com", 1),
  ];
  const seen: (string | undefined)[] = [];
  const server = createServer({ ...own, ca: authority.ca, requestCert: true }, (request, response) => {
    seen.push((request.socket as TLSSocket).getPeerCertificate().subject?.CN as string | undefined);
    response.writeHead(200, { "content-type": "application/json" }).end("[]");
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const files = { certificate: client.cert, privateKey: client.key, authority: authority.ca, other: own.key };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, `${name}.pem`), text);
  const file = (name: keyof typeof files) => join(folder, `${name}.pem`);
  const document = await writeDocument({ type: "mutualTLS" });
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const pair = { url, certificate: file("certificate"), privateKey: file("privateKey"), authority: file("authority") };

  const { code, written } = await run(document, pair);
  expect(code).toBe(0);
  expect(new Set(seen)).toEqual(new Set(["ci"]));
  expect(written).not.toContain("PRIVATE KEY");
  await expect(run(document, { ...pair, privateKey: file("other") })).rejects.toThrow("belong together");
  await expect(run(document, { url, certificate: pair.certificate })).rejects.toThrow("--private-key");
  // Without a certificate nothing is sent: the document requires one.
  await expect(run(document, { url })).rejects.toThrow("a client certificate (mutual TLS)");
});

test("a document decides where a client's secret goes only on the server that is tested", () => {
  const api = "https://api.example.com/v1";
  expect(chooseTokenUrl(undefined, "/oauth/token", api)).toBe("https://api.example.com/oauth/token");
  expect(chooseTokenUrl(undefined, "https://api.example.com/token", api)).toBe("https://api.example.com/token");
  expect(chooseTokenUrl("https://login.example.com/t", "https://evil.example/t", api)).toBe(
    "https://login.example.com/t",
  );
  expect(() => chooseTokenUrl(undefined, "https://evil.example/t", api)).toThrow("another server than --url");
  expect(() => chooseTokenUrl(undefined, undefined, api)).toThrow("--token-url");
});
