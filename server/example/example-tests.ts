import type { z } from "zod";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import type { CirclePhase } from "#contracts/test-registry/circle-members.ts";
import type { testInput } from "#contracts/test-registry/tests.ts";
import { account, wrongProduct } from "../../sandbox/shop/app.ts";

type TestInput = z.input<typeof testInput>;
export type ExampleTest = TestInput & { phase: CirclePhase };

const status = (target: number): Assertion => ({ source: "statusCode", comparison: "equals", target });
const at = (property: string, comparison: Assertion["comparison"], target?: unknown): Assertion => ({
  ...{ source: "jsonPath", property, comparison },
  ...(target === undefined ? {} : { target }),
});
const capture = (name: string, property: string, secret = false) => ({
  ...{ name, source: "jsonPath" as const, property },
  ...(secret ? { secret } : {}),
});

/** The document's promise for every response. */
const checks: TestInput["checks"] = [
  "status_code_conformance",
  "content_type_conformance",
  "response_schema_conformance",
];
const bearer = { name: "Authorization", value: "Bearer {{token}}" };

interface Step extends Omit<Partial<TestInput>, "path"> {
  /** Values of path parameters. */
  at?: Record<string, string>;
  body?: unknown;
  query?: Record<string, string>;
  anonymous?: boolean;
  phase?: CirclePhase;
}

const pairs = (values: Record<string, string>) => Object.entries(values).map(([name, value]) => ({ name, value }));

function example(name: string, call: `${string} ${string}`, given: Step) {
  const { body, query = {}, anonymous = false, phase = "main", at: pathParameters = {}, ...others } = given;
  const [method = "", path = ""] = call.split(" ");
  const test: ExampleTest = {
    ...{ name, method: method.toLowerCase(), path, phase, checks },
    request: {
      pathParameters: pairs(pathParameters),
      query: pairs(query),
      headers: anonymous ? [] : [bearer],
      ...(body === undefined ? {} : { body: { kind: "json" as const, text: JSON.stringify(body, null, 2) } }),
      authorization: { kind: "none" },
    },
    ...others,
  };
  return test;
}

const basketId = "{{basketId}}";
const orderId = "{{orderId}}";
const newProductId = "{{newProductId}}";
const paperClips = { name: "Paper clips", price: 1.9, category: "desk", inStock: 100 };

/** In run order: later tests use the captures of earlier ones. */
export const exampleTests: ExampleTest[] = [
  example("Signs in", "POST /login", {
    ...{ anonymous: true, phase: "setUp", body: account, tags: ["checkout"] },
    assertions: [status(200), at("$.token", "hasType", "string")],
    captures: [capture("token", "$.token", true)],
  }),
  example("A wrong password is refused", "POST /login", {
    ...{ anonymous: true, body: { ...account, password: "wrong" } },
    assertions: [status(401)],
  }),
  example("Searching finds pens and pencils", "GET /products", {
    ...{ anonymous: true, query: { search: "pen", page: "1", size: "2" } },
    assertions: [status(200), at("$.items", "lengthEquals", 2), at("$.total", "equals", 3)],
  }),
  example("The second page continues where the first ended", "GET /products", {
    ...{ anonymous: true, query: { search: "paper", page: "2", size: "3" } },
    assertions: [status(200), at("$.items[0].id", "equals", "p-4")],
  }),
  example("Pages that are too large are refused", "GET /products", {
    ...{ anonymous: true, query: { size: "500" } },
    assertions: [status(422)],
  }),
  example("A product has its price", "GET /products/{productId}", {
    ...{ anonymous: true, at: { productId: "p-1" } },
    assertions: [status(200), at("$.price", "equals", 4.5)],
  }),
  example("The fountain pen's price is a number", "GET /products/{productId}", {
    ...{ anonymous: true, at: { productId: wrongProduct } },
    assertions: [status(200), at("$.price", "hasType", "number")],
  }),
  example("An unknown product is not found", "GET /products/{productId}", {
    ...{ anonymous: true, at: { productId: "p-0" } },
    assertions: [status(404)],
  }),
  example("A product is added", "POST /products", {
    body: paperClips,
    assertions: [status(201), { source: "header", property: "Location", comparison: "contains", target: "/products/" }],
    captures: [capture("newProductId", "$.id")],
  }),
  example("No product is added without signing in", "POST /products", {
    ...{ anonymous: true, body: paperClips },
    assertions: [status(401)],
  }),
  example("A product becomes cheaper", "PUT /products/{productId}", {
    ...{ at: { productId: newProductId }, body: { ...paperClips, price: 1.5 } },
    assertions: [status(200), at("$.price", "equals", 1.5)],
  }),
  example("A product is removed", "DELETE /products/{productId}", {
    ...{ at: { productId: newProductId } },
    assertions: [status(204)],
  }),
  example("A basket is empty at first", "POST /baskets", {
    ...{ tags: ["checkout"] },
    assertions: [status(201), at("$.lines", "isEmpty")],
    captures: [capture("basketId", "$.id")],
  }),
  example("Two notebooks go into the basket", "PUT /baskets/{basketId}/products/{productId}", {
    ...{ tags: ["checkout"], at: { basketId, productId: "p-1" }, body: { quantity: 2 } },
    assertions: [status(200), at("$.lines[0].quantity", "equals", 2)],
  }),
  example("The basket keeps them", "GET /baskets/{basketId}", {
    ...{ tags: ["checkout"], at: { basketId } },
    assertions: [status(200), at("$.lines", "lengthEquals", 1)],
  }),
  example("The order costs what is in the basket", "POST /orders", {
    ...{ tags: ["checkout"], body: { basketId: "{{basketId}}", address: "1 Paper Lane" } },
    assertions: [status(201), at("$.total", "equals", 9)],
    captures: [capture("orderId", "$.id")],
  }),
  example("The order is on the list", "GET /orders", {
    ...{ tags: ["checkout"] },
    assertions: [status(200), at("$.items[*].id", "contains", orderId)],
  }),
  example("The order is sent elsewhere", "PATCH /orders/{orderId}", {
    ...{ at: { orderId }, body: { address: "2 Paper Lane" } },
    assertions: [status(200), at("$.address", "equals", "2 Paper Lane")],
  }),
  example("An unknown order is not found", "GET /orders/{orderId}", {
    ...{ at: { orderId: "o-unknown" } },
    assertions: [status(404)],
  }),
  example("Sales are reported within three seconds", "GET /reports/sales", {
    assertions: [status(200), { source: "responseTime", comparison: "lessThan", target: 3_000 }],
  }),
  example("The order is cancelled", "DELETE /orders/{orderId}", {
    ...{ at: { orderId }, phase: "tearDown" },
    assertions: [status(204)],
  }),
];
