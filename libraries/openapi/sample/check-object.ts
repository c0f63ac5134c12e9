import { getMember, type JsonRecord, toList, toRecord } from "../../json/json-value.ts";
import { isWithin } from "./check-scalar.ts";
import type { NestedCheck } from "./sample-fault.ts";
import { patternChecker } from "./sample-patterns.ts";
import { isHiddenIn } from "./sample-source.ts";

export function checkObject(value: JsonRecord, schema: JsonRecord, nested: NestedCheck): void {
  const { report, check, isValid, direction, source } = nested;
  const names = Object.keys(value);
  if (!isWithin(names.length, schema.minProperties, schema.maxProperties)) report("members");
  for (const name of toList(schema.required)) {
    if (typeof name !== "string" || Object.hasOwn(value, name)) continue;
    if (!isHiddenIn(direction, getMember(schema.properties, name), source)) report("required");
  }
  for (const name of names) {
    const parts = listSchemasOf(name, schema);
    for (const part of parts) check(value[name], part, name);
    if (schema.propertyNames !== undefined && !isValid(name, schema.propertyNames)) report("propertyNames");
    for (const needed of listDependents(name, schema)) {
      if (!Object.hasOwn(value, needed)) report("dependentRequired");
    }
  }
}

/** The schemas of a member: those of its name and of the patterns that it matches, else that of additional members. */
export function listSchemasOf(name: string, schema: JsonRecord): unknown[] {
  const own = getMember(schema.properties, name);
  if (own !== undefined && schema.patternProperties === undefined) return [own];
  const matching = Object.entries(toRecord(schema.patternProperties)).flatMap(([pattern, part]) =>
    patternChecker(pattern)?.(name) ? [part] : [],
  );
  const found = own === undefined ? matching : [own, ...matching];
  if (found.length > 0) return found;
  return schema.additionalProperties === undefined ? [] : [schema.additionalProperties];
}

export function listDependents(name: string, schema: JsonRecord): string[] {
  if (schema.dependentRequired === undefined && schema.dependencies === undefined) return [];
  return [getMember(schema.dependentRequired, name), getMember(schema.dependencies, name)]
    .flatMap(toList)
    .filter((needed): needed is string => typeof needed === "string");
}
