import { gzipSync } from "node:zlib";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testEngines } from "../../kit/testing/databases.ts";
import { startTarget, type Target } from "../testing/target.ts";
import { createExecutionWorld, type ExecutionWorld } from "../testing/world.ts";

const canaries = {
  basic: "canary-Basic/+?&%\"pass'1",
  bearer: "canaryBearerTokenüñ-0123456789",
  apiKey: "canary key with spaces & signs=7",
};

function listEncodings(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    encodeURIComponent(encodeURIComponent(secret)),
    new URLSearchParams({ s: secret }).toString().slice(2),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
    Buffer.from(`ana:${secret}`).toString("base64").replace(/=+$/, ""),
    // Within longer base64, at the two other alignments: the part that only the secret determines.
    Buffer.from(`x${secret}`).toString("base64").slice(2, -4),
    Buffer.from(`xy${secret}`).toString("base64").slice(3, -4),
  ];
}

let used: string = canaries.basic;

/** Responds with everything it received, and the secret in use in every encoding. */
function echo(target: Target) {
  target.answer((request, response) => {
    const all = `${request.url} ${JSON.stringify(request.headers)} ${request.text}`;
    const shifted = ["x", "xy", "xyz"].map((before) => Buffer.from(`${before}${used}`).toString("base64"));
    const said = [...listEncodings(used).slice(0, -2), ...shifted];
    const text = JSON.stringify({
      all,
      said,
      base64: Buffer.from(all).toString("base64"),
      url: encodeURIComponent(all),
    });
    const header = encodeURIComponent(request.headers.authorization ?? request.url ?? "");
    if (request.url?.startsWith("/redirect")) {
      response.writeHead(302, { location: `/end?echo=${header}&basic=${request.headers.authorization ?? ""}` }).end();
      return;
    }
    const zipped = gzipSync(text);
    response.writeHead(200, {
      "content-type": "application/json",
      "content-encoding": "gzip",
      "x-echo": request.headers.authorization ?? "none",
      "x-echo-url": header,
      "set-cookie": `seen=${Buffer.from(request.headers.authorization ?? "").toString("base64")}`,
    });
    // Split so that a secret lies across chunks.
    for (let index = 0; index < zipped.length; index += 7) response.write(zipped.subarray(index, index + 7));
    response.end();
  });
}

async function listEverythingStored(world: ExecutionWorld): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
    where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`.execute(
    world.database.kysely,
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await sql<{ text: string }>`select row::text as text from ${sql.raw(name)} as row`.execute(
        world.database.kysely,
      );
      // A row's text form doubles quotes and backslashes inside quoted fields.
      return rows.map(({ text }) => text.replace(/""/g, '"').replace(/\\\\/g, "\\")).join("\n");
    }),
  );
  return texts.join("\n");
}

for (const engine of testEngines()) {
  let world: ExecutionWorld;
  let target: Target;
  beforeAll(async () => {
    world = await createExecutionWorld(await engine.open(), { withAnalyzer: true });
    target = await startTarget(() => {});
    echo(target);
  });
  afterAll(async () => {
    await world.stop();
    await world.database.close();
    await target.close();
  });

  test(`${engine.name}: H09 L03: an echo of credentials leaves no secret in any table, response, record or log line`, async () => {
    const results: string[] = [];
    for (const [kind, credential] of [
      ["basic", { type: "basic", settings: { username: "ana" }, secret: canaries.basic }],
      ["bearer", { type: "bearer", settings: {}, secret: canaries.bearer }],
      [
        "header key",
        { type: "apiKey", settings: { in: "header", parameterName: "X-Api-Key" }, secret: canaries.apiKey },
      ],
      ["query key", { type: "apiKey", settings: { in: "query", parameterName: "key" }, secret: canaries.apiKey }],
      ["cookie key", { type: "apiKey", settings: { in: "cookie", parameterName: "key" }, secret: canaries.apiKey }],
    ] as const) {
      used = credential.secret;
      const tenant = await world.createTenant(target.baseUrl);
      // Header values are Latin-1; the token's own letters are sent unchanged where HTTP allows them.
      await tenant.createCredential({ name: kind, domain: target.host, ...credential });
      for (const path of ["/", "/redirect"]) {
        const { id } = await tenant.createTest({
          name: path,
          path,
          request: { followRedirects: true } as never,
          assertions: [
            { source: "statusCode", comparison: "equals", target: 200 },
            { source: "body", comparison: "contains", target: "nowhere in it" },
          ],
        });
        const execution = await tenant.run(id);
        expect(execution.attempts.length, kind).toBe(1);
        results.push(JSON.stringify(execution));
        const client = world.testAnalyzer({ token: tenant.token });
        const verified = await client.listVerifications({ params: { executionId: execution.id } });
        expect(verified.ok && verified.value.items.map(({ outcome }) => outcome)).toEqual(["passed", "failed"]);
        results.push(JSON.stringify(verified));
        expect(results.at(-1), kind).toContain("[secret]");
        const body = { apiId: tenant.apiId, method: "get", path, request: { followRedirects: true } };
        const sent = await tenant.client.sendRequest({ body });
        expect(sent.status).toBe(200);
        results.push(JSON.stringify(sent));
      }
    }
    const stored = await listEverythingStored(world);
    for (const [kind, secret] of Object.entries(canaries)) {
      for (const form of [...listEncodings(secret), JSON.stringify(JSON.stringify(secret)).slice(3, -3)]) {
        for (const [location, text] of Object.entries({
          answers: results.join(),
          stored,
          logs: world.logged.join(),
        })) {
          expect(text.toLowerCase().includes(form.toLowerCase()), `${kind} as ${form} in ${location}`).toBe(false);
        }
      }
    }
    expect(target.requests.some(({ headers }) => headers["x-api-key"] === canaries.apiKey)).toBe(true);
  });

  test(`${engine.name}: H09: a short secret is redacted in sent and received data, and in none of the product's own texts`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const short = { settings: { in: "query" as const, parameterName: "key" }, secret: "s" };
    await tenant.createCredential({ name: "short", domain: target.host, type: "apiKey", ...short });
    target.answer((_, response) => {
      response.writeHead(418, { "content-type": "application/json" }).end('{"status":"sold as seen"}');
    });
    const { id } = await tenant.createTest({
      name: "short",
      path: "/pets",
      assertions: [
        { source: "statusCode", comparison: "equals", target: 200 },
        { source: "jsonPath", property: "$.status", comparison: "equals", target: "available" },
      ],
    });
    const execution = await tenant.run(id);
    expect(execution).toMatchObject({ verdict: "failed", attempts: [{ verdict: "failed" }] });
    expect(execution.attempts[0]!.request!.url).toBe(`${target.baseUrl}/pet[secret]?key=[secret]`);
    expect(execution.attempts[0]!.response!.body).toBe('{"[secret]tatu[secret]":"[secret]old a[secret] [secret]een"}');
    const verified = await world
      .testAnalyzer({ token: tenant.token })
      .listVerifications({ params: { executionId: execution.id } });
    expect(verified.ok && verified.value.items.map(({ message }) => message)).toEqual([
      "Expected status code 200, got 418.",
      '$.status: expected "available", found "[secret]old a[secret] [secret]een".',
    ]);
    echo(target);
  });

  test(`${engine.name}: L02: a credential bound to another domain is not sent, and the cause says so`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const elsewhere = await tenant.createCredential({
      name: "elsewhere",
      domain: "api.example.com",
      type: "bearer",
      settings: {},
      secret: canaries.bearer,
    });
    const before = target.requests.length;
    const named = await tenant.createTest({
      request: {
        authorization: { kind: "credentials", bindings: [{ schemeName: "", credentialId: elsewhere }] },
      } as never,
    });
    expect(await tenant.run(named.id)).toMatchObject({ verdict: "errored", cause: { code: "credential_refused" } });
    expect(target.requests.length).toBe(before);
    const inheriting = await tenant.createTest({ name: "inherits" });
    await tenant.run(inheriting.id);
    expect(target.requests.at(-1)!.headers.authorization).toBeUndefined();
  });

  test(`${engine.name}: L02: secrets are not sent when a redirect leads to another origin`, async () => {
    const other = await startTarget((_, response) => void response.end("other"));
    const tenant = await world.createTenant(target.baseUrl);
    await tenant.createCredential({
      name: "key",
      domain: target.host,
      type: "apiKey",
      settings: { in: "header", parameterName: "X-Api-Key" },
      secret: canaries.apiKey,
    });
    target.answer((_, response) => void response.writeHead(307, { location: `${other.baseUrl}/` }).end());
    const { id } = await tenant.createTest({ request: { followRedirects: true } as never });
    await tenant.run(id);
    expect(target.requests.at(-1)!.headers["x-api-key"]).toBe(canaries.apiKey);
    expect(other.requests).toHaveLength(1);
    expect(other.requests[0]!.headers["x-api-key"]).toBeUndefined();
    echo(target);
    await other.close();
  });

  test(`${engine.name}: one organization's credentials are not used for another's request`, async () => {
    const owner = await world.createTenant(target.baseUrl);
    const id = await owner.createCredential({
      name: "mine",
      domain: target.host,
      type: "bearer",
      settings: {},
      secret: "owner-only-secret",
    });
    const other = await world.createTenant(target.baseUrl);
    const inheriting = await other.createTest();
    await other.run(inheriting.id);
    expect(target.requests.at(-1)!.headers.authorization).toBeUndefined();
    const using = (credentialId: string) =>
      other.createTest({
        request: { authorization: { kind: "credentials", bindings: [{ schemeName: "", credentialId }] } } as never,
      });
    await expect(using(id)).rejects.toThrow("422");
    // Nor if a test references it in another way.
    const own = await other.createCredential({
      ...{ name: "own", domain: target.host, type: "bearer", settings: {}, secret: "own-secret" },
    });
    const stealing = await using(own);
    await sql`update test_registry.tests set definition = replace(definition::text, ${own}, ${id})::json
      where id = ${stealing.id}`.execute(world.database.kysely);
    expect(await other.run(stealing.id)).toMatchObject({ verdict: "errored", cause: { code: "credential_missing" } });
  });
}
