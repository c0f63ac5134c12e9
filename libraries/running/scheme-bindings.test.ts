import { expect, test } from "vitest";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { chooseAuthorization } from "./scheme-bindings.ts";

const inherit = { kind: "inherit" } as const;
const asking = (...security: string[][]) =>
  ({
    operation: { security: security.map((names) => names.map((schemeName) => ({ schemeName, scopes: [] }))) },
  }) as unknown as OperationWithComponents;
const key = { schemeName: "key", credentialId: "c-key" };
const login = { schemeName: "login", credentialId: "c-login" };

test("a request that inherits gets the first alternative whose schemes all have a credential", () => {
  const operation = asking(["login", "device"], ["key", "login"], ["key"]);
  expect(chooseAuthorization(inherit, [key, login], operation)).toEqual({
    kind: "credentials",
    inherited: true,
    bindings: [key, login],
  });
  expect(chooseAuthorization(inherit, [key], operation)).toMatchObject({ bindings: [key] });
});

test("an operation that may also be called without credentials is called with those available", () => {
  expect(chooseAuthorization(inherit, [key], asking([], ["key"]))).toMatchObject({ bindings: [key] });
});

test("without a complete alternative a request inherits as if nothing were bound", () => {
  for (const operation of [asking(["login"]), asking(["key", "login"]), asking([]), asking(), undefined]) {
    expect(chooseAuthorization(inherit, [key], operation)).toBe(inherit);
  }
});

test("a test's own choice is kept", () => {
  const none = { kind: "none" } as const;
  const own = { kind: "credentials" as const, bindings: [{ schemeName: "key", credentialId: "mine" }] };
  expect(chooseAuthorization(none, [key], asking(["key"]))).toBe(none);
  expect(chooseAuthorization(own, [key], asking(["key"]))).toBe(own);
});
