import { expect, test } from "vitest";
import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import { list, object, operation, ref, text } from "../testing/operations.ts";
import { planAll } from "../testing/plans.ts";

const integer = { type: "integer" };
const bookInput = object({ title: text, pages: integer, shelfId: integer }, ["title", "pages"]);
const components = {
  "#/components/schemas/Book": object({ id: integer, title: text, pages: integer, note: text }, ["id", "title"]),
  "#/components/schemas/BookInput": bookInput,
};

const plan = (operations: DescribedOperation[]) => planAll(operations, components);

const books = [
  operation("GET /books", { responses: { 200: list(ref("Book")) } }),
  operation("POST /books", { body: ref("BookInput"), responses: { 201: ref("Book") } }),
  operation("GET /books/{bookId}", { responses: { 200: ref("Book"), 404: null } }),
  operation("PATCH /books/{bookId}", { body: object({ title: text, note: text }), responses: { 200: ref("Book") } }),
  operation("DELETE /books/{bookId}", { responses: { 204: null } }),
];

test("a resource is created, read, found in the list, changed, read again, deleted and found gone", () => {
  const { circles, steps, leftOut } = plan(books);
  expect(circles).toHaveLength(1);
  expect(circles[0]).toMatchObject({ kind: "life", isSafe: true, makes: ["a book"], leaves: [], leftOut: [] });
  expect(leftOut).toEqual([]);
  expect(steps("Life of a book")).toEqual([
    "main create: post /books",
    "main read: get /books/{bookId}",
    "main list: get /books",
    "main change: patch /books/{bookId}",
    "main readChanged: get /books/{bookId}",
    "tearDown remove: delete /books/{bookId}",
    "tearDown findGone: get /books/{bookId}",
  ]);
});

test("what was sent has to be read again, by names that each run has of its own", () => {
  const { circles, find } = plan(books);
  expect(circles[0]!.variables).toEqual([
    { name: "bookTitle", value: "Book {{$uuid}}", secret: false },
    { name: "changedBookTitle", value: "Book {{$uuid}}", secret: false },
  ]);
  expect(find("Create a book")).toMatchObject({
    request: { body: { text: '{\n  "title": "{{bookTitle}}",\n  "pages": 1\n}' } },
    captures: [{ name: "bookId", source: "jsonPath", property: "$.id" }],
  });
  const status = { source: "statusCode", comparison: "equals", target: 200 };
  const has = (name: string, target: unknown) => ({
    ...{ source: "jsonPath", property: `$.${name}`, comparison: "equals", target },
  });
  const title = (variable: string) => ({ ...has("title", `{{${variable}}}`), variableType: "text" });
  expect(find("Read the new book").assertions).toEqual([
    status,
    has("id", "{{bookId}}"),
    title("bookTitle"),
    has("pages", 1),
  ]);
  expect(find("Change the book").request.body).toMatchObject({ text: '{\n  "title": "{{changedBookTitle}}"\n}' });
  expect(find("Read the changed book").assertions).toEqual([
    status,
    has("id", "{{bookId}}"),
    title("changedBookTitle"),
  ]);
  expect(find("Find the new book in the list").assertions).toContainEqual({
    ...{ source: "jsonPath", property: "$[*].id", comparison: "contains", target: "{{bookId}}" },
  });
  expect(find("Check that the book no longer exists").assertions).toEqual([
    { source: "statusCode", comparison: "oneOf", target: [404, 410] },
  ]);
});

const shops = [
  operation("POST /shops", { body: object({ name: text }, ["name"]), responses: { 201: object({ id: integer }) } }),
  operation("DELETE /shops/{shopId}", { responses: { 204: null } }),
];
const staff = [
  operation("GET /shops/{shopId}/staff", {
    query: ["page"],
    responses: { 200: list(object({ id: integer, name: text })) },
  }),
  operation("POST /shops/{shopId}/staff", {
    ...{ body: object({ name: text }, ["name"]), responses: { 201: object({ id: integer }) } },
  }),
  operation("GET /shops/{shopId}/staff/{staffId}", { responses: { 200: object({ id: integer, name: text }) } }),
];

test("what it is part of is made before it and removed after it, and takes it along", () => {
  const { circles, steps } = plan([...shops, ...staff]);
  expect(circles[1]).toMatchObject({ makes: ["a shop", "a staff"], leaves: [] });
  expect(steps("Life of a staff of a shop")).toEqual([
    "setUp create: post /shops",
    "main create: post /shops/{shopId}/staff",
    "main read: get /shops/{shopId}/staff/{staffId}",
    // Only what the run made is in the list of its own shop, however many pages it may have.
    "main list: get /shops/{shopId}/staff",
    "tearDown remove: delete /shops/{shopId}",
  ]);
});

test("nothing is looked for in a list that comes in pages, and the plan says so", () => {
  const paged = operation("GET /books", { query: ["limit", "cursor"], responses: { 200: list(ref("Book")) } });
  const { circles, find } = plan([paged, ...books.slice(1)]);
  expect(circles[0]!.leftOut).toEqual([
    {
      ...{ operation: { method: "get", path: "/books" } },
      reason: "It comes in pages: a new book may be on another one.",
    },
  ]);
  expect(find("GET /books").assertions).toHaveLength(1);
});

test("what no operation makes is read only; what would change it is left out with a reason", () => {
  const { circles, steps } = plan([
    operation("GET /users", { responses: { 200: list(object({ id: integer })) } }),
    operation("GET /users/{userId}", { responses: { 200: object({ id: integer }) } }),
    operation("DELETE /users/{userId}", { responses: { 204: null } }),
    operation("POST /users/{userId}/ban", { responses: { 204: null } }),
  ]);
  expect(circles.map(({ name, kind }) => [name, kind])).toEqual([["Reads of users", "reads"]]);
  expect(steps("Reads of users")).toEqual(["setUp list: get /users", "main read: get /users/{userId}"]);
  const reason = "It would change a user that the run did not create.";
  expect(circles[0]!.leftOut.map((one) => [one.operation.path, one.reason])).toEqual([
    ["/users/{userId}", reason],
    ["/users/{userId}/ban", reason],
  ]);
});

test("of what no operation makes, several of the list are read", () => {
  const { find } = plan([
    operation("GET /users", { responses: { 200: object({ items: list(object({ id: integer })) }) } }),
    operation("GET /users/{userId}", { responses: { 200: object({ id: integer }) } }),
  ]);
  const captures = find("List users").captures.map(({ name, property }) => [name, property]);
  expect(captures.slice(0, 2)).toEqual([
    ["userId", "$.items[0].id"],
    ["secondUserId", "$.items[1].id"],
  ]);
  expect(find("Read a user").data).toEqual([
    { case: "first of the list", userId: "{{userId}}" },
    { case: "second of the list", userId: "{{secondUserId}}" },
    { case: "third of the list", userId: "{{thirdUserId}}" },
    { case: "fourth of the list", userId: "{{fourthUserId}}" },
    { case: "fifth of the list", userId: "{{fifthUserId}}" },
  ]);
});

test("where a missing one is documented, and none is deleted, an unknown identifier is tried", () => {
  const { steps, find } = plan([
    operation("GET /users", { responses: { 200: list(object({ id: integer })) } }),
    operation("GET /users/{userId}", { responses: { 200: object({ id: integer }), 404: null } }),
  ]);
  expect(steps("Reads of users").at(-1)).toBe("main findUnknown: get /users/{userId}");
  expect(find("Find no user that does not exist").assertions).toEqual([
    { source: "statusCode", comparison: "oneOf", target: [404, 410] },
  ]);
});

test("operations of what the run made take part in its life, and those of others do not", () => {
  const { leftOut, steps } = plan([
    ...books,
    operation("POST /books/{bookId}/publish", { responses: { 200: null } }),
    operation("GET /books/{bookId}/cover", { responses: { 200: null } }),
    operation("GET /tags", { responses: { 200: list(object({ id: integer })) } }),
    operation("PUT /books/{bookId}/tags/{tagId}", { responses: { 204: null } }),
  ]);
  expect(steps("Life of a book").slice(5, 7)).toEqual([
    "main call: get /books/{bookId}/cover",
    "main call: post /books/{bookId}/publish",
  ]);
  expect(leftOut).toEqual([
    {
      ...{ operation: { method: "put", path: "/books/{bookId}/tags/{tagId}" } },
      reason: "It would change a tag that the run did not create.",
    },
  ]);
});

test("an identifier that clients choose is generated once for all steps", () => {
  const { circles, find } = plan([
    operation("PUT /flags/{flag}", { body: object({ on: { type: "boolean" } }), responses: { 201: null } }),
    operation("GET /flags/{flag}", { responses: { 200: object({ flag: text, on: { type: "boolean" } }) } }),
    operation("DELETE /flags/{flag}", { responses: { 204: null } }),
  ]);
  expect(circles[0]).toMatchObject({ kind: "life", variables: [{ name: "flag", value: "{{$uuid}}" }] });
  expect(circles[0]!.steps[0]).toMatchObject({ does: "create", effect: "makes" });
  expect(find("Create a flag")).toMatchObject({
    ...{ captures: [], request: { pathParameters: [{ name: "flag", value: "{{flag}}" }] } },
  });
});

test("settings are changed only when ticked, and put back", () => {
  const settings = object({ theme: text, size: integer });
  const { circles, steps, find } = plan([
    operation("GET /settings", { responses: { 200: settings } }),
    operation("PATCH /settings", { body: settings, responses: { 200: settings } }),
  ]);
  expect(circles.map(({ name, isSafe }) => [name, isSafe])).toEqual([
    ["Settings, changed and put back", false],
    ["Calls of settings", true],
  ]);
  expect(steps("Settings, changed and put back")).toEqual([
    "setUp take: get /settings",
    "main change: patch /settings",
    "main readChanged: get /settings",
    "tearDown putBack: patch /settings",
  ]);
  expect(find("Put back the settings").request.body).toMatchObject({ text: '{"theme":"{{settingsBefore}}"}' });
});

test.each(["GET /logout", "GET /database/reset", "POST /login", "DELETE /everything"])(
  "%s is a circle of its own that is not safe",
  (key) => {
    const { circles } = plan([operation(key)]);
    expect(circles).toMatchObject([{ kind: "calls", isSafe: false, steps: [{ effect: "allowed" }] }]);
  },
);

test("a search by POST is a call that only reads", () => {
  const { circles } = plan([operation("POST /books/search", { body: object({ text }) })]);
  expect(circles).toMatchObject([{ kind: "calls", isSafe: true, steps: [{ effect: "allowed" }] }]);
});

test("a reference is made where it can be removed, taken where it is there, and asked for otherwise", () => {
  const order = (member: string) => [
    operation("POST /orders", {
      ...{ body: object({ [member]: integer }, [member]), responses: { 201: object({ id: integer }) } },
    }),
    operation("GET /orders/{orderId}", { responses: { 200: object({ id: integer }) } }),
  ];
  const shopId = plan([...shops, ...order("shopId")]);
  expect(shopId.circles.find(({ name }) => name === "Life of an order")?.makes).toEqual(["a shop", "an order"]);
  const users = operation("GET /users", { responses: { 200: list(object({ id: integer })) } });
  const one = operation("GET /users/{userId}");
  expect(plan([users, one, ...order("userId")]).steps("Life of an order")[0]).toBe("setUp take: get /users");
  const { values, tests } = plan(order("warehouseId"));
  expect(values).toEqual([{ name: "warehouseId", parameter: "warehouseId", in: "body", usedBy: 1 }]);
  expect(tests[0]!.needs).toEqual(["warehouseId"]);
});

const projects = [
  operation("GET /projects", { responses: { 200: list(object({ id: text })) } }),
  operation("GET /environments", { responses: { 200: list(object({ name: text })) } }),
  operation("GET /environments/{name}", { responses: { 200: object({ name: text }) } }),
  operation("POST /flags", { body: object({ name: text }, ["name"]), responses: { 201: object({ name: text }) } }),
  operation("GET /flags/{flagName}", { responses: { 200: object({ name: text }) } }),
  operation("DELETE /flags/{flagName}", { responses: { 204: null } }),
];

test("what joins the run's own with something that is there takes part in its life, but removes nothing", () => {
  const { circles, steps, leftOut } = plan([
    ...projects,
    operation("POST /flags/{flagName}/environments/{environment}/on", { responses: { 200: null } }),
    operation("DELETE /flags/{flagName}/environments/{environment}", { responses: { 204: null } }),
  ]);
  expect(steps("Life of a flag").slice(2, 4)).toEqual([
    // After the life itself: without an environment the rest can still run.
    "main take: get /environments",
    "main call: post /flags/{flagName}/environments/{environment}/on",
  ]);
  expect(circles.find(({ kind }) => kind === "life")!.steps[3]).toMatchObject({ effect: "allowed" });
  const reasons = [...leftOut, ...circles.flatMap((circle) => circle.leftOut)].map(({ reason }) => reason);
  expect(reasons).toEqual(["It would change an environment that the run did not create."]);
});

test("what changes a part that no operation reads belongs to what it is part of", () => {
  const { steps } = plan([
    ...books,
    operation("POST /books/{bookId}/links", { body: object({ title: text }, ["title"]), responses: { 200: null } }),
    operation("DELETE /books/{bookId}/links/{linkId}", { responses: { 204: null } }),
  ]);
  expect(steps("Life of a book")).toContain("main call: post /books/{bookId}/links");
});

test("resources that all need each other are planned without following every circle of needs, and asked for", () => {
  const things = ["author", "book", "car", "dog", "event", "farm", "game", "hat", "idea", "jar", "key", "lamp"];
  const ids = (own: string) => things.filter((one) => one !== own).map((one) => `${one}Id`);
  const made = plan(
    things.flatMap((thing) => {
      const names = ids(thing);
      const body = object(Object.fromEntries(names.map((name) => [name, text])), names);
      return [
        operation(`POST /${thing}s`, { body, responses: { 201: object({ id: text }, ["id"]) } }),
        operation(`GET /${thing}s/{${thing}Id}`, { responses: { 200: object({ id: text }, ["id"]) } }),
      ];
    }),
  );
  expect(new Set(made.values.map(({ name }) => name))).toEqual(new Set(things.map((thing) => `${thing}Id`)));
});

test("circles whose names are equal within the limit of 300 characters get different ones", () => {
  const long = `/${"very-".repeat(70)}long`;
  const { circles } = plan([operation(`POST ${long}/start`), operation(`POST ${long}/stop`)]);
  const names = circles.map(({ name }) => name);
  expect(new Set(names).size).toBe(2);
  expect(names.every((name) => name.length <= 300)).toBe(true);
});
