import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { TracingInput } from "#contracts/security-service/tracing.ts";
import { type Client, requireValue } from "../../kit/client/client.ts";
import type { Database } from "../../kit/database/database.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { createSecurityWorld, type SecurityWorld } from "../testing/world.ts";

for (const engine of testEngines()) {
  let database: Database;
  let world: SecurityWorld;
  let administrator: Client<typeof securityServiceContract>;
  let internal: Client<typeof securityServiceContract>;
  let stranger: Client<typeof securityServiceContract>;
  beforeAll(async () => {
    database = await engine.open();
    world = await createSecurityWorld(database);
    const { accessToken, caller } = await world.requireLogin();
    administrator = world.connect({ token: accessToken });
    internal = world.connect({ token: await world.serviceToken(caller.organizationId) });
    const other = { id: uuidv7(), kind: "organization" as const, name: "Other", created_at: new Date() };
    await world.db.insertInto("organizations").values(other).execute();
    stranger = world.connect({ token: await world.serviceToken(other.id) });
  });
  afterAll(async () => {
    await world.stop();
    await database.close();
  });

  const set = (changes: Partial<TracingInput>) =>
    administrator.setTracing({ body: { verifiedDomains: true, hosts: [], linkTemplate: "", ...changes } });
  const isTraced = async (host: string, client = internal) =>
    requireValue(await client.findHostRules({ body: { host } }), "rules").isTraced;

  test(`${engine.name}: hosts that an organization lists get a trace context, in that organization alone`, async () => {
    expect(requireValue(await administrator.getTracing(), "tracing")).toEqual({
      ...{ verifiedDomains: true, hosts: [], linkTemplate: "", updatedAt: null },
    });
    const linkTemplate = "https://tracer.example.com/trace/{traceId}?span={spanId}";
    const hosts = ["*.Staging.example.com", "10.0.0.5:8080"];
    const saved = requireValue(await set({ hosts, linkTemplate }), "saving");
    expect(saved).toMatchObject({ hosts: ["*.staging.example.com", "10.0.0.5:8080"], linkTemplate });
    expect(await isTraced("api.staging.example.com")).toBe(true);
    expect(await isTraced("10.0.0.5:8080")).toBe(true);
    expect(await isTraced("10.0.0.5")).toBe(false);
    expect(await isTraced("api.staging.example.com", stranger)).toBe(false);
  });

  test(`${engine.name}: a link that is no web address, has no trace id or other placeholders, and a wrong host are refused`, async () => {
    const errors = async (changes: Partial<TracingInput>) => {
      const result = await set(changes);
      return [result.status, ...(result.ok ? [] : (result.problem.errors ?? []).map(({ path }) => path))];
    };
    expect(await errors({ linkTemplate: "javascript:alert({traceId})" })).toEqual([422, "linkTemplate"]);
    expect(await errors({ linkTemplate: "https://tracer.example.com/" })).toEqual([422, "linkTemplate"]);
    expect(await errors({ linkTemplate: "https://{host}/{traceId}" })).toEqual([422, "linkTemplate"]);
    expect(await errors({ linkTemplate: "https://user:word@tracer.example.com/{traceId}" })).toEqual([
      422,
      "linkTemplate",
    ]);
    expect(await errors({ hosts: ["good.example.com", "*.com"] })).toEqual([422, "hosts[1]"]);
  });
}
