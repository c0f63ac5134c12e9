import { sql } from "kysely";
import { expect, test } from "vitest";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createSequentialWorld } from "../testing/sequential-world.ts";
import { toTheEnd } from "../testing/to-the-end.ts";

const created: Partial<TestInput> = {
  name: "Create a pet",
  captures: [{ name: "petId", source: "jsonPath", property: "$.id" }],
};
const read: Partial<TestInput> = {
  name: "Read the pet",
  request: { query: [{ name: "id", value: "{{petId}}", enabled: true }] } as never,
};

for (const engine of testEngines()) {
  const { world, target, runInOrder } = await createSequentialWorld(engine);

  test(`${engine.name}: H09: a capture is sealed if it contains a credential, whatever the test says about it`, async () => {
    const tenant = await world.createTenant(target.baseUrl);
    const secret = "canary-echoed-credential";
    await tenant.createCredential({ name: "key", domain: target.host, type: "bearer", settings: {}, secret });
    target.answer((request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ id: request.headers.authorization }));
    });
    const tests = [];
    for (const input of [created, read]) tests.push((await tenant.createTest(input)).id);
    const started = requireValue(
      await toTheEnd(tenant.client).startRun({ body: { source: { tests }, order: "sequential" } }),
      "start",
    );
    const run = await tenant.client.getRun({ params: { runId: started.id }, query: {} });
    expect(JSON.stringify(run)).not.toContain(secret);
    expect(requireValue(run, "get").captures).toMatchObject([{ name: "petId", secret: true }]);
    expect(target.requests.at(-1)!.url).toContain(secret);
    const { rows } = await sql<{ row: string }>`select t::text as row from test_executioner.run_captures t`.execute(
      world.database.kysely,
    );
    expect(rows.map(({ row }) => row).join()).not.toContain(secret);
  });

  test.each([
    { by: "its flag", capture: { secret: true } },
    { by: "its name", capture: {} },
  ])(
    `${engine.name}: L03: a capture that is secret by $by is used, and found in no table, response or log line`,
    async ({ capture }) => {
      const secret = "s3cr3t-token-from-login";
      target.answer((_, response) => {
        const headers = { "content-type": "application/json", "x-token": secret };
        response.writeHead(200, headers).end(JSON.stringify({ token: secret, also: `x${secret}x` }));
      });
      const { run, tenant } = await runInOrder([
        {
          name: "Log in",
          captures: [{ name: "token", source: "jsonPath", property: "$.token", ...capture }],
          assertions: [{ source: "jsonPath", property: "$.token", comparison: "equals", target: "else" }],
        },
        {
          name: "Use it",
          request: { headers: [{ name: "x-key", value: "{{token}}", enabled: true }] } as never,
          assertions: [{ source: "jsonPath", property: "$.also", comparison: "equals", target: "else" }],
        },
      ]);
      expect(target.requests.at(-1)!.headers["x-key"]).toBe(secret);
      expect(run.captures).toEqual([{ name: "token", value: null, secret: true, position: 1, type: "string" }]);
      const seen = [JSON.stringify(run), ...world.logged];
      for (const { executionId } of run.members.items) {
        const execution = requireValue(await tenant.client.getExecution({ params: { executionId } }), "execution");
        const analyzer = world.testAnalyzer({ token: tenant.token });
        const verifications = requireValue(await analyzer.listVerifications({ params: { executionId } }), "list");
        expect(verifications.items).toHaveLength(1);
        expect(JSON.stringify(execution)).toContain("[secret]");
        seen.push(JSON.stringify(execution), JSON.stringify(verifications));
      }
      for (const name of ["runs", "run_captures", "executions", "execution_details"]) {
        const { rows } = await sql<{ row: string }>`
        select row_to_json(kept)::text as row from ${sql.table(`test_executioner.${name}`)} kept
        where organization_id = ${tenant.organizationId}::uuid`.execute(world.database.kysely);
        expect(rows.length, name).toBeGreaterThan(0);
        seen.push(...rows.map(({ row }) => row));
      }
      expect(seen.filter((text) => text.includes(secret))).toEqual([]);
    },
  );

  test(`${engine.name}: H09: a short secret capture is redacted where it was inserted, and in none of the product's own texts`, async () => {
    target.answer((_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end('{"id":"st","st":"of it","status":"sold"}');
    });
    const { run, tenant } = await runInOrder([
      { name: "Log in", captures: [{ name: "token", source: "jsonPath", property: "$.id", secret: true }] },
      {
        name: "Use it",
        assertions: [
          { source: "jsonPath", property: "$.status", comparison: "equals", target: "first" },
          { source: "jsonPath", property: "$['{{token}}']", comparison: "equals", target: "of {{token}}" },
        ],
      },
    ]);
    const { executionId } = run.members.items[1]!;
    const analyzer = world.testAnalyzer({ token: tenant.token });
    const { items } = requireValue(await analyzer.listVerifications({ params: { executionId } }), "list");
    expect(items.map(({ property, message }) => [property, message])).toEqual([
      ["$.status", '$.status: expected "fir[secret]", found "sold".'],
      ["$['[secret]']", '$.[secret]: expected "of [secret]", found "of it".'],
    ]);
    for (const item of items) expect(item).toMatchObject({ comparison: "equals", outcome: "failed" });
  });

  test(`${engine.name}: L03: an object that is a secret is redacted in a response that formats it differently`, async () => {
    target.answer((_, response) => {
      const body = '{ "user": { "id": 7, "pin": "4711" } }';
      response.writeHead(200, { "content-type": "application/json" }).end(body);
    });
    const { run, tenant } = await runInOrder([
      { name: "Log in", captures: [{ name: "user", source: "jsonPath", property: "$.user", secret: true }] },
      { name: "Use it", request: { query: [{ name: "user", value: "{{user}}", enabled: true }] } as never },
    ]);
    for (const { executionId } of run.members.items) {
      const execution = requireValue(await tenant.client.getExecution({ params: { executionId } }), "execution");
      expect(execution.attempts[0]!.response!.body).toContain("[secret]");
      expect(JSON.stringify(execution)).not.toContain("4711");
    }
  });

  test(`${engine.name}: L03: a large response is redacted in a thread`, async () => {
    const secret = "s3cr3t-in-a-large-answer";
    const large = Buffer.from(`${"pets ".repeat(100_000)}${secret}`).toString("base64");
    target.answer((_, response) => {
      const body = JSON.stringify({ token: secret, large });
      response.writeHead(200, { "content-type": "application/json" }).end(body);
    });
    const { run, tenant } = await runInOrder([
      { name: "Log in", captures: [{ name: "token", source: "jsonPath", property: "$.token", secret: true }] },
      { name: "Use it", captures: [{ name: "large", source: "jsonPath", property: "$.large" }] },
    ]);
    for (const { executionId } of run.members.items) {
      const execution = requireValue(await tenant.client.getExecution({ params: { executionId } }), "execution");
      const { body } = execution.attempts[0]!.response!;
      expect(body).toMatch(/^\{"token":"\[secret\]","large":"[\w+/]{600000,}\[secret\]/);
    }
    // More than is stored for a later request.
    expect(run.captures.map(({ name }) => name)).toEqual(["token"]);
  });
}
