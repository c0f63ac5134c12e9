import { expect, test } from "vitest";
import { readPostman } from "./postman.ts";

const read = (...values: object[]) =>
  readPostman(values.map((value, index) => ({ name: `${index}.json`, text: JSON.stringify(value, null, 1) })));
const only = (item: object, more: object = {}) => {
  const { collection, losses } = read({ info: { name: "Pets" }, item: [item], ...more });
  return { request: collection.requests[0]!, collection, losses };
};

test("authorization and tests of collection and folder apply to the requests in them, unless one says otherwise", () => {
  const script = (exec: string[]) => [{ listen: "test", script: { exec } }];
  const { collection } = read({
    info: { name: "Pets" },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{token}}" }] },
    event: script(["pm.response.to.be.ok;"]),
    item: [
      { name: "Inherits", request: { method: "get", url: "https://x.example/a" } },
      {
        name: "Folder",
        auth: { type: "basic", basic: { username: "ada", password: "pw" } },
        event: script(["pm.response.to.be.json;"]),
        item: [
          { name: "From folder", request: { url: "https://x.example/b" } },
          { name: "None", request: { url: "https://x.example/c", auth: { type: "noauth" } } },
        ],
      },
    ],
  });
  expect(
    collection.requests.map(({ name, authorization, assertions }) => [name, authorization.kind, assertions.length]),
  ).toEqual([
    ["Inherits", "bearer", 1],
    ["From folder", "basic", 2],
    ["None", "none", 2],
  ]);
  expect(collection.sequences).toMatchObject([{ name: "Folder", requests: ["0.json#From folder", "0.json#None"] }]);
});

test("path parameters, queries and disabled rows are carried over, and names of variables become ours", () => {
  const url = {
    raw: "{{base.url}}/pets/:petId/toys/{{toy}}?a=1",
    query: [
      { key: "a", value: "1" },
      { key: "b", value: "2", disabled: true },
    ],
    variable: [{ key: "petId", value: "7" }],
  };
  const { request } = only({ name: "Toy", request: { url } });
  expect(request.url).toBe("{{base_url}}/pets/{petId}/toys/{toy}");
  expect(request.pathParameters.map(({ name, value }) => `${name}=${value}`)).toEqual(["petId=7", "toy={{toy}}"]);
  expect(request.query.map(({ name, enabled }) => [name, enabled])).toEqual([
    ["a", true],
    ["b", false],
  ]);
});

test("bodies are JSON, forms, parts or GraphQL, and files are said to be missing", () => {
  const send = (body: object, header: object[] = []) =>
    only({ name: "Send", request: { method: "POST", url: "https://x.example", header, body } });
  const json = send({ mode: "raw", raw: "{}" }, [{ key: "content-type", value: "application/problem+json" }]).request;
  expect([json.body, json.headers]).toEqual([{ kind: "json", text: "{}", mediaType: "application/problem+json" }, []]);
  expect(send({ mode: "urlencoded", urlencoded: [{ key: "a", value: "1" }] }).request.body).toMatchObject({
    kind: "form",
  });
  const parts = send({
    mode: "formdata",
    formdata: [
      { key: "a", value: "1" },
      { key: "f", type: "file", src: "x.png" },
    ],
  });
  expect(parts.request.body).toMatchObject({ kind: "multipart", parts: [{ name: "a" }] });
  expect(parts.losses.map(({ what }) => what)).toEqual(["file f"]);
  const graphql = send({ mode: "graphql", graphql: { query: "{ pets }", variables: '{"n":1}' } }).request.body;
  expect(graphql).toMatchObject({ kind: "json", text: '{"query":"{ pets }","variables":{"n":1}}' });
});

test("a loss names the line of its statement", () => {
  const exec = ["pm.response.to.be.ok;", "for (const a of b) c(a);"];
  const value = {
    info: { name: "Pets" },
    item: [{ name: "List", event: [{ listen: "test", script: { exec } }], request: "https://x.example" }],
  };
  const text = JSON.stringify(value, null, 1);
  const { losses } = readPostman([{ name: "pets.json", text }]);
  const line = text.split("\n").findIndex((one) => one.includes("for (const")) + 1;
  expect(losses).toMatchObject([{ file: "pets.json", line, of: "List", what: "for (const a of b) c(a);" }]);
});

test("environments are read beside the collection, with what is marked secret", () => {
  const environment = {
    name: "Staging",
    values: [
      { key: "host", value: "x" },
      { key: "key", value: "s", type: "secret" },
      { key: "off", enabled: false },
    ],
  };
  const { collection } = read({ info: { name: "Pets" }, item: [] }, environment);
  expect(collection.environments).toEqual([
    {
      name: "Staging",
      variables: [
        { name: "host", value: "x", secret: false },
        { name: "key", value: "s", secret: true },
      ],
    },
  ]);
});

test("what nests without end, and a tenth of a million brackets, is refused with a sentence", () => {
  const deep = `{"info":{},"item":${"[".repeat(100_000)}`;
  expect(() => readPostman([{ name: "deep.json", text: deep }])).toThrow("It is nested more than 100 levels deep.");
});
