import { expect, test } from "vitest";
import type { OperationParameter, OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { type TestRequest, testRequest } from "#contracts/test-registry/requests.ts";
import { finishPlan, type PlanInput, planRequest } from "./request-plan.ts";
import { Unsendable } from "./unsendable.ts";
import { TemplateRenderer } from "./variables.ts";

interface Given extends Partial<Omit<PlanInput, "request" | "templates">> {
  request?: Partial<TestRequest>;
  variables?: Record<string, string>;
}

function plan({ request = {}, variables = {}, ...rest }: Given = {}) {
  return planRequest({
    method: "get",
    path: "/pets",
    baseUrls: ["https://api.test/v1"],
    templates: new TemplateRenderer((name) => variables[name]),
    boundary: "b",
    readFile: () => new Uint8Array(),
    userAgent: "portal",
    request: testRequest.parse(request),
    ...rest,
  });
}

const urlOf = (given: Given) => finishPlan(plan(given)).url;
const pair = (name: string, value: string, enabled = true) => ({ name, value, enabled });
const causeOf = (given: Given) => {
  try {
    plan(given);
  } catch (error) {
    if (error instanceof Unsendable) return error.cause.code;
    throw error;
  }
  return undefined;
};

function operationWith(parameters: Partial<OperationParameter>[], components = {}): OperationWithComponents {
  const complete = parameters.map((parameter) => ({
    explode: false,
    allowReserved: false,
    required: false,
    deprecated: false,
    description: "",
    examples: [],
    ...parameters[0],
    ...parameter,
  }));
  return { operation: { parameters: complete, security: [] }, components, securitySchemes: [] } as never;
}

test("the test's base URL precedes the run's, the environment's and the API's", () => {
  expect(urlOf({ baseUrls: ["https://a.test/", "https://b.test", "https://c.test"] })).toBe("https://a.test/pets");
  expect(urlOf({ baseUrls: ["", undefined, null, "https://c.test/v2/"] })).toBe("https://c.test/v2/pets");
});

test("a missing base URL is a cause and nothing is sent", () => {
  expect(causeOf({ baseUrls: [null, undefined, " "] })).toBe("no_base_url");
  expect(causeOf({ baseUrls: ["api.test"] })).toBe("invalid_url");
  expect(causeOf({ baseUrls: ["ftp://api.test"] })).toBe("invalid_url");
});

test("path parameters are percent-encoded, slashes included", () => {
  const path = "/pets/{petId}/photos";
  const request = { pathParameters: [pair("petId", "a/b c?d#ü")] };
  expect(urlOf({ path, request })).toBe("https://api.test/v1/pets/a%2Fb%20c%3Fd%23%C3%BC/photos");
});

test("a path parameter of dots is refused because it would reach another operation", () => {
  for (const value of ["..", ".", "%2e%2e"]) {
    const expected = value.startsWith("%") ? undefined : "invalid_path";
    expect(causeOf({ path: "/pets/{petId}", request: { pathParameters: [pair("petId", value)] } })).toBe(expected);
  }
});

test("a path parameter without a value is a cause", () => {
  expect(causeOf({ path: "/pets/{petId}" })).toBe("path_parameter_missing");
  expect(causeOf({ path: "/pets/{petId}", request: { pathParameters: [pair("petId", "1", false)] } })).toBe(
    "path_parameter_missing",
  );
});

test("path styles write primitives, lists and objects as RFC 6570 does", () => {
  const cases: [Partial<OperationParameter>, string, string][] = [
    [{ style: "simple" }, "5", "5"],
    [{ style: "simple" }, "[3,4,5]", "3,4,5"],
    [{ style: "simple" }, '{"role":"admin","name":"Al"}', "role,admin,name,Al"],
    [{ style: "simple", explode: true }, '{"role":"admin","name":"Al"}', "role=admin,name=Al"],
    [{ style: "label" }, "5", ".5"],
    [{ style: "label" }, "[3,4,5]", ".3,4,5"],
    [{ style: "label", explode: true }, "[3,4,5]", ".3.4.5"],
    [{ style: "label", explode: true }, '{"a":"x","b":"y"}', ".a=x.b=y"],
    [{ style: "matrix" }, "5", ";id=5"],
    [{ style: "matrix" }, "[3,4]", ";id=3,4"],
    [{ style: "matrix", explode: true }, "[3,4]", ";id=3;id=4"],
    [{ style: "matrix" }, '{"a":"x"}', ";id=a,x"],
    [{ style: "matrix", explode: true }, '{"a":"x","b":"y"}', ";a=x;b=y"],
  ];
  for (const [parameter, value, written] of cases) {
    const operation = operationWith([{ name: "id", in: "path", ...parameter }]);
    const request = { pathParameters: [pair("id", value)] };
    expect(urlOf({ path: "/x{id}", request, operation }), JSON.stringify(parameter)).toBe(
      `https://api.test/v1/x${written}`,
    );
  }
});

test("query styles write lists and objects as the document asks", () => {
  const cases: [Partial<OperationParameter>, string, string][] = [
    [{ style: "form", explode: true }, '["a b","c"]', "ids=a%20b&ids=c"],
    [{ style: "form" }, '["a","c,d"]', "ids=a,c%2Cd"],
    [{ style: "form", schema: { type: "array" } }, "a,b", "ids=a,b"],
    [{ style: "form", schema: { type: "string" } }, "[1]", "ids=%5B1%5D"],
    [{ style: "form", explode: true }, '{"x":1,"y":null}', "x=1&y="],
    [{ style: "spaceDelimited" }, "[1,2]", "ids=1%202"],
    [{ style: "pipeDelimited" }, "[1,2]", "ids=1%7C2"],
    [{ style: "deepObject", explode: true }, '{"x":1,"y":"z"}', "ids%5Bx%5D=1&ids%5By%5D=z"],
    [{ style: "form", allowReserved: true }, "a/b?c&d", "ids=a/b?c%26d"],
    [{ style: "form", contentMediaType: "application/json" }, '{"x":1}', "ids=%7B%22x%22%3A1%7D"],
  ];
  for (const [parameter, value, written] of cases) {
    const operation = operationWith([{ name: "ids", in: "query", ...parameter }]);
    expect(urlOf({ request: { query: [pair("ids", value)] }, operation }), JSON.stringify(parameter)).toBe(
      `https://api.test/v1/pets?${written}`,
    );
  }
});

test("a parameter's type is found through a reference, and circular references end", () => {
  const schema = { $ref: "#/components/schemas/Ids" };
  const components = { "#/components/schemas/Ids": { type: "string" } };
  const operation = operationWith([{ name: "ids", in: "query", style: "form", schema }], components);
  expect(urlOf({ request: { query: [pair("ids", "[1]")] }, operation })).toContain("%5B1%5D");
  const circle = operationWith([{ name: "ids", in: "query", style: "form", schema }], {
    "#/components/schemas/Ids": schema,
  });
  expect(urlOf({ request: { query: [pair("ids", "[1]")] }, operation: circle })).toContain("ids=1");
});

test("disabled rows are omitted, repeated names are sent", () => {
  const query = [pair("a", "1"), pair("a", "2"), pair("b", "3", false)];
  expect(urlOf({ request: { query } })).toBe("https://api.test/v1/pets?a=1&a=2");
});

test("a query in the path or the base URL is sent, a fragment is not", () => {
  expect(urlOf({ path: "/pets?action=list#x", baseUrls: ["https://api.test/v1?key=1#y"] })).toBe(
    "https://api.test/v1/pets?key=1&action=list",
  );
});

test("variables are replaced everywhere and those without a value are named", () => {
  const request = {
    baseUrl: "https://{{host}}",
    query: [pair("{{key}}", "{{value}}")],
    headers: [pair("x-run", "{{ run }}")],
    cookies: [pair("c", "{{value}}")],
    body: { kind: "form" as const, fields: [pair("f", "{{value}}")] },
  };
  const filled = plan({
    request,
    baseUrls: [request.baseUrl],
    variables: { host: "h.test", key: "k", value: "a b", run: "7" },
  });
  expect(finishPlan(filled).url).toBe("https://h.test/pets?k=a%20b");
  expect(filled.headers).toContainEqual(["x-run", "7"]);
  expect(finishPlan(filled).headers).toContainEqual(["cookie", "c=a%20b"]);
  expect(filled.body).toBe("f=a+b");
  expect(causeOf({ request, baseUrls: [request.baseUrl] })).toBe("variable_missing");
});

test("a name without a value is the cause, even if something else can't be serialized", () => {
  const unnamed = pair("{{gone}}", "v");
  expect(causeOf({ request: { cookies: [unnamed] } })).toBe("variable_missing");
  expect(causeOf({ request: { headers: [unnamed] } })).toBe("variable_missing");
  expect(causeOf({ request: { query: [unnamed] } })).toBe("variable_missing");
  expect(causeOf({ request: { body: { kind: "form", fields: [unnamed] } } })).toBe("variable_missing");
  expect(causeOf({ path: "/{id}/{other}", request: { pathParameters: [pair("id", "{{gone}}")] } })).toBe(
    "variable_missing",
  );
  expect(causeOf({ request: { cookies: [unnamed] }, variables: { gone: "c c" } })).toBe("invalid_header");
});

test("in JSON a variable inside a string is escaped, elsewhere it is inserted unchanged", () => {
  const body = { kind: "json" as const, text: '{"name":"{{name}}","count":{{count}},"q":"\\"{{name}}"}' };
  const written = plan({ request: { body }, variables: { name: 'a"b\n', count: "3" } });
  expect(JSON.parse(written.body!)).toEqual({ name: 'a"b\n', count: 3, q: '"a"b\n' });
});

test("S11: line breaks from variables never reach path, query or cookie", () => {
  const variables = { evil: "x\r\nhost: evil" };
  const url = urlOf({
    path: "/p/{id}",
    request: { pathParameters: [pair("id", "{{evil}}")], query: [pair("q", "{{evil}}")] },
    variables,
  });
  expect(url).not.toMatch(/[\r\n]/);
  expect(causeOf({ request: { cookies: [pair("c", "{{evil}}")] }, variables })).toBe("variable_unfit");
  expect(causeOf({ request: { headers: [pair("c", "{{evil}}")] }, variables })).toBe("variable_unfit");
  expect(causeOf({ baseUrls: ["https://api.test/{{evil}}"], variables })).toBe("invalid_url");
  const parts = [{ ...pair("p", "v"), mediaType: "text/plain{{evil}}" }];
  expect(causeOf({ request: { body: { kind: "multipart", parts } }, variables })).toBe("invalid_header");
});

test("each kind of body has its content type unless the test sets one", () => {
  const typeOf = (given: Given) => plan(given).headers.find(([name]) => name.toLowerCase() === "content-type")?.[1];
  expect(typeOf({ request: { body: { kind: "json", text: "{}" } } })).toBe("application/json");
  expect(typeOf({ request: { body: { kind: "text", text: "x", mediaType: "text/csv" } } })).toBe("text/csv");
  expect(typeOf({ request: { body: { kind: "form", fields: [] } } })).toBe("application/x-www-form-urlencoded");
  expect(typeOf({})).toBeUndefined();
  const headers = [pair("Content-Type", "application/vnd.x+json")];
  expect(typeOf({ request: { headers, body: { kind: "json", text: "{}" } } })).toBe("application/vnd.x+json");
  const multipart = [pair("Content-Type", "multipart/form-data")];
  expect(typeOf({ request: { headers: multipart, body: { kind: "multipart", parts: [] } } })).toBe(
    "multipart/form-data; boundary=b",
  );
});

test("multipart parts have names, file names and media types, with quotes escaped", () => {
  const parts = [pair("a", "1"), { ...pair('f"', "x"), fileName: "y.txt", mediaType: "text/plain" }];
  expect(plan({ request: { body: { kind: "multipart", parts } } }).body).toBe(
    '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n' +
      '--b\r\nContent-Disposition: form-data; name="f%22"; filename="y.txt"\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--\r\n',
  );
});

test("a lone surrogate is sent as the replacement character instead of failing", () => {
  expect(urlOf({ request: { query: [pair("q", "\ud800")] } })).toBe("https://api.test/v1/pets?q=%EF%BF%BD");
});

test("a header and a cookie of the test are sent in one Cookie header", () => {
  const request = { headers: [pair("Cookie", "a=1")], cookies: [pair("b", "2;3")] };
  expect(finishPlan(plan({ request })).headers).toContainEqual(["cookie", "a=1; b=2%3B3"]);
});
