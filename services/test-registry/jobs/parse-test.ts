import type { FieldError } from "#contracts/kit/problem.ts";
import { type TestInput, testInput } from "#contracts/test-registry/tests.ts";

const toPath = (path: PropertyKey[]) =>
  path
    .map((step, index) => (typeof step === "number" ? `[${step}]` : `${index === 0 ? "" : "."}${String(step)}`))
    .join("");

/** A test as a caller would send it: with its defaults, or errors by field. */
export function parseTest(raw: unknown): TestInput | FieldError[] {
  const parsed = testInput.safeParse(structuredClone(raw));
  return parsed.success
    ? parsed.data
    : parsed.error.issues.map(({ path, message }) => ({ path: toPath(path), message }));
}
