import { afterAll, beforeAll, expect, test } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { startTarget, type Target } from "../../services/test-executioner/testing/target.ts";
import { toTheEnd } from "../../services/test-executioner/testing/to-the-end.ts";
import { type HandledServices, openHandledServices } from "../support/handled-services.ts";

let services: HandledServices;
let target: Target;

beforeAll(async () => {
  [services, target] = await Promise.all([openHandledServices(), startTarget(() => {})]);
  target.answer(({ headers }, response) => {
    response.writeHead(headers.authorization === "Bearer canary-staging" ? 200 : 401);
    response.end("{}");
  });
});
afterAll(async () => {
  await services.stop();
  await target.close();
});

const value = (key: string, text: string, type = "default") => ({ key, value: text, type });
const environment = (name: string, base: string, token: string, team = name.toLowerCase()) => ({
  ...{ name, _postman_variable_scope: "environment" },
  values: [value("base", base), value("team", team), value("token", token, "secret")],
});
const collection = {
  info: { name: "Pets", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
  auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}" }] },
  item: [
    { name: "List", request: { method: "GET", url: "{{base}}/pets?team={{team}}" } },
    { name: "Read", request: { method: "GET", url: "{{base}}/pets/7" } },
  ],
};
const toSource = (...environments: object[]) => ({
  files: [collection, ...environments].map((file, index) => ({ name: `${index}.json`, text: JSON.stringify(file) })),
});
const files = () =>
  toSource(
    environment("Staging", `${target.baseUrl}/v1`, "canary-staging"),
    environment("Production", "https://pets.example.com/v1", "canary-production"),
  );
const listEnvironments = async (apiId: string) =>
  requireValue(await services.backend.apiRegistry.listEnvironments({ params: { apiId } }), "environments").items;

test("environments of the files become the API's, and the circle passes with the secret of its own", async () => {
  const { testRegistry, testExecutioner, apiRegistry } = services.backend;
  const body = { source: files(), apiName: "Pets of environments" };
  const preview = requireValue(await testRegistry.previewImport({ body }), "preview");
  expect(preview.apiEnvironments).toMatchObject([
    { name: "Staging", baseUrl: `${target.baseUrl}/v1`, secretVariables: ["token"], state: "new" },
    { name: "Production", variables: ["base", "team"], state: "new" },
  ]);
  const imported = requireValue(await testRegistry.importTests({ body }), "import");
  expect(imported).toMatchObject({ environments: ["Staging", "Production"], credentials: [], variables: [] });
  const { apiId } = imported;
  const stored = await listEnvironments(apiId);
  expect(stored.map(({ name, variables }) => [name, variables.team])).toEqual([
    ["Staging", "staging"],
    ["Production", "production"],
  ]);
  const circle = await testRegistry.getCircle({ params: { testCircleId: imported.circles[0]!.id } });
  expect(requireValue(circle, "circle").environments).toEqual({ [apiId]: "Staging" });
  const chosen = await apiRegistry.getChosenEnvironment({ params: { apiId } });
  expect(requireValue(chosen, "chosen").environment?.name).toBe("Staging");
  const tests = requireValue(await testRegistry.listTests({ params: { apiId }, query: {} }), "tests");
  expect(JSON.stringify([preview, imported, stored, tests])).not.toContain("canary-");

  const source = { testCircleId: imported.circles[0]!.id };
  const run = await toTheEnd(testExecutioner).startRun({ body: { source } });
  expect(requireValue(run, "run").verdict).toBe("passed");
  expect(target.requests.map(({ url }) => url)).toEqual(["/v1/pets?team=staging", "/v1/pets/7"]);
});

test("the same files change no environment, and edited ones change what was not edited in the portal", async () => {
  const { testRegistry, apiRegistry } = services.backend;
  const first = { source: files(), apiName: "Pets again" };
  const { apiId } = requireValue(await testRegistry.importTests({ body: first }), "import");
  const same = requireValue(await testRegistry.importTests({ body: { ...first, apiId } }), "again");
  expect(same.environments).toEqual([]);
  const [staging, production] = await listEnvironments(apiId);
  const items = [staging!, { ...production!, variables: { ...production!.variables, mine: "1" } }];
  requireValue(await apiRegistry.replaceEnvironments({ params: { apiId }, body: { items } }), "edit");
  const moved = toSource(
    environment("Staging", `${target.baseUrl}/v1`, "canary-staging", "red"),
    environment("Production", "https://pets.example.com/v1", "canary-production", "blue"),
  );
  const states = requireValue(await testRegistry.previewImport({ body: { apiId, source: moved } }), "preview");
  expect(states.apiEnvironments.map(({ name, state }) => [name, state])).toEqual([
    ["Staging", "changed"],
    ["Production", "edited"],
  ]);
  const changed = requireValue(await testRegistry.importTests({ body: { apiId, source: moved } }), "changed");
  expect(changed.environments).toEqual(["Staging"]);
  expect((await listEnvironments(apiId)).map(({ variables }) => [variables.team, variables.mine])).toEqual([
    ["red", undefined],
    ["production", "1"],
  ]);
});

test("who may not change APIs imports without environments, and reads why", async () => {
  const { apiId } = requireValue(
    await services.backend.testRegistry.importTests({ body: { source: toSource(), apiName: "Pets of others" } }),
    "API",
  );
  const { testRegistry } = await services.backend.asProgram(["tests:read", "tests:write", "credentials:manage"]);
  const body = { apiId, source: toSource(environment("Staging", `${target.baseUrl}/v1`, "canary-staging")) };
  const imported = requireValue(await testRegistry.importTests({ body }), "import");
  expect(imported.environments).toEqual([]);
  expect(imported.losses.map(({ reason }) => reason)).toContainEqual(
    expect.stringMatching(/^You may not change environments of APIs\. Values that tests use become variables/),
  );
  expect(await listEnvironments(apiId)).toEqual([]);
});
