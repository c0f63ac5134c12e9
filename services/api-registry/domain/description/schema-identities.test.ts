import { expect, test } from "vitest";
import { createJudging } from "#libraries/judging/judging.ts";
import { readDocument } from "../../testing/reading.ts";

/** A document with one response for each of these schemas. */
async function read(schemas: Record<string, unknown>, rest: Record<string, unknown> = {}) {
  const paths = Object.fromEntries(
    Object.keys(schemas).map((name) => [
      `/${name}`,
      {
        get: {
          responses: {
            200: {
              description: "ok",
              content: { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } },
            },
          },
        },
      },
    ]),
  );
  const document = { openapi: "3.1.0", info: { title: "A", version: "1" }, paths, components: { schemas }, ...rest };
  const imported = await readDocument({ document: JSON.stringify(document), fileName: "api.json" });
  const components = Object.fromEntries(
    imported.components.map(({ reference, body }) => [reference, JSON.parse(body)]),
  );
  const operations = imported.operations.map(({ described }) => JSON.parse(described));
  return {
    problems: imported.problems.map(({ message }) => message),
    components,
    operations,
    async judge(name: string, body: unknown) {
      const operation = operations.find(({ path }) => path === `/${name}`);
      const judged = await judging.judge({
        owner: "any",
        operation: { operation, components, securitySchemes: [], specificationVersion: "3.1" } as never,
        item: {
          request: { method: "GET", url: "http://api.test/", headers: [], body: null, bodyBytes: 0 },
          response: {
            ...{ url: "http://api.test/", status: 200, statusText: "", httpVersion: "1.1" as const },
            headers: [["content-type", "application/json"]],
            ...{ body: JSON.stringify(body), bodyBytes: 9, truncated: false, redirects: [] },
          },
          phases: { blocked: 0, dns: 0, connect: 0, tls: 0, send: 0, wait: 0, receive: 0, total: 1 },
          assertions: [],
          checks: ["response_schema_conformance"],
          captures: [],
          authorized: false,
          secrets: [],
        } as never,
      });
      return judged.verdict;
    },
  };
}

const judging = createJudging();

/** JSON Schema 2020-12, appendix C.2. */
const tree = {
  Tree: {
    $id: "https://example.com/tree",
    $dynamicAnchor: "node",
    type: "object",
    properties: { data: true, children: { type: "array", items: { $dynamicRef: "#node" } } },
  },
  StrictTree: {
    $id: "https://example.com/strict-tree",
    $dynamicAnchor: "node",
    $ref: "tree",
    unevaluatedProperties: false,
  },
};

test("the extensible tree of JSON Schema is strict at every depth where a strict tree begins, and only there", async () => {
  const { problems, judge, components, operations } = await read(tree);
  expect(problems).toEqual([]);
  const wrong = { children: [{ children: [{ daat: 1 }] }] };
  expect(await judge("Tree", wrong)).toBe("passed");
  expect(await judge("StrictTree", wrong)).toBe("failed");
  expect(await judge("StrictTree", { daat: 1 })).toBe("failed");
  expect(await judge("StrictTree", { children: [{ data: 1, children: [] }] })).toBe("passed");
  expect(await judge("Tree", { children: [1] })).toBe("failed");
  expect(Object.keys(components)).toEqual([
    "#/components/schemas/Tree",
    "#/components/schemas/StrictTree",
    "#/components/schemas/Tree (node of StrictTree)",
  ]);
  expect(JSON.stringify(components)).not.toMatch(/\$dynamicRef|\$id/);
  for (const { responses } of operations) expect(responses[0].content[0].sample).toHaveProperty("children");
});

test("trees without an identity of their own are extended alike", async () => {
  const { problems, judge } = await read({
    Tree: { ...tree.Tree, $id: undefined },
    StrictTree: { ...tree.StrictTree, $id: undefined, $ref: "#/components/schemas/Tree" },
  });
  expect(problems).toEqual([]);
  expect(await judge("StrictTree", { children: [{ daat: 1 }] })).toBe("failed");
  expect(await judge("Tree", { children: [{ daat: 1 }] })).toBe("passed");
});

test("a generic list takes its items from each schema that fills it in", async () => {
  const listOf = (name: string, type: string) => ({
    $id: `lists/${name}`,
    $defs: { item: { $dynamicAnchor: "item", $ref: `#/components/schemas/${type}` } },
    $ref: "/lists/any",
  });
  const { problems, judge } = await read({
    List: {
      $id: "/lists/any",
      type: "object",
      required: ["items"],
      properties: { items: { type: "array", items: { $dynamicRef: "#item" } } },
      $defs: { item: { $dynamicAnchor: "item" } },
    },
    Names: { ...listOf("names", "Name"), $ref: "any" },
    Counts: listOf("counts", "Count"),
    Name: { type: "string" },
    Count: { type: "integer" },
  });
  expect(problems).toEqual([]);
  for (const [name, right, wrong] of [
    ["Names", "a", 1],
    ["Counts", 1, "a"],
  ] as const) {
    expect(await judge(name, { items: [right] })).toBe("passed");
    expect(await judge(name, { items: [wrong] })).toBe("failed");
    expect(await judge("List", { items: [right, wrong] })).toBe("passed");
  }
});

test("references are relative to the nearest $id, and so are anchors and pointers", async () => {
  const { problems, judge } = await read({
    Order: {
      $id: "https://schemas.test/shop/order.json",
      type: "object",
      properties: {
        customer: { $ref: "people/customer.json" },
        city: { $ref: "people/customer.json#city" },
        street: { $ref: "people/customer.json#/$defs/street" },
        item: { $ref: "#/$defs/item" },
        again: { $ref: "#" },
        pet: { $ref: "#/components/schemas/Pet" },
      },
      $defs: {
        item: { type: "integer" },
        customer: {
          $id: "people/",
          $defs: {
            person: {
              $id: "customer.json",
              type: "object",
              required: ["name"],
              properties: {
                name: true,
                home: { $ref: "#city" },
                boss: { $ref: "#" },
                road: { $ref: "#/$defs/street" },
              },
              $defs: { city: { $anchor: "city", type: "string" }, street: { type: "boolean" } },
            },
          },
        },
      },
    },
    Pet: { $anchor: "pet", type: "number" },
  });
  expect(problems).toEqual([]);
  const right = {
    customer: { name: 1, home: "a", boss: { name: 2 }, road: true },
    ...{ city: "a", street: true, item: 1, again: { item: 2 }, pet: 1.5 },
  };
  expect(await judge("Order", right)).toBe("passed");
  for (const wrong of [
    ...[{ customer: {} }, { customer: { name: 1, home: 1 } }, { customer: { name: 1, boss: {} } }],
    ...[
      { customer: { name: 1, road: 1 } },
      { city: 1 },
      { street: 1 },
      { item: "a" },
      { again: { item: "a" } },
      { pet: "a" },
    ],
  ]) {
    expect([wrong, await judge("Order", wrong)]).toEqual([wrong, "failed"]);
  }
});

test("$id, $ref and $dynamicRef in examples and as names of properties are data", async () => {
  const { problems, judge } = await read({
    A: {
      $id: "https://schemas.test/a",
      type: "object",
      properties: { $id: { type: "string" }, $ref: { type: "string" }, example: { $ref: "b" } },
      examples: [{ $ref: "nowhere", $id: "https://schemas.test/b" }],
    },
    B: { $id: "https://schemas.test/b", type: "integer" },
  });
  expect(problems).toEqual([]);
  expect(await judge("A", { $id: "a", $ref: "b", example: 1 })).toBe("passed");
  expect(await judge("A", { example: "a" })).toBe("failed");
});

test.each(["$ref", "$dynamicRef"])("a %s that no schema answers leads nowhere", async (keyword) => {
  const { problems } = await read({ A: { $id: "https://schemas.test/a", items: { [keyword]: "#/$defs/missing" } } });
  expect(problems.join()).toContain("leads nowhere");
});

test("a 3.2 document's $self is the base of its schemas", async () => {
  const self = { openapi: "3.2.0", $self: "https://schemas.test/api.json" };
  const A = { properties: { a: { $ref: "b" }, c: { $ref: "https://schemas.test/api.json#/components/schemas/C" } } };
  const { problems, judge } = await read({ A, B: { $id: "b", type: "integer" }, C: { type: "integer" } }, self);
  expect(problems).toEqual([]);
  expect(await judge("A", { a: 1, c: 1 })).toBe("passed");
  expect(await judge("A", { a: "b" })).toBe("failed");
  expect(await judge("A", { c: "b" })).toBe("failed");
});
