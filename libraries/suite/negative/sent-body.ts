import { isRecord } from "#libraries/json/json-value.ts";
import type { SampleSource } from "#libraries/openapi/sample/sampler.ts";
import { ValueChecker } from "#libraries/openapi/sample/value-checker.ts";
import { placeholderPattern } from "#libraries/template/placeholders.ts";
import { listInstances, writePlaceholders } from "../suggestion/body-placeholders.ts";

type Path = (string | number)[];

/** Stand for what a run captures, to find one of the documented type. */
const standIns: unknown[] = [
  ...["3fa85f64-5717-4562-b3fc-2c963f66afa6", 1, "1", "a", "507f1f77bcf86cd799439011", "abc", "a@example.com"],
  ...[10, 100, true],
];

/**
 * A valid body with values in place of its placeholders, to be checked.
 * @returns undefined if it isn't valid
 */
export function fillSent(
  sent: unknown,
  schema: unknown,
  source: SampleSource,
): { value: unknown; sent: unknown } | undefined {
  const captured: Path[] = [];
  let value = fill(sent, []);
  const listFaults = (one: unknown) => new ValueChecker("request", source).listFaults(one, schema);
  for (const path of captured) {
    const fits = (one: unknown) => listFaults(one).every((fault) => fault.path.join("/") !== path.join("/"));
    const filled = standIns.map((standIn) => setAt(value, path, standIn)).find(fits);
    if (filled === undefined) return undefined;
    value = filled;
  }
  return listFaults(value).length === 0 ? { value, sent } : undefined;

  function fill(part: unknown, path: Path): unknown {
    if (Array.isArray(part)) return part.map((item, index) => fill(item, [...path, index]));
    if (isRecord(part)) {
      return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, fill(member, [...path, name])]));
    }
    if (typeof part !== "string" || !part.includes("{{")) return part;
    const isNumber = writePlaceholders(JSON.stringify(part)).startsWith("{{");
    const plain = isNumber ? writePlaceholders(JSON.stringify(part)) : part;
    const names = [...plain.matchAll(placeholderPattern())].map(([, name]) => name!);
    if (names.some((name) => !name.startsWith("$"))) captured.push(path);
    const [instance = ""] = listInstances(plain);
    return isNumber ? Number(instance) || 1 : instance;
  }
}

/**
 * The body with the templates of what a run generates in their places: each row has names of its own, which no row before
 * has taken.
 */
export function inlineGenerated(value: unknown, generated: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") {
    return value.replace(placeholderPattern(), (whole, name: string) => generated.get(name) ?? whole);
  }
  if (Array.isArray(value)) return value.map((item) => inlineGenerated(item, generated));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inlineGenerated(member, generated)]));
}

function setAt(value: unknown, [step, ...rest]: Path, changed: unknown): unknown {
  if (step === undefined) return changed;
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? setAt(item, rest, changed) : item));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, name === step ? setAt(member, rest, changed) : member]),
  );
}
