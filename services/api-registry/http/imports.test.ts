import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../kit/client/client.ts";
import { testEngines } from "../../kit/testing/databases.ts";
import { type OpenRegistry, openRegistry } from "../testing/registry.ts";

type Taken = Parameters<ReturnType<OpenRegistry["connect"]>["takeImport"]>[0]["body"];

const document = JSON.stringify({ openapi: "3.1.0", info: { title: "Books", version: "1" }, paths: {} });
const actor = { id: uuidv7(), name: "ada" };

for (const engine of testEngines()) {
  let registry: OpenRegistry;
  beforeAll(async () => {
    registry = await openRegistry(engine);
  });
  afterAll(() => registry.close());

  const asService = async (organizationId = registry.organizationId) =>
    registry.connect({ token: await registry.identities.serviceToken(organizationId) });
  const take = async (importId: string, body: Partial<Taken> & { apiId: string }, organizationId?: string) => {
    const nothing = { variables: {}, secretVariables: [], environments: [], actor };
    return await (await asService(organizationId)).takeImport({ params: { importId }, body: { ...nothing, ...body } });
  };
  const undo = async (importId: string, organizationId?: string) =>
    requireValue(await (await asService(organizationId)).undoImport({ params: { importId } }), "undoing");
  const register = async () => await registry.register({ source: { document } });
  const open = async (apiId: string, names: string[], environment: string | null = null) =>
    requireValue(await (await asService()).openSecretVariables({ body: { apiId, environment, names } }), "opening")
      .items;
  const read = async (apiId: string) => {
    const params = { apiId };
    const { variables, secretVariables } = requireValue(await registry.client.getVariables({ params }), "variables");
    const { items } = requireValue(await registry.client.listEnvironments({ params }), "environments");
    return { variables, secrets: secretVariables.map(({ name }) => name), environments: items };
  };
  const staging = { name: "Staging", baseUrl: "https://staging.example.com", variables: { team: "red" } };
  const key = (value: string | null) => [{ name: "key", value }];

  test(`${engine.name}: an import registers an API with variables and environments once, and is undone whole`, async () => {
    const [apiId, importId] = [uuidv7(), uuidv7()];
    const body: Partial<Taken> & { apiId: string } = {
      ...{ apiId, api: { name: "Imported", document }, variables: { a: "1" }, secretVariables: key("canary-a") },
      environments: [{ ...staging, secretVariables: key("canary-b"), replaces: null }],
    };
    const taken = { apiName: "Imported", environments: ["Staging"] };
    expect(requireValue(await take(importId, body), "taking")).toEqual(taken);
    expect(requireValue(await take(importId, body), "taking it again")).toEqual(taken);
    expect(await read(apiId)).toMatchObject({ variables: { a: "1" }, secrets: ["key"], environments: [staging] });
    expect(await open(apiId, ["key"], "Staging")).toEqual(key("canary-b"));
    const { items } = requireValue(await registry.client.listAuditRecords({ query: { limit: 10 } }), "records");
    expect(items.map(({ resource, actor: by }) => [resource.kind, by.name])).toEqual([
      ["environments", "ada"],
      ["variables", "ada"],
      ["api", "ada"],
    ]);
    await undo(importId);
    await undo(importId);
    expect((await registry.client.getApi({ params: { apiId } })).status).toBe(404);
    expect((await take(importId, body)).status).toBe(409);
  });

  test(`${engine.name}: what the API has stays, and what was changed since the import is not taken back`, async () => {
    const [apiId, importId] = [await register(), uuidv7()];
    const params = { apiId };
    requireValue(await registry.client.replaceVariables({ params, body: { variables: { a: "mine" } } }), "variables");
    const mine = { ...staging, name: "Mine" };
    requireValue(await registry.client.replaceEnvironments({ params, body: { items: [mine, staging] } }), "mine");
    const before = await read(apiId);
    const planned = { ...mine, secretNames: [] };
    const body = {
      ...{ apiId, variables: { a: "theirs", b: "2", c: "3" }, secretVariables: key("canary-c") },
      environments: [
        { ...mine, baseUrl: "https://new.example.com", secretVariables: [], replaces: planned },
        // Planned before Staging was created.
        { ...staging, baseUrl: "https://other.example.com", secretVariables: [], replaces: null },
        { ...staging, name: "Production", secretVariables: key("canary-d"), replaces: null },
      ],
    };
    const taken = requireValue(await take(importId, body), "taking");
    expect(taken.environments).toEqual(["Mine", "Production"]);
    expect(await read(apiId)).toMatchObject({
      ...{ variables: { a: "mine", b: "2", c: "3" }, secrets: ["key"] },
      environments: [{ name: "Mine", baseUrl: "https://new.example.com" }, staging, { name: "Production" }],
    });
    requireValue(await registry.client.setVariables({ params, body: { variables: { c: "changed" } } }), "change");
    await undo(importId);
    expect(await read(apiId)).toEqual({ ...before, variables: { a: "mine", c: "changed" } });
  });

  test(`${engine.name}: an environment keeps the secrets that are sent without a value, and gets them back`, async () => {
    const [apiId, importId] = [await register(), uuidv7()];
    const params = { apiId };
    const items = [{ ...staging, secretVariables: key("canary-e") }];
    requireValue(await registry.client.replaceEnvironments({ params, body: { items } }), "mine");
    const replaces = { ...staging, secretNames: ["key"] };
    const changed = { ...staging, variables: { team: "blue" }, secretVariables: key(null), replaces };
    requireValue(await take(importId, { apiId, environments: [changed] }), "taking");
    expect(await open(apiId, ["key"], "Staging")).toEqual(key("canary-e"));
    const emptied = { ...staging, secretVariables: [], replaces: { ...replaces, variables: { team: "blue" } } };
    const second = uuidv7();
    requireValue(await take(second, { apiId, environments: [emptied] }), "taking");
    expect(await open(apiId, ["key"], "Staging")).toEqual([]);
    await undo(second);
    await undo(importId);
    expect(await open(apiId, ["key"], "Staging")).toEqual(key("canary-e"));
    expect((await read(apiId)).environments).toMatchObject([staging]);
  });

  test(`${engine.name}: an import that was undone before it arrived is refused, one that is forgotten can't be undone`, async () => {
    const apiId = await register();
    const [late, kept] = [uuidv7(), uuidv7()];
    await undo(late);
    expect((await take(late, { apiId, variables: { a: "1" } })).status).toBe(409);
    requireValue(await take(kept, { apiId, variables: { a: "1" } }), "taking");
    requireValue(await (await asService()).forgetImport({ params: { importId: kept } }), "forgetting");
    await undo(kept);
    expect((await read(apiId)).variables).toEqual({ a: "1" });
  });

  test(`${engine.name}: an import neither reaches nor undoes what is another organization's`, async () => {
    const [apiId, importId, other] = [await register(), uuidv7(), uuidv7()];
    expect((await take(importId, { apiId, variables: { a: "1" } }, other)).status).toBe(404);
    requireValue(await take(importId, { apiId, variables: { a: "1" } }), "taking");
    await undo(importId, other);
    expect((await read(apiId)).variables).toEqual({ a: "1" });
    expect((await registry.client.takeImport({ params: { importId }, body: {} as Taken })).status).toBe(404);
  });
}
