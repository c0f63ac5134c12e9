import { expect, test } from "vitest";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { authorize, type OpenedCredential } from "./authorization.ts";
import { finishPlan, type RequestPlan } from "./request-plan.ts";
import { Unsendable } from "./unsendable.ts";

const plan: RequestPlan = {
  method: "GET",
  address: "https://api.test/pets",
  host: "api.test",
  origin: "https://api.test",
  isOwnServer: false,
  query: [],
  headers: [["accept", "*/*"]],
  cookies: [],
  body: undefined,
};
const basic: OpenedCredential = { id: "1", name: "b", type: "basic", settings: { username: "ü" }, secret: "p" };
const bearer: OpenedCredential = { id: "2", name: "t", type: "bearer", settings: {}, secret: "tok" };
const key = (where: "header" | "query" | "cookie"): OpenedCredential => ({
  id: "3",
  name: "k",
  type: "apiKey",
  settings: { in: where, parameterName: "X-Key" },
  secret: "a b",
});
const operationWith = (schemes: object[], security: object[][] = []) =>
  ({
    operation: { security, parameters: [] },
    components: {},
    securitySchemes: schemes,
  }) as unknown as OperationWithComponents;
const inherit = (...items: OpenedCredential[]) =>
  authorize(plan, { kind: "inherit" }, { items, refused: [] }, undefined);
const named = (schemeName: string, credential: OpenedCredential, operation?: OperationWithComponents) =>
  authorize(
    plan,
    { kind: "credentials", bindings: [{ schemeName, credentialId: credential.id }] },
    { items: [credential], refused: [] },
    operation,
  );

test("Basic sends the UTF-8 pair", () => {
  expect(inherit(basic).plan.headers).toContainEqual(["authorization", "Basic w7w6cA=="]);
});

test("an API key is sent where its credential says", () => {
  expect(inherit(key("header")).plan.headers).toContainEqual(["X-Key", "a b"]);
  expect(inherit(key("header")).secretHeaderNames).toEqual(["X-Key"]);
  expect(finishPlan(inherit(key("query")).plan).url).toBe("https://api.test/pets?X-Key=a%20b");
  expect(finishPlan(inherit(key("cookie")).plan).headers).toContainEqual(["cookie", "X-Key=a%20b"]);
});

test("a scheme of the document defines where the credential is sent", () => {
  const operation = operationWith([{ name: "k", type: "apiKey", in: "query", parameterName: "token" }]);
  expect(finishPlan(named("k", key("header"), operation).plan).url).toBe("https://api.test/pets?token=a%20b");
  const oauth = operationWith([{ name: "o", type: "oauth2" }]);
  expect(named("o", bearer, oauth).plan.headers).toContainEqual(["authorization", "Bearer tok"]);
});

test("a credential that does not fit its scheme is a cause", () => {
  const operation = operationWith([{ name: "b", type: "http", scheme: "basic" }]);
  expect(() => named("b", bearer, operation)).toThrow(Unsendable);
});

test("inherited credentials never replace the test's own values, named ones do", () => {
  const own: RequestPlan = { ...plan, headers: [["Authorization", "mine"]] };
  const inherited = authorize(own, { kind: "inherit" }, { items: [bearer], refused: [] }, undefined);
  expect(inherited.plan.headers).toEqual([["Authorization", "mine"]]);
  expect(inherited.carriesCredentials).toBe(true);
  const bindings = [{ schemeName: "", credentialId: bearer.id }];
  const given = authorize(own, { kind: "credentials", bindings }, { items: [bearer], refused: [] }, undefined);
  expect(given.plan.headers).toEqual([["authorization", "Bearer tok"]]);
});

test("of several inherited credentials the one that the document requires is sent", () => {
  const operation = operationWith([{ name: "b", type: "http", scheme: "bearer" }], [[{ schemeName: "b", scopes: [] }]]);
  const chosen = authorize(plan, { kind: "inherit" }, { items: [basic, bearer], refused: [] }, operation);
  expect(chosen.plan.headers).toContainEqual(["authorization", "Bearer tok"]);
});

test("L02: a credential of another domain is refused and names the host", () => {
  const refused = [{ id: "2", reason: "other_domain" as const }];
  const bindings = [{ schemeName: "", credentialId: "2" }];
  const attempt = () => authorize(plan, { kind: "credentials", bindings }, { items: [], refused }, undefined);
  expect(attempt).toThrow("api.test");
});

test("no authorization adds nothing", () => {
  const nothing = authorize(plan, { kind: "none" }, { items: [bearer], refused: [] }, undefined);
  expect(nothing.plan.headers).toEqual(plan.headers);
  expect(nothing.carriesCredentials).toBe(false);
});
