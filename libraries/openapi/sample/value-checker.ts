import { ExactNumber, isWhole } from "../../json/exact-number.ts";
import { isRecord, type JsonRecord, toList, toRecord } from "../../json/json-value.ts";
import { withExactNumbers } from "../exact-schema.ts";
import { checkArray } from "./check-array.ts";
import { checkObject } from "./check-object.ts";
import { checkNumber, checkString } from "./check-scalar.ts";
import { isSame } from "./merge-schemas.ts";
import type { NestedCheck, Report, SampleFault, ValuePath } from "./sample-fault.ts";
import type { Direction, SampleSource } from "./sample-source.ts";

const maxDepth = 200;

/**
 * Checks values by the schemas of a document without compiling them: a generated value is checked once, which is
 * cheaper than compiling. Knows the keywords of JSON Schema but `unevaluated…` and `$dynamicRef`. Past its steps
 * everything is valid.
 */
export class ValueChecker {
  #steps: number;

  constructor(
    private readonly direction: Direction,
    private readonly source: SampleSource,
    steps = 50_000,
  ) {
    this.#steps = steps;
  }

  /** A pattern that RE2 lacks counts as matched. */
  isValid(value: unknown, schema: unknown): boolean {
    return !this.listFaults(value, schema).some(isKnown);
  }

  listFaults(value: unknown, schema: unknown): SampleFault[] {
    const faults: SampleFault[] = [];
    this.#check(value, schema, [], faults, 0);
    return faults;
  }

  #check(value: unknown, raw: unknown, path: ValuePath, faults: SampleFault[], depth: number): void {
    this.#steps -= 1;
    if (this.#steps < 0 || depth > maxDepth) return;
    const report: Report = (keyword, at = path) => faults.push({ path: at, keyword });
    if (raw === false) report("false");
    if (!isRecord(raw) || (value === null && raw.nullable === true)) return;
    const schema = withExactNumbers(raw);
    if (!hasType(value, schema.type)) {
      report("type");
      return;
    }
    if (typeof schema.$ref === "string") {
      this.#check(value, this.source.find(schema.$ref), path, faults, depth + 1);
    }
    if (schema.const !== undefined && !isSame(value, schema.const)) report("const");
    if (toList(schema.enum).length > 0 && !toList(schema.enum).some((one) => isSame(one, value))) report("enum");
    if (typeof value === "string") checkString(value, schema, report);
    else if (typeof value === "number" || value instanceof ExactNumber) checkNumber(value, schema, report);
    else if (typeof value === "object" && value !== null) {
      const nested = this.#nest(report, path, faults, depth);
      if (Array.isArray(value)) checkArray(value, schema, nested);
      else checkObject(value as JsonRecord, schema, nested);
    }
    this.#checkParts(value, schema, path, faults, depth);
  }

  #nest(report: Report, path: ValuePath, faults: SampleFault[], depth: number): NestedCheck {
    return {
      direction: this.direction,
      source: this.source,
      report,
      check: (member, part, step) => {
        if (part !== undefined && part !== true) this.#check(member, part, [...path, step], faults, depth + 1);
      },
      isValid: (member, part) => !this.#faultsOf(member, part, path, depth).some(isKnown),
    };
  }

  #checkParts(value: unknown, schema: JsonRecord, path: ValuePath, faults: SampleFault[], depth: number): void {
    for (const part of toList(schema.allOf)) this.#check(value, part, path, faults, depth + 1);
    for (const list of [schema.anyOf, schema.oneOf, ...toList(schema.allChoices)]) {
      if (Array.isArray(list) && list.length > 0) {
        this.#checkAlternatives(value, list, list === schema.oneOf, path, faults, depth);
      }
    }
    const holds = (part: unknown) => !this.#faultsOf(value, part, path, depth).some(isKnown);
    if (schema.not !== undefined && holds(schema.not)) faults.push({ path, keyword: "not" });
    if (schema.if !== undefined) {
      const branch = holds(schema.if) ? schema.then : schema.else;
      this.#check(value, branch, path, faults, depth + 1);
    }
    if (!isRecord(value) || (schema.dependentSchemas === undefined && schema.dependencies === undefined)) return;
    for (const [name, part] of [
      ...Object.entries(toRecord(schema.dependentSchemas)),
      ...Object.entries(toRecord(schema.dependencies)),
    ]) {
      if (Object.hasOwn(value, name) && !Array.isArray(part)) this.#check(value, part, path, faults, depth + 1);
    }
  }

  #checkAlternatives(
    value: unknown,
    alternatives: unknown[],
    isExact: boolean,
    path: ValuePath,
    faults: SampleFault[],
    depth: number,
  ): void {
    let matching = 0;
    let closest: SampleFault[] | undefined;
    for (const alternative of alternatives) {
      const found = this.#faultsOf(value, alternative, path, depth);
      const isMatch = !found.some(isKnown);
      if (isMatch) matching += 1;
      if (!closest || found.length < closest.length) closest = found;
      if (matching > 1 || (isMatch && found.length === 0 && !isExact)) break;
    }
    if (matching < 2 || !isExact) faults.push(...(closest ?? [{ path, keyword: "anyOf" }]));
    else if (matching > 1 && isExact) faults.push({ path, keyword: "oneOf" });
  }

  #faultsOf(value: unknown, schema: unknown, path: ValuePath, depth: number): SampleFault[] {
    const faults: SampleFault[] = [];
    this.#check(value, schema, path, faults, depth + 1);
    return faults;
  }
}

const isKnown = ({ keyword }: SampleFault) => keyword !== "unknownPattern";

const typeNames = new Set(["null", "boolean", "number", "integer", "string", "array", "object"]);

function hasType(value: unknown, type: unknown): boolean {
  if (typeof type === "string") return !typeNames.has(type) || isOfType(value, type);
  const types = toList(type).filter((one): one is string => typeNames.has(one as string));
  return types.length === 0 || types.some((one) => isOfType(value, one));
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isInteger(value) || (value instanceof ExactNumber && isWhole(value));
    case "number":
      return typeof value === "number" || value instanceof ExactNumber;
    case "object":
      return isRecord(value);
    default:
      return typeof value === type;
  }
}
