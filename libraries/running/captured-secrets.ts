import type { Capture, Test } from "#contracts/test-registry/tests.ts";
import { isJsonNumber } from "../json/compare-json.ts";
import { isJsonObject, type Json } from "../json/json.ts";
import { parseJson, UnreadableJson } from "../json/parse-json.ts";
import type { KnownSecret } from "../redaction/patterns.ts";
import { isSecretName } from "../redaction/secret-signs.ts";

/** Shorter members of an object reveal little, and redacting them would remove innocent text. */
const shortestMember = 4;

/**
 * Secrets in a captured value. For an object or a list also its strings and numbers: its formatting may differ in the
 * response.
 */
export function secretsOf(captured: string): KnownSecret[] {
  const texts = /^[{[]/.test(captured) ? listTexts(captured) : [];
  return [captured, ...texts.filter(({ length }) => length >= shortestMember)].map((secret) => ({ secret }));
}

function listTexts(captured: string): string[] {
  try {
    return textsIn(parseJson(captured));
  } catch (error) {
    if (error instanceof UnreadableJson) return [];
    throw error;
  }
}

function textsIn(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (isJsonObject(value)) return Object.values(value).flatMap(textsIn);
  if (typeof value === "string") return [value];
  return isJsonNumber(value) ? [String(value)] : [];
}

/** Whether a captured value is a secret: as the test says, else by its name. */
export function isSecretCapture({ name, secret }: Pick<Capture, "name" | "secret">): boolean {
  return secret ?? isSecretName(name);
}

/** The test with each capture's `secret` decided. */
export function decideSecrets(test: Test): Test {
  if (test.captures.every(({ secret }) => secret !== undefined)) return test;
  return { ...test, captures: test.captures.map((one) => ({ ...one, secret: isSecretCapture(one) })) };
}
