import { zipSync } from "fflate";
import { expect, test } from "vitest";
import { readFiles, recognizeFormat } from "./read-files.ts";
import { limits } from "./reading.ts";
import { unpack } from "./unpack.ts";

const read = (files: Record<string, string>) =>
  readFiles(Object.entries(files).map(([name, text]) => ({ name, text })));
const short = (assertions: { source: string; property: string | undefined; comparison: string; target: unknown }[]) =>
  assertions.map(({ source, property, comparison, target }) =>
    [source, property, comparison, target].filter((one) => one !== undefined).join(" "),
  );

test("a folder of Bruno hands down headers, authorization and tests, in the order of seq", () => {
  const { format, collection, losses } = read({
    "shop/bruno.json": '{"version":"1","name":"Shop","type":"collection"}',
    "shop/collection.bru":
      "headers {\n  X-All: yes\n}\n\nauth {\n  mode: bearer\n}\n\nauth:bearer {\n  token: {{token}}\n}\n",
    "shop/environments/Local.bru": "vars {\n  host: http://localhost:3000\n}\nvars:secret [\n  token\n]\n",
    "shop/pets/read.bru":
      "meta {\n  name: Read\n  seq: 2\n}\n\nget {\n  url: {{host}}/pets/:id?x=1\n  auth: inherit\n}\n\nparams:path {\n  id: 7\n}\n\nassert {\n  res.status: eq 200\n  res.body.tags: length 2\n  ~res.body.off: eq 1\n  res.body.name: isTruthy\n}\n",
    "shop/pets/create.bru":
      'meta {\n  name: Create\n  seq: 1\n}\n\npost {\n  url: {{host}}/pets\n  body: json\n  auth: none\n}\n\nbody:json {\n  {\n    "name": "Rex"\n  }\n}\n\nvars:post-response {\n  petId: res.body.id\n}\n',
  });
  expect([format, collection.name]).toEqual(["bruno", "Shop"]);
  const [create, pet] = collection.requests;
  expect([create!.name, create!.authorization.kind, pet!.authorization.kind]).toEqual(["Create", "none", "bearer"]);
  expect(create!.body).toMatchObject({ kind: "json", text: '{\n  "name": "Rex"\n}' });
  expect(create!.captures).toMatchObject([{ name: "petId", source: "jsonPath", property: "$.id" }]);
  expect([pet!.url, pet!.headers[0]!.name, pet!.pathParameters[0]!.value]).toEqual([
    "{{host}}/pets/{id}",
    "X-All",
    "7",
  ]);
  expect(short(pet!.assertions)).toEqual(["statusCode equals 200", "jsonPath $.tags lengthEquals 2"]);
  expect(losses.map(({ file, line, what }) => [file, line, what])).toEqual([
    ["shop/environments/Local.bru", 4, "secret token"],
    ["shop/pets/read.bru", 19, "assertion res.body.name: isTruthy"],
  ]);
});

test("Bruno's YAML files are read like its own", () => {
  const { format, collection } = read({
    "opencollection.yml": "opencollection: 1.0.0\ninfo:\n  name: Shop\n",
    "pets/read.yml":
      "info:\n  name: Read\n  type: http\n  seq: 1\nhttp:\n  method: GET\n  url: https://x.example/pets\nruntime:\n  assertions:\n    - expression: res.status\n      operator: eq\n      value: '200'\n",
  });
  expect([format, collection.name, collection.requests[0]!.folders]).toEqual(["bruno", "Shop", ["pets"]]);
  expect(short(collection.requests[0]!.assertions)).toEqual(["statusCode equals 200"]);
});

test("an export of Insomnia 4 has its folders, and a response tag becomes a capture of the other request", () => {
  const resources = [
    { _id: "wrk", _type: "workspace", name: "Shop" },
    { _id: "env", _type: "environment", parentId: "wrk", data: { base: { url: "https://x.example" } } },
    { _id: "fld", _type: "request_group", parentId: "wrk", name: "Pets" },
    {
      _id: "req_login",
      _type: "request",
      parentId: "fld",
      name: "Login",
      method: "POST",
      url: "{{ _.base.url }}/login",
      metaSortKey: 1,
    },
    {
      _id: "req_list",
      _type: "request",
      parentId: "fld",
      name: "List",
      url: "{{ _.base.url }}/pets",
      metaSortKey: 2,
      authentication: {
        type: "bearer",
        token: "{% response 'body', 'req_login', 'b64::JC50b2tlbg==::46b', 'never', 60 %}",
      },
    },
  ];
  const { collection } = read({ "insomnia.json": JSON.stringify({ _type: "export", __export_format: 4, resources }) });
  const [login, list] = collection.requests;
  expect([collection.name, login!.url, login!.folders]).toEqual(["Shop", "{{base_url}}/login", ["Pets"]]);
  expect(login!.captures).toMatchObject([{ source: "jsonPath", property: "$.token" }]);
  expect(list!.authorization).toEqual({ kind: "bearer", secret: `{{${login!.captures[0]!.name}}}` });
});

test("a recording has a test for each call of an API that expects its status", () => {
  const entry = (url: string, mimeType: string, status = 200) => ({
    request: { method: "GET", url, headers: [{ name: "User-Agent", value: "x" }], cookies: [{ name: "s" }] },
    response: { status, content: { mimeType } },
  });
  const log = {
    entries: [
      entry("https://x.example/api/pets?a=1", "application/json", 404),
      entry("https://x.example/a.png", "image/png"),
    ],
  };
  const { collection, losses } = read({ "a.har": JSON.stringify({ log }) });
  expect(collection.requests).toMatchObject([
    { name: "GET /api/pets", query: [{ name: "a" }], headers: [], assertions: [{ target: 404 }] },
  ]);
  expect(losses.map(({ what }) => what)).toEqual(["image/png", "headers of the browser", "cookies"]);
});

test("a file of Hurl is a sequence with its assertions and captures", () => {
  const text = `# Creates a pet
POST https://x.example/pets
X-Kind: dog
[Options]
retry: 2
{
  "name": "Rex", "tags": ["a"]
}
HTTP 201
Location: /pets/7
[Captures]
petId: jsonpath "$.id"
code: header "Location" regex "/(\\\\d+)$"
[Asserts]
jsonpath "$.tags" count == 1
header "X-Missing" not exists
jsonpath "$.name" matches /^R/
duration < 2s
jsonpath "$.x" split "," count == 2

GET https://x.example/pets/{{petId}}
HTTP 200
`;
  const { collection, losses } = read({ "pets.hurl": text });
  const [create, pet] = collection.requests;
  expect([create!.name, create!.retries, create!.body.kind, pet!.url]).toEqual([
    "Creates a pet",
    2,
    "json",
    "https://x.example/pets/{petId}",
  ]);
  expect(short(create!.assertions)).toEqual([
    "statusCode equals 201",
    "header Location equals /pets/7",
    "jsonPath $.tags lengthEquals 1",
    "header X-Missing notExists",
    "jsonPath $.name matches ^R",
    "responseTime lessThan 2000",
  ]);
  expect(create!.captures.map(({ name, pattern }) => [name, pattern])).toEqual([
    ["petId", undefined],
    ["code", "/(\\d+)$"],
  ]);
  expect(losses.map(({ line }) => line)).toEqual([19]);
  expect(collection.sequences).toMatchObject([{ stopOnFailure: true, requests: [create!.id, pet!.id] }]);
});

test("an .http file has variables, names, scripts and values of earlier responses", () => {
  const text = `@host = https://x.example
### Login
# @name login
# @no-redirect
POST {{host}}/login
Content-Type: application/json
Authorization: Basic ada secret

{"user": "ada"}

> {%
client.test("ok", function() { client.assert(response.status === 200); });
%}
### 
GET {{host}}/pets
    ?page=1
Authorization: Bearer {{login.response.body.$.token}}
`;
  const { collection } = read({ "shop.http": text });
  const [login, list] = collection.requests;
  expect(collection.variables).toMatchObject([{ name: "host", value: "https://x.example" }]);
  expect(login).toMatchObject({
    name: "login",
    followRedirects: false,
    authorization: { kind: "basic", user: "ada", secret: "secret" },
    assertions: [{ target: 200 }],
  });
  expect(login!.captures).toMatchObject([{ name: "login_token", source: "jsonPath", property: "$.token" }]);
  expect([list!.name, list!.query[0]!.value, list!.headers[0]!.value]).toEqual([
    "GET /pets",
    "1",
    "Bearer {{login_token}}",
  ]);
});

test.each(["1.0.1", "1.1.0"])("a workflow of Arazzo %s is a sequence of operations that hand on values", (arazzo) => {
  const text = `arazzo: ${arazzo}
info: {title: Pets, version: "1"}
sourceDescriptions: [{name: pets, url: ./openapi.yaml, type: openapi}]
workflows:
  - workflowId: buy
    inputs: {type: object, properties: {name: {type: string, default: Rex}}}
    steps:
      - stepId: create
        operationId: createPet
        requestBody: {payload: {name: $inputs.name, tags: [a]}}
        successCriteria:
          - condition: $statusCode == 201 && $response.body#/id > 0
          - {context: $response.body, condition: "$[?@.id]", type: jsonpath}
          - condition: $statusCode == 200 || $statusCode == 201
        outputs: {id: $response.body#/id}
      - stepId: read
        operationPath: '{$sourceDescriptions.pets.url}#/paths/~1pets~1{petId}/get'
        parameters: [{name: petId, in: path, value: $steps.create.outputs.id}]
        onFailure: [{name: again, type: retry, retryLimit: 3}]
`;
  const { format, collection, losses } = read({ "pets.arazzo.yaml": text });
  const [create, pet] = collection.requests;
  expect([format, create!.operationId, collection.variables[0]!.value]).toEqual(["arazzo", "createPet", "Rex"]);
  expect(create!.body).toMatchObject({
    kind: "json",
    text: JSON.stringify({ name: "{{name}}", tags: ["a"] }, null, 2),
  });
  expect(short(create!.assertions)).toEqual([
    "statusCode equals 201",
    "jsonPath $.id greaterThan 0",
    "jsonPath $[?@.id] exists",
  ]);
  expect(create!.captures).toMatchObject([{ name: "create_id", source: "jsonPath", property: "$.id" }]);
  expect([pet!.method, pet!.url, pet!.pathParameters[0]!.value, pet!.retries]).toEqual([
    "GET",
    "{{baseUrl}}/pets/{petId}",
    "{{create_id}}",
    3,
  ]);
  expect(losses).toMatchObject([{ line: 14, what: "criterion $statusCode == 200 || $statusCode == 201" }]);
});

test("a format is recognized by content where the name says nothing", () => {
  const recognize = (text: string) => recognizeFormat({ name: "pasted", text });
  expect(recognize('{"info": {"name": "a"}, "item": []}')).toBe("postman");
  expect(recognize("type: collection.insomnia.rest/5.0\nname: a\ncollection: []")).toBe("insomnia");
  expect(recognize("GET https://x.example\nHTTP 200\n")).toBe("hurl");
  expect(recognize("### List\nGET https://x.example\n")).toBe("http");
  expect(recognize("meta {\n  name: a\n}\n")).toBe("bruno");
  expect(recognize("openapi: 3.1.0\n")).toBeUndefined();
});

test("archives are unpacked within bounds, whatever sizes they name", () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const good = zipSync({
    "a/b.bru": bytes("meta {\n}\n"),
    "a/node_modules/x.json": bytes("{}"),
    "a/p.png": bytes("x"),
  });
  expect(unpack([{ name: "a.zip", bytes: good }]).map(({ name }) => name)).toEqual(["a/b.bru"]);
  const bomb = zipSync({ "a.json": new Uint8Array(limits.bytes + 1) });
  expect(bomb.length).toBeLessThan(20_000);
  expect(() => unpack([{ name: "bomb.zip", bytes: bomb }])).toThrow("More than 10 MB in one import");
  // A directory that names ten bytes is not believed to be of more.
  const lying = Buffer.from(zipSync({ "a.json": bytes("x".repeat(5_000_000)) }));
  lying.writeUInt32LE(10, lying.lastIndexOf("a.json") - 22);
  expect(unpack([{ name: "lying.zip", bytes: lying }])[0]!.text.length).toBeLessThanOrEqual(10);
  expect(() => unpack([{ name: "cut.zip", bytes: good.slice(0, 40) }])).toThrow("The archive can't be read");
});

test("a comment that is too long for a name is shortened before a word, which is reported", () => {
  const comment = "Reads all pets of the shop ".repeat(10).trim();
  const { collection, losses } = read({ "pets.hurl": `# ${comment}\nGET https://x.example/pets\nHTTP 200\n` });
  expect(collection.requests[0]!.name).toMatch(/^Reads all pets.* (pets|of|the|shop|all|Reads)…$/);
  expect(collection.requests[0]!.name.length).toBeLessThanOrEqual(200);
  expect(losses.map(({ reason }) => reason)).toEqual(["As a name it is shortened to 200 characters."]);
});
