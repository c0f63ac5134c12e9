import { expect, test } from "vitest";
import { definitionVersion, parseDefinition } from "./definitions.ts";

const stored = { request: {}, assertions: [], checks: ["not_a_server_error"], captures: [], timeoutMilliseconds: 500 };

test("a stored definition is read with defaults for omitted fields", () => {
  const definition = parseDefinition({ definition: stored, definition_version: definitionVersion });
  expect(definition).toMatchObject({ ...stored, retry: { attempts: 1 } });
});

test("a definition of another form, or invalid JSON, is an error", () => {
  const read = (definition: unknown, version = definitionVersion) =>
    parseDefinition({ definition, definition_version: version });
  expect(() => read(stored, definitionVersion + 1)).toThrow("stored in form 2");
  expect(() => read({ ...stored, checks: "all" })).toThrow("checks");
});
