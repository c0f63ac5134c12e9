import { expect, test } from "vitest";
import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import { list, object, operation, text } from "../testing/operations.ts";
import { planAll } from "../testing/plans.ts";

const integer = { type: "integer" };
const plan = (operations: DescribedOperation[]) => planAll(operations);

test("a replacement does not archive what it replaces, and a list of none is not expected to be missing", () => {
  const flag = object({ name: text, archived: { type: "boolean" }, note: text });
  const { find, steps } = plan([
    operation("POST /flags", { body: object({ name: text }, ["name"]), responses: { 201: object({ name: text }) } }),
    operation("GET /flags/{name}", { responses: { 200: object({ flags: list(flag) }), 404: null } }),
    operation("PUT /flags/{name}", { body: flag, responses: { 200: null } }),
    operation("DELETE /flags/{name}", { responses: { 204: null } }),
  ]);
  expect(find("Replace the flag").request.body).toMatchObject({ text: expect.not.stringContaining("archived") });
  expect(steps("Life of a flag").at(-1)).toBe("tearDown remove: delete /flags/{name}");
});

test("what is made has a name, and who it is, although the document requires neither", () => {
  const account = object({ role: integer, username: text, email: text, name: text }, ["role"]);
  const { find } = plan([
    operation("POST /accounts", { body: account, responses: { 201: object({ id: integer }) } }),
    operation("GET /accounts/{accountId}", { responses: { 200: object({ id: integer }) } }),
  ]);
  const { body } = find("Create an account").request;
  expect(JSON.parse(body.kind === "json" ? body.text : "")).toEqual({
    ...{ role: 1, name: "{{accountName}}", username: "{{accountUsername}}" },
  });
});

test("a request that makes something sends a text of its own, so that it can be made again", () => {
  const { circles } = plan([
    operation("POST /tags", {
      body: object({ value: { ...text, example: "red" } }, ["value"]),
      responses: { 201: null },
    }),
    operation("GET /tags/{tagId}", { responses: { 200: object({ id: integer }) } }),
  ]);
  expect(circles.flatMap(({ variables }) => variables)).toEqual([
    { name: "tagValue", value: "red-{{$uuid}}", secret: false },
  ]);
});

test("a documented expiry lies in the future", () => {
  const expiresAt = { ...text, format: "date-time", example: "2023-04-19T08:15:14.000Z" };
  const { find } = plan([operation("POST /keys/check", { body: object({ expiresAt }, ["expiresAt"]) })]);
  expect(find("POST /keys/check").request.body).toMatchObject({ text: expect.stringContaining("2099-04-19T08:15") });
});

const baskets = [
  operation("POST /baskets", { responses: { 201: object({ id: integer }) } }),
  operation("GET /baskets/{basketId}", { responses: { 200: object({ id: integer }) } }),
  operation("DELETE /baskets/{basketId}", { responses: { 204: null } }),
  operation("PUT /baskets/{basketId}/products/{productId}", { responses: { 200: null } }),
  operation("GET /products", { responses: { 200: list(object({ id: integer })) } }),
  operation("GET /products/{productId}", { responses: { 200: object({ id: integer }) } }),
  operation("POST /orders", {
    body: object({ basketId: integer }, ["basketId"]),
    responses: { 201: object({ id: integer }) },
  }),
  operation("GET /orders/{orderId}", { responses: { 200: object({ id: integer }) } }),
];
const removeOrder = operation("DELETE /orders/{orderId}", { responses: { 204: null } });

test("what another request refers to is not empty where something can be put into it", () => {
  const { steps } = plan(baskets);
  expect(steps("Life of an order").slice(0, 5)).toEqual([
    "setUp create: post /baskets",
    "setUp take: get /products",
    "main call: put /baskets/{basketId}/products/{productId}",
    "main create: post /orders",
    "main read: get /orders/{orderId}",
  ]);
});

test("where invalid requests need an order, its basket is filled before it is ordered", () => {
  const changeOrder = operation("PATCH /orders/{orderId}", { body: object({ note: text }, ["note"]) });
  expect(
    plan([...baskets, removeOrder, changeOrder])
      .steps("Invalid requests: orders")
      .slice(0, 4),
  ).toEqual([
    "setUp create: post /baskets",
    "setUp take: get /products",
    "setUp call: put /baskets/{basketId}/products/{productId}",
    "setUp create: post /orders",
  ]);
});

test("what another request used may be gone when it is removed, but not in its own life", () => {
  const { find, circles } = plan([...baskets, removeOrder]);
  const keysOf = (name: string) => circles.find((one) => one.name === name)!.steps.map((one) => one.test);
  expect(keysOf("Life of an order").at(-1)).toBe("clean up delete /baskets/{basketId}");
  expect(keysOf("Life of a basket")).toContain("remove delete /baskets/{basketId}");
  const status = (target: unknown) => [expect.objectContaining({ source: "statusCode", target })];
  expect(find("Delete the basket if it is still there").assertions).toEqual(status([204, 404, 410]));
  expect(find("Delete the basket").assertions).toEqual(status(204));
});
