import { expect, test } from "vitest";
import { readFiles } from "#libraries/collections/read/read-files.ts";
import { parseTest } from "../../jobs/parse-test.ts";
import type { ImportChoices } from "./plan.ts";
import { planImport, type TargetApi } from "./plan-import.ts";
import { planOwnApi } from "./plan-own-api.ts";

const operation = (method: string, path: string, operationId: string | null = null) => ({ method, path, operationId });
const target: TargetApi = {
  operations: [
    operation("get", "/pets"),
    operation("get", "/pets/{petId}"),
    operation("get", "/pets/mine"),
    operation("post", "/pets", "createPet"),
  ],
  baseUrls: ["https://api.example.com/v1", "http://localhost:3000"],
  existing: [],
  ...{ variables: {}, environments: [], known: [], secretNames: new Set<string>() },
};
const usual: ImportChoices = {
  ...{ environment: undefined, unmatched: false, toApi: false, circles: true, environments: true, leaveOut: [] },
};
const plan = (text: string, choices: Partial<ImportChoices> = {}, api: Partial<TargetApi> = {}) =>
  planImport(readFiles([{ name: "a.http", text }], "http"), { ...target, ...api }, { ...usual, ...choices }, parseTest);

test.each([
  ["https://api.example.com/v1/pets", "/pets", undefined],
  ["http://localhost:3000/pets/7", "/pets/{petId}", undefined],
  ["https://api.example.com/v1/pets/mine", "/pets/mine", undefined],
  ["https://other.example.com/api/pets", "/pets", "https://other.example.com/api"],
  ["{{unknown}}/pets", "/pets", undefined],
  ["{{unknown}}/v1/pets/{{id}}", "/pets/{petId}", undefined],
])("%s is of %s", (url, path, baseUrl) => {
  const { tests } = plan(`GET ${url}\n`);
  expect([tests[0]!.test.path, tests[0]!.test.request.baseUrl]).toEqual([path, baseUrl]);
});

test("values of path parameters are those of the request's segments", () => {
  const values = (url: string) => plan(`GET ${url}\n`).tests[0]!.test.request.pathParameters.map(({ value }) => value);
  expect(values("http://localhost:3000/pets/a%20b")).toEqual(["a b"]);
  expect(values("http://localhost:3000/pets/{{id}}")).toEqual(["{{id}}"]);
});

test("what is of no operation is left out, or a test with a path of its own", () => {
  const text = "### Owners\nGET https://api.example.com/v1/owners/{{id}}\n";
  expect(plan(text)).toMatchObject({ tests: [], circles: [], requests: [{ state: "unmatched", test: null }] });
  expect(plan(text, { unmatched: true }).tests[0]!.test).toMatchObject({
    path: "/owners/{id}",
    request: { pathParameters: [{ name: "id", value: "{{id}}" }] },
  });
});

test("tests of the same operation and name stay, and two of the files with one name are two", () => {
  const text = "### List\nGET http://localhost:3000/pets\n### List\nGET http://localhost:3000/pets?page=2\n";
  const existing = [{ id: "1", method: "get", path: "/pets", name: "List" }];
  const { requests, tests } = plan(text, {}, { existing });
  expect(requests.map(({ state }) => state)).toEqual(["exists", "new"]);
  expect(tests.map(({ test }) => test.name)).toEqual(["List (2)"]);
});

test("secrets are credentials of their host, each once, and never in a test", () => {
  const text = [
    "@token = s3cret-token-1",
    ...["### A", "GET https://api.example.com/v1/pets", "Authorization: Bearer {{token}}", ""],
    ...[
      "### B",
      "GET https://api.example.com/v1/pets/1",
      "Authorization: Bearer {{token}}",
      "X-Api-Key: k3y-of-the-shop",
      "",
    ],
    ...["### C", "GET https://other.example.com/pets?access_token=4cc3ss-t0ken", ""],
    ...["### D", "GET http://localhost:3000/pets", "Authorization: Basic YWRhOmh1c2ghaHVzaA==", ""],
  ].join("\n");
  const { credentials, tests } = plan(text);
  expect(credentials.map(({ domain, type, settings, secret }) => [domain, type, settings, secret])).toEqual([
    ["api.example.com", "bearer", {}, "s3cret-token-1"],
    ["api.example.com", "apiKey", { in: "header", parameterName: "X-Api-Key" }, "k3y-of-the-shop"],
    ["other.example.com", "apiKey", { in: "query", parameterName: "access_token" }, "4cc3ss-t0ken"],
    ["localhost:3000", "basic", { username: "ada" }, "hush!hush"],
  ]);
  expect(tests.map((one) => one.credentials)).toEqual([[0], [0, 1], [2], [3]]);
  expect(JSON.stringify(tests)).not.toMatch(/s3cret|k3y|4cc3ss|YWRh|hush/);
});

test("a secret is not sent to the API's host when the file sends it elsewhere", () => {
  const text = "### A\nGET https://other.example.com/pets\nAuthorization: Bearer s3cret-token-1\n";
  const { tests, credentials, losses } = plan(text, { toApi: true });
  expect([tests[0]!.credentials, tests[0]!.test.request.baseUrl, credentials[0]!.domain]).toEqual([
    [],
    undefined,
    "other.example.com",
  ]);
  expect(losses.map(({ reason }) => reason)).toEqual([expect.stringContaining("is not sent to another host")]);
});

test("a token that an earlier response brings stays a variable, and no credential is sent beside it", () => {
  const text = [
    ...[
      "### Login",
      "# @name login",
      "POST http://localhost:3000/pets",
      "",
      '{"user": "ada", "password": "hush-hush"}',
      "",
    ],
    ...["### List", "GET http://localhost:3000/pets", "Authorization: Bearer {{login.response.body.$.token}}", ""],
  ].join("\n");
  const { tests, circles, credentials } = plan(text);
  expect(tests[1]!.test.request).toMatchObject({
    headers: [{ value: "Bearer {{login_token}}" }],
    authorization: { kind: "none" },
  });
  expect([credentials, tests[0]!.test.request.body]).toMatchObject([
    [],
    { text: '{"user": "ada", "password": "{{password}}"}' },
  ]);
  expect(circles).toMatchObject([{ name: "a", variables: [{ name: "password", value: "hush-hush", secret: true }] }]);
});

test("variables go to the API, unless it has one of the name", () => {
  const text = "@a = 1\n@b = 2\n@unused = 3\nGET http://localhost:3000/pets?a={{a}}&b={{b}}\n";
  const { variables, losses } = plan(text, {}, { variables: { b: "other" } });
  expect([variables, losses.map(({ what }) => what)]).toEqual([{ a: "1" }, ["variable b"]]);
});

test("a secret variable of the files becomes one of the API, and a second import leaves it and its circle as they are", () => {
  const variable = (name: string, value: string, type?: string) => ({ key: name, value, ...(type ? { type } : {}) });
  const request = {
    method: "POST",
    url: "https://api.example.com/v1/pets",
    body: { mode: "raw", raw: "{{pin}} {{size}}" },
  };
  const file = {
    info: { name: "Pets", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
    item: ["First", "Second"].map((name) => ({ name, request })),
    variable: [variable("pin", "canary-4711", "secret"), variable("size", "2")],
  };
  const read = (api: Partial<TargetApi>) => {
    const reading = readFiles([{ name: "pets.json", text: JSON.stringify(file) }], "postman");
    return planImport(reading, { ...target, ...api }, usual, parseTest);
  };
  const first = read({});
  expect(first).toMatchObject({ variables: { size: "2" }, secretVariables: [{ name: "pin", value: "canary-4711" }] });
  expect(first.circles.map(({ variables }) => variables)).toEqual([[]]);
  const again = read({ variables: { size: "2" }, secretNames: new Set(["pin"]) });
  expect([again.secretVariables, again.circles[0]!.variables]).toEqual([[], []]);
  expect(JSON.stringify([first.tests, first.losses, again.losses])).not.toContain("canary-");
});

test("what the rules of tests refuse is left out of a test, and said", () => {
  const { tests, losses } = plan("### A\nGET http://localhost:3000/pets\nHost: localhost\nBad Name: x\nX-Fine: y\n");
  expect(tests[0]!.test.request.headers).toMatchObject([{ name: "X-Fine" }]);
  expect(losses.map(({ line, what }) => [line, what])).toEqual([[2, "header Bad Name"]]);
});

test("a document is made from requests, with identifiers as parameters", () => {
  const text =
    "### A\nGET https://x.example/shop/pets/7?page=1\n### B\nDELETE https://x.example/shop/pets/{{petId}}\n### C\nGET https://y.example/other\n";
  const { document, plan: planned } = planOwnApi(
    readFiles([{ name: "a.http", text }], "http"),
    {
      ...usual,
      unmatched: true,
    },
    parseTest,
  );
  expect(JSON.parse(document)).toMatchObject({
    servers: [{ url: "https://x.example" }],
    paths: {
      "/shop/pets/{petId}": {
        get: {
          summary: "A",
          parameters: [
            { name: "petId", in: "path" },
            { name: "page", in: "query" },
          ],
        },
        delete: { summary: "B" },
      },
    },
  });
  expect(planned.tests.map(({ test }) => [test.path, test.request.baseUrl])).toEqual([
    ["/shop/pets/{petId}", undefined],
    ["/shop/pets/{petId}", undefined],
    ["/other", "https://y.example"],
  ]);
});

test("a request that came from the files before is unchanged, changed, or left as it was edited since", () => {
  const file = (page: number) =>
    `### List\nGET http://localhost:3000/pets?page=${page}\n### Mine\nGET http://localhost:3000/pets/mine\n`;
  const first = plan(file(1));
  const remember = (isEdited: boolean): TargetApi["known"] =>
    [
      ...first.tests.map(({ id, key, hash }) => ({ kind: "test" as const, key, hash, objectId: id })),
      ...first.circles.map(({ id, key, hash }) => ({ kind: "circle" as const, key, hash, objectId: id })),
    ].map((one) => ({ ...one, collection: "http a", isEdited }));
  const again = plan(file(1), {}, { known: remember(true) });
  expect([again.tests, again.requests.map(({ state }) => state), again.circles.map(({ state }) => state)]).toEqual([
    [],
    ["unchanged", "unchanged"],
    ["unchanged"],
  ]);
  const changed = plan(file(2), {}, { known: remember(false) });
  expect(changed.requests.map(({ state }) => state)).toEqual(["changed", "unchanged"]);
  expect(changed.tests.map(({ knownId }) => knownId)).toEqual([first.tests[0]!.id]);
  const edited = plan(file(2), {}, { known: remember(true) });
  expect([edited.tests, edited.requests.map(({ state }) => state)]).toEqual([[], ["edited", "unchanged"]]);
  const other = plan(file(1), {}, { known: remember(false).map((one) => ({ ...one, collection: "http b" })) });
  expect(other.requests.map(({ state }) => state)).toEqual(["new", "new"]);
});

test("a secret that was stored before stays, and another one in the files is said", () => {
  const file = (token: string, page: number) =>
    `### List\nGET https://api.example.com/v1/pets?page=${page}\nAuthorization: Bearer ${token}\n`;
  const [credential] = plan(file("s3cret-token-1", 1)).credentials;
  const known: TargetApi["known"] = [
    {
      ...{ kind: "credential", collection: "http a", key: credential!.name, objectId: "1", hash: "" },
      ...{ isEdited: false, secret: "s3cret-token-1" },
    },
  ];
  const same = plan(file("s3cret-token-1", 2), {}, { known });
  expect([same.credentials[0]!.knownId, same.tests[0]!.credentials, same.losses]).toEqual(["1", [0], []]);
  const other = plan(file("0ther-token-2", 2), {}, { known });
  expect([other.credentials[0]!.knownId, other.losses.map(({ what }) => what)]).toEqual(["1", ["secret"]]);
});
