import { INTENT } from "@conform-to/dom";
import { expect, test } from "vitest";
import { parseTestToSave, parseTestToSend } from "./editor-form.server.ts";
import { jsonWarning } from "./json-fault.ts";

const operation = { method: "post", path: "/pets" };

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  const complete = {
    name: "Adds a pet",
    enabled: "on",
    "request.body.kind": "none",
    "request.authorization.kind": "inherit",
    "retry.backoff": "fixed",
    ...fields,
  };
  for (const [name, value] of Object.entries(complete)) form.append(name, value);
  return form;
}

function faultsOf(form: FormData): [string, string[] | null][] {
  const { error } = parseTestToSave(form, operation).reply();
  return Object.entries(error ?? {});
}

test("a form becomes the test it describes, with defaults for empty fields", () => {
  const submission = parseTestToSave(
    formOf({
      "request.headers[0].name": "Accept",
      "request.headers[0].value": "application/json",
      "request.headers[0].enabled": "on",
      "request.body.kind": "json",
      "request.body.json": '{\r\n  "a": 1\r\n}',
      "assertions[0].source": "statusCode",
      "assertions[0].comparison": "equals",
      "assertions[0].target": "201",
      "assertions[0].targetType": "auto",
      checks: "not_a_server_error",
    }),
    operation,
  );
  expect(submission.status === "success" && submission.value.test).toMatchObject({
    ...operation,
    name: "Adds a pet",
    enabled: true,
    request: {
      headers: [{ name: "Accept", value: "application/json", enabled: true }],
      body: { kind: "json", text: '{\n  "a": 1\n}' },
    },
    assertions: [{ source: "statusCode", comparison: "equals", target: 201 }],
    checks: ["not_a_server_error"],
    retry: { attempts: 1 },
    timeoutMilliseconds: 30_000,
  });
});

test("errors are at their fields, in the order of the form", () => {
  const form = formOf({
    name: "",
    timeoutMilliseconds: "soon",
    "request.query[0].name": "",
    "request.query[0].value": "1",
    "assertions[0].source": "statusCode",
    "assertions[0].comparison": "equals",
    "assertions[0].property": "x",
    "assertions[0].target": "",
    "assertions[0].targetType": "auto",
  });
  expect(faultsOf(form)).toEqual([
    ["name", ["Give the test a name"]],
    ["request.query[0].name", ["Name it, or remove the row"]],
    ["assertions[0].target", ["Enter a value to compare with. For empty text, choose Text"]],
    ["timeoutMilliseconds", ["Write the time-out as a whole number"]],
  ]);
});

test("sending requires a valid request only", () => {
  const unfinished = formOf({ name: "", "captures[0].name": "1 bad name", "captures[0].property": "$" });
  expect(parseTestToSend(unfinished, operation).status).toBe("success");
  const unreadable = formOf({ "request.query[0].name": "", "request.query[0].value": "1" });
  expect(parseTestToSend(unreadable, operation).status).toBe("error");
});

test("a capture's pattern that is too long is refused at its field, and kept", () => {
  const pattern = "a".repeat(501);
  const form = formOf({
    ...{ name: "a test", timeoutMilliseconds: "1000", "captures[0].name": "bookId", "captures[0].source": "header" },
    ...{ "captures[0].property": "Location", "captures[0].pattern": pattern, "captures[0].optional": "on" },
  });
  expect(faultsOf(form)).toContainEqual(["captures[0].pattern", ["At most 500 characters"]]);
  expect(parseTestToSave(form, operation).reply().initialValue).toMatchObject({
    captures: [{ name: "bookId", source: "header", property: "Location", pattern, optional: "on" }],
  });
});

test("adding or removing a row validates nothing and keeps the typed values", () => {
  const form = formOf({ name: "", "request.query[0].name": "a", "request.query[0].value": "1" });
  form.append(
    INTENT,
    JSON.stringify({ type: "insert", payload: { name: "request.query", defaultValue: { name: "" } } }),
  );
  const submission = parseTestToSave(form, operation);
  expect(submission.status).toBeUndefined();
  expect(submission.reply().initialValue).toMatchObject({ request: { query: [{ name: "a", value: "1" }, undefined] } });
});

test("fields that the form never sends are refused before they can cost anything", () => {
  const refused = [
    formOf({ "request.query[99999999].name": "a" }),
    formOf({ "request.query": "no list" }),
    formOf({ "__proto__.polluted": "yes", "a-b": "1" }),
    formOf({ [INTENT]: "{" }),
    formOf({ [INTENT]: JSON.stringify({ type: "update", payload: { name: "", value: 1 } }) }),
    formOf({ [INTENT]: JSON.stringify({ type: "insert", payload: { name: "name" } }) }),
    formOf({ __state__: "[]" }),
  ];
  for (const form of refused) {
    expect(() => parseTestToSave(form, operation)).toThrow(expect.objectContaining({ status: 400 }));
  }
});

test("an invalid JSON body is reported with its position; variables and an empty body are accepted", () => {
  expect(jsonWarning('{\n  "a": \n}')).toBe("Not valid JSON (line 3, column 1: a value is missing). It is sent as is.");
  expect(jsonWarning('{"id": {{id}}, "name": "{{name}}"}')).toBeUndefined();
  expect(jsonWarning("  ")).toBeUndefined();
});

test.each([
  ["items", "", ["Enter the number of items"]],
  ["items", "many", ["Write the number of items as a whole number"]],
  ["items", "0", ["At least 1"]],
  ["seconds", "30", ["Read for less time than the time-out allows"]],
  ["seconds", "999", ["At most 110", "Read for less time than the time-out allows"]],
])("reading for %s %j is an error at its field", (kind, limit, messages) => {
  const form = formOf({ "request.readUntil.kind": kind, "request.readUntil.limit": limit });
  expect(faultsOf(form)).toContainEqual(["request.readUntil.limit", messages]);
});

test("a response is read to its end, for some items, or for some seconds", () => {
  const read = (kind: string, limit: string) => {
    const submission = parseTestToSave(
      formOf({ "request.readUntil.kind": kind, "request.readUntil.limit": limit }),
      operation,
    );
    return submission.status === "success" ? submission.value.test.request.readUntil : submission.reply().error;
  };
  expect(read("end", "7")).toBeUndefined();
  expect(read("items", "7")).toEqual({ kind: "items", count: 7 });
  expect(read("seconds", "7")).toEqual({ kind: "seconds", seconds: 7 });
});
