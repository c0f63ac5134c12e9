import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { startTarget, type Target } from "../../services/test-executioner/testing/target.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import { type HandledServices, openHandledServices } from "../support/handled-services.ts";

let services: HandledServices;
let target: Target;

beforeAll(async () => {
  [services, target] = await Promise.all([openHandledServices(), startTarget(() => {})]);
  target.answer(({ method, url, text, headers }, response) => {
    const isKnown = headers.authorization === "Bearer s3cret-of-pets";
    response.writeHead(isKnown ? (method === "POST" ? 201 : 200) : 401, { "content-type": "application/json" });
    response.end(
      JSON.stringify(method === "POST" ? { id: 7, ...JSON.parse(text) } : { id: Number(url!.split("/").at(-1)) }),
    );
  });
});
afterAll(async () => {
  await services.stop();
  await target.close();
});

const responses = { default: { description: "ok" } };
const petId = { name: "petId", in: "path", required: true, schema: { type: "integer" } };
const described = () => ({
  ...{ openapi: "3.0.3", info: { title: "Pets", version: "1" }, servers: [{ url: `${target.baseUrl}/v1` }] },
  paths: {
    "/pets": { post: { operationId: "createPet", responses } },
    "/pets/{petId}": { parameters: [petId], get: { operationId: "getPet", responses } },
  },
});

async function register(): Promise<string> {
  const body = { source: { document: JSON.stringify(described()) } };
  return requireValue(await services.backend.apiRegistry.registerApi({ body }), "registering").id;
}

const script = (...exec: string[]) => [{ listen: "test", script: { exec } }];
const collection = () => ({
  info: { name: "Pets", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
  auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}" }] },
  variable: [
    { key: "baseUrl", value: `${target.baseUrl}/v1` },
    { key: "token", value: "s3cret-of-pets" },
    { key: "petName", value: "Rex" },
  ],
  item: [
    {
      name: "Life",
      item: [
        {
          name: "Create",
          event: script(
            "pm.test('is created', () => { pm.response.to.have.status(201); });",
            "pm.environment.set('petId', pm.response.json().id);",
            "pm.sendRequest('https://example.com');",
          ),
          request: {
            method: "POST",
            url: "{{baseUrl}}/pets",
            body: { mode: "raw", raw: '{"name":"{{petName}}","password":"hush-hush"}' },
          },
        },
        {
          name: "Read",
          event: script("pm.test('is there', () => { pm.expect(pm.response.json().id).to.eql(7); });"),
          request: { method: "GET", url: "{{baseUrl}}/pets/{{petId}}" },
        },
      ],
    },
    { name: "Elsewhere", request: { method: "GET", url: "https://other.example.com/status" } },
  ],
});
const source = () => ({ files: [{ name: "pets.json", text: JSON.stringify(collection(), null, 2) }] });

const listCredentials = async () =>
  requireValue(await services.backend.securityService.listCredentials({ query: {} }), "credentials").items;

test("a collection is previewed, imported, and its circle passes with the secret it brought", async () => {
  const apiId = await register();
  const { testRegistry, testExecutioner, apiRegistry } = services.backend;
  const body = { apiId, source: source() };
  const preview = requireValue(await testRegistry.previewImport({ body: { ...body, keep: true } }), "preview");
  expect(preview.format).toBe("postman");
  expect(preview.requests.map(({ name, state, operation }) => [name, state, operation?.operationId])).toEqual([
    ["Create", "new", "createPet"],
    ["Read", "new", "getPet"],
    ["Elsewhere", "unmatched", undefined],
  ]);
  expect(preview.losses.map(({ of, what }) => [of, what])).toEqual([
    ["Create", "pm.sendRequest('https://example.com')"],
  ]);
  const line =
    JSON.stringify(collection(), null, 2)
      .split("\n")
      .findIndex((text) => text.includes("sendRequest")) + 1;
  expect(preview.losses[0]).toMatchObject({ file: "pets.json", line });
  expect(preview.credentials).toMatchObject([{ domain: target.host, type: "bearer", tests: 2 }]);
  expect(JSON.stringify(preview)).not.toMatch(/s3cret-of-pets|hush-hush/);

  const confirmed = { ...body, source: { draft: preview.draft!.id } };
  const imported = requireValue(await testRegistry.importTests({ body: confirmed }), "import");
  expect(imported.tests.map(({ name, path }) => [name, path])).toEqual([
    ["Create", "/pets"],
    ["Read", "/pets/{petId}"],
  ]);
  expect(imported.circles.map(({ name }) => name)).toEqual(["Pets", "Life"]);
  expect(requireValue(await apiRegistry.getVariables({ params: { apiId } }), "variables").variables).toEqual({
    petName: "Rex",
  });
  const stored = requireValue(await testRegistry.getTest({ params: { testId: imported.tests[0]!.id } }), "test");
  expect(JSON.stringify(stored)).not.toMatch(/s3cret-of-pets|hush-hush/);

  const [circle] = imported.circles;
  const run = await toTheEnd(testExecutioner).startRun({ body: { source: { testCircleId: circle!.id } } });
  expect(requireValue(run, "run").verdict).toBe("passed");
  expect(target.requests.find(({ method }) => method === "POST")!.text).toBe('{"name":"Rex","password":"hush-hush"}');
  expect(target.requests.at(-1)!.url).toBe("/v1/pets/7");
});

test("a repeated import with its key creates nothing more, and one without it finds the tests there", async () => {
  const apiId = await register();
  const { testRegistry } = services.backend;
  const call = { body: { apiId, source: source() }, headers: { "idempotency-key": "import-once" } };
  const first = requireValue(await testRegistry.importTests(call), "import");
  const count = (await listCredentials()).length;
  expect(requireValue(await testRegistry.importTests(call), "repetition")).toEqual(first);
  expect(await listCredentials()).toHaveLength(count);
  const again = requireValue(await testRegistry.importTests({ body: { apiId, source: source() } }), "again");
  expect([again.tests, again.existing]).toEqual([[], 2]);
});

test("the same files imported twice change nothing, and edited ones change what was not edited in the portal", async () => {
  const apiId = await register();
  const { testRegistry } = services.backend;
  const body = { apiId, source: source() };
  const first = requireValue(await testRegistry.importTests({ body }), "import");
  const count = (await listCredentials()).length;
  const preview = requireValue(await testRegistry.previewImport({ body }), "preview");
  expect(preview.requests.map(({ state }) => state)).toEqual(["unchanged", "unchanged", "unmatched"]);
  expect([preview.circles.map(({ state }) => state), preview.credentials]).toEqual([["unchanged", "unchanged"], []]);
  const again = requireValue(await testRegistry.importTests({ body }), "again");
  expect(again).toMatchObject({ tests: [], changedTests: [], circles: [], changedCircles: [], existing: 2 });
  expect(await listCircles(apiId)).toEqual(["Life", "Pets"]);
  expect(await listCredentials()).toHaveLength(count);

  const [created, read] = first.tests;
  const { id: testId, ...stored } = requireValue(
    await testRegistry.getTest({ params: { testId: created!.id } }),
    "test",
  );
  const mine = { ...stored, name: "Create, as we do" };
  requireValue(await testRegistry.changeTest({ params: { testId }, body: mine }), "change");
  const edited = collection();
  const [life] = edited.item;
  const statuses = script("pm.response.to.have.status(204);");
  for (const item of life!.item!) item.event = statuses;
  life!.item!.push({ ...life!.item![1]!, name: "Read again" });
  const files = [{ name: "renamed.json", text: JSON.stringify(edited) }];
  const changed = requireValue(await testRegistry.importTests({ body: { apiId, source: { files } } }), "changed");
  expect(changed).toMatchObject({ changedTests: [{ id: read!.id }], circles: [], credentials: [], existing: 1 });
  expect(changed.tests.map(({ name }) => name)).toEqual(["Read again"]);
  expect(changed.changedCircles.map(({ name }) => name)).toEqual(["Pets", "Life"]);
  const kept = requireValue(await testRegistry.getTest({ params: { testId } }), "test");
  expect([kept.name, kept.assertions[0]!.target]).toEqual(["Create, as we do", 201]);
  const replaced = requireValue(await testRegistry.getTest({ params: { testId: read!.id } }), "test");
  expect(replaced.assertions.map(({ target }) => target)).toEqual([204]);
  expect(replaced.request.authorization).toMatchObject({ kind: "credentials" });
  const circle = await testRegistry.getCircle({ params: { testCircleId: first.circles[1]!.id } });
  expect(requireValue(circle, "circle").members).toHaveLength(3);
});

async function listCircles(apiId: string): Promise<string[]> {
  const listed = await services.backend.testRegistry.listCircles({ query: { apiId } });
  return requireValue(listed, "circles").items.map(({ name }) => name);
}

test("an import that fails leaves no test, credential or API behind", async () => {
  const before = { credentials: await listCredentials(), apis: await countApis() };
  const recover = services.failAt("security-service", "/imported-credentials");
  const failed = await services.backend.testRegistry.importTests({ body: { source: source() } });
  recover();
  expect(failed.ok).toBe(false);
  expect({ credentials: await listCredentials(), apis: await countApis() }).toEqual(before);
});

async function countApis(): Promise<number | undefined> {
  return requireValue(await services.backend.apiRegistry.listApis({ query: {} }), "APIs").total;
}

test("without an API, one is made from the requests", async () => {
  const { testRegistry, apiRegistry } = services.backend;
  const body = { source: source(), apiName: "Made pets" };
  const imported = requireValue(await testRegistry.importTests({ body }), "import");
  expect(imported).toMatchObject({ isNewApi: true, apiName: "Made pets" });
  const made = requireValue(await apiRegistry.getApi({ params: { apiId: imported.apiId } }), "API");
  expect([made.operationCount, made.effectiveBaseUrl]).toEqual([2, target.baseUrl]);
  expect(imported.tests.map(({ path }) => path)).toEqual(["/v1/pets", "/v1/pets/{petId}"]);
  const before = await countApis();
  const again = requireValue(await testRegistry.importTests({ body }), "again");
  expect([again.apiId, again.isNewApi, again.tests, again.circles]).toEqual([imported.apiId, false, [], []]);
  expect(await countApis()).toBe(before);
});

test("who may not store credentials imports without them, and reads why", async () => {
  const apiId = await register();
  const { testRegistry } = await services.backend.asProgram(["tests:read", "tests:write"]);
  const count = (await listCredentials()).length;
  const imported = requireValue(await testRegistry.importTests({ body: { apiId, source: source() } }), "import");
  expect(imported.credentials).toEqual([]);
  expect(imported.losses.at(-1)!.reason).toMatch(/may not store credentials/);
  expect(await listCredentials()).toHaveLength(count);
});

test("files that can't be read are refused with file, line and reason", async () => {
  const refused = await services.backend.testRegistry.previewImport({
    body: { format: "postman", source: { files: [{ name: "broken.json", text: '{\n"info": {},\n"item": [}' }] } },
  });
  expect(refused).toMatchObject({ ok: false, status: 422 });
  const [error] = refused.ok ? [] : (refused.problem.errors ?? []);
  expect(error).toMatchObject({
    path: "source",
    message: expect.stringMatching(/^broken\.json: line 3: It is not JSON/),
  });
});
