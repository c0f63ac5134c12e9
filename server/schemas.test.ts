import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { codeKinds } from "#contracts/code/objects.ts";
import type { Root } from "./http.ts";
import { codeSchemaPath, createCodeSchema, serveSchemas } from "./schemas.ts";

const schema = createCodeSchema();
const accepts = addFormats
  .default(new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true }))
  .compile(schema);

const file = {
  api: "shop",
  apis: [
    { key: "shop", name: "Shop", document: "openapi.yaml", environments: [{ name: "Test", baseUrl: "https://x" }] },
  ],
  tests: [
    {
      ...{ key: "lists-books", name: "Lists books", method: "get", path: "/books" },
      assertions: [{ source: "statusCode", comparison: "equals", target: 200 }],
    },
  ],
  circles: [
    {
      ...{ key: "nightly", name: "Nightly", members: [{ test: "shop/lists-books" }, { api: "shop", tag: "smoke" }] },
      variables: [{ name: "password", value: { secret: "SHOP_PASSWORD" } }],
      schedules: [{ key: "at-two", cron: "0 2 * * *", timeZone: "UTC" }],
    },
  ],
  alertChannels: [{ key: "ops", kind: "slack", name: "Ops", url: { secret: "SLACK" } }],
};

test("every kind of object has its part in the schema, which refers to nothing", () => {
  const text = JSON.stringify(schema);
  expect(text).not.toContain('"$ref"');
  // A schedule, a service level and a status page are written in their circle.
  const names = codeKinds.map((kind) => (["serviceLevel", "statusPage"].includes(kind) ? kind : `${kind}s`));
  for (const name of names) expect(text, name).toContain(`"${name}":{`);
});

test("the schema accepts what a pull writes, and says at its place what is wrong", () => {
  expect(accepts(file)).toBe(true);
  expect(accepts({ circles: [{ key: "Not A Key", name: "Nightly", members: [{ test: "shop/lists-books" }] }] })).toBe(
    false,
  );
  expect(accepts.errors?.map((error: { instancePath: string }) => error.instancePath)).toEqual(["/circles/0/key"]);
  expect(accepts({ circels: [] })).toBe(false);
  expect(accepts.errors?.[0]).toMatchObject({
    keyword: "additionalProperties",
    params: { additionalProperty: "circels" },
  });
});

test("editors on other sites may read the schema, also that of one version", async () => {
  const root: Root = new Hono();
  serveSchemas(root, "1.2.3");
  for (const path of [codeSchemaPath, "/schemas/1.2.3/assurance.json"]) {
    const response = await root.request(path);
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
    expect(await response.json()).toEqual(schema);
  }
});
