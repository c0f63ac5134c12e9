import { ExactNumber, type JsonNumber } from "../../json/exact-number.ts";
import { getMember, isRecord, type JsonRecord, toList, toRecord } from "../../json/json-value.ts";
import { withExactNumbers } from "../exact-schema.ts";
import { placeholderText } from "../placeholder-text.ts";
import { withoutHidden } from "./hidden-members.ts";
import { type InventedValue, type MadeSample, type Maker, none, type Sample } from "./maker.ts";
import { mergeSchemas } from "./merge-schemas.ts";
import { repairSample } from "./repair-sample.ts";
import { makeArray } from "./sample-arrays.ts";
import { SampleBudget } from "./sample-budget.ts";
import { sampleNumber } from "./sample-numbers.ts";
import { makeObject } from "./sample-objects.ts";
import { type Direction, isHiddenIn, type SampleSource } from "./sample-source.ts";
import { listVariations, sampleString } from "./sample-strings.ts";
import { getSchemaType, withDiscriminator } from "./schema-type.ts";
import { ValueChecker } from "./value-checker.ts";

export type { InventedValue, MadeSample } from "./maker.ts";
export type { Direction, SampleSource } from "./sample-source.ts";

const maxDepth = 12;
const maxBytes = 256 * 1024;

/**
 * Generates a value that a schema allows: documented examples, defaults and enumerations first, otherwise the simplest
 * value of the type. Cycles end at the first optional member. The value is checked against its schema: where one
 * member can't be made it is left out, or has a placeholder such as `YOUR_CODE` where it is required. Returns undefined
 * when no reasonable value was found.
 * @param options `onlyRequired` omits optional members, unless an example contains them
 */
export function makeSample(
  schema: unknown,
  direction: Direction,
  source: SampleSource,
  { onlyRequired = false } = {},
): MadeSample | undefined {
  try {
    const checker = new ValueChecker(direction, source);
    const strict = new Sampler(direction, source, checker, onlyRequired, false).makeWhole(schema);
    const made = strict ?? new Sampler(direction, source, checker, onlyRequired, true).makeWhole(schema);
    const sample = made && repairSample(made, schema, checker);
    return sample && JSON.stringify(sample.value).length <= maxBytes ? sample : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface Flat {
  schema: JsonRecord;
  /** The outermost reference that led to the schema, which a discriminator names. */
  reference: string | undefined;
}

class Sampler implements Maker {
  readonly budget: SampleBudget;
  /** The schemas being made, from the outermost. */
  readonly #open: string[] = [];
  readonly #path: (string | number)[] = [];
  readonly #invented: InventedValue[] = [];

  constructor(
    readonly direction: Direction,
    readonly source: SampleSource,
    readonly checker: ValueChecker,
    onlyRequired: boolean,
    private acceptsPlaceholders: boolean,
  ) {
    this.budget = onlyRequired ? new SampleBudget(0) : new SampleBudget();
  }

  makeWhole(schema: unknown): MadeSample | undefined {
    const value = this.make(schema, 0);
    return value === none || value === undefined ? undefined : { value, invented: this.#invented };
  }

  make(raw: unknown, depth: number, step?: string | number): Sample {
    if (raw === false || depth > maxDepth || !this.budget.spend()) return none;
    if (!isRecord(raw)) return {};
    const flat = this.#flatten(raw, [], undefined);
    const identity = getIdentity(raw);
    if (flat === null || (identity !== undefined && this.#open.includes(identity))) return none;
    const inventedBefore = this.#invented.length;
    if (identity !== undefined) this.#open.push(identity);
    if (step !== undefined) this.#path.push(step);
    const sample = this.#makeFlat(flat, depth);
    if (step !== undefined) this.#path.pop();
    if (identity !== undefined) this.#open.pop();
    if (sample === none) this.#invented.length = inventedBefore;
    return sample;
  }

  makeOptional(raw: unknown, depth: number, step: string | number): Sample {
    const { acceptsPlaceholders } = this;
    this.acceptsPlaceholders = false;
    const sample = this.make(raw, depth, step);
    this.acceptsPlaceholders = acceptsPlaceholders;
    return sample;
  }

  makePlaceholder(raw: unknown, step: string | number): Sample {
    const flat = this.acceptsPlaceholders && isRecord(raw) ? this.#flatten(raw, [], undefined) : null;
    const type = flat && getSchemaType(flat.schema);
    if (!flat || !(type === "string" || type === "number" || type === "integer")) return none;
    const path = [...this.#path, step];
    this.#invented.push({ path, schema: flat.schema, isMissing: true });
    return placeholderText(String(path.filter((part) => typeof part === "string").at(-1) ?? "value"));
  }

  /**
   * Resolves references and `allOf` into one schema; null when they contradict each other or form a cycle. A schema
   * inherited in several ways is merged once.
   * @param references all that were followed; `open` those on the current path
   */
  #flatten(
    raw: JsonRecord,
    references: string[],
    reference: string | undefined,
    open: readonly string[] = [],
  ): Flat | null {
    if (references.length > 100) return null;
    const { $ref, allOf, ...own } = withExactNumbers(raw);
    let flat: Flat | null = { schema: own, reference };
    if (typeof $ref === "string") {
      if (open.includes($ref)) return null;
      const isTaken = references.includes($ref);
      const target = isTaken ? undefined : this.source.find($ref);
      if (target === false) return null;
      if (!isTaken) references.push($ref);
      flat = this.#join(
        flat,
        isRecord(target)
          ? this.#flatten(target, references, reference ?? $ref, [...open, $ref])
          : { schema: {}, reference },
      );
      if (flat) flat.reference = reference ?? $ref;
    }
    for (const part of toList(allOf)) {
      if (part === false) return null;
      if (isRecord(part) && flat) flat = this.#join(flat, this.#flatten(part, references, flat.reference, open));
    }
    return flat;
  }

  #join(flat: Flat, more: Flat | null): Flat | null {
    const schema = more && mergeSchemas(more.schema, flat.schema);
    return schema ? { schema, reference: flat.reference ?? more?.reference } : null;
  }

  #makeFlat(flat: Flat, depth: number): Sample {
    const { schema, reference } = flat;
    const documented = this.#documented(schema);
    if (documented !== none) return documented;
    if (schema.if !== undefined || schema.dependentSchemas !== undefined) return this.#makeConditional(flat, depth);
    const choices = [...toList(schema.allChoices), schema.oneOf, schema.anyOf].filter(
      (list): list is unknown[] => Array.isArray(list) && list.length > 0,
    );
    if (choices.length > 0) return this.#makeChoice(schema, choices, reference, depth);
    return this.#makeByType(schema, reference, depth);
  }

  #documented(schema: JsonRecord): Sample {
    if (schema.const !== undefined) return schema.const;
    const given = [schema.example, ...toList(schema.examples).slice(0, 5), schema.default].filter(
      (one) => one !== undefined && one !== null,
    );
    for (const whole of given.length > 0 && this.#hidesMembers(schema) ? [] : given) {
      const candidate = withoutHidden(whole, schema, this.direction, this.source);
      if (!this.checker.isValid(candidate, schema)) continue;
      return this.budget.spend(JSON.stringify(candidate).length) ? candidate : none;
    }
    const listed = toList(schema.enum);
    if (listed.length === 0) return none;
    const valid = listed.find((value) => value !== null && this.checker.isValid(value, schema));
    return valid !== undefined ? valid : listed.includes(null) ? null : none;
  }

  /** An example of the whole object may contain members that are not allowed in this direction. */
  #hidesMembers(schema: JsonRecord): boolean {
    return Object.values(toRecord(schema.properties)).some((one) => isHiddenIn(this.direction, one, this.source));
  }

  /** Tries it without the conditions first, then with each outcome of them. */
  #makeConditional({ schema }: Flat, depth: number): Sample {
    const { if: condition, then, else: otherwise, dependentSchemas, ...rest } = schema;
    const dependent = Object.values(toRecord(dependentSchemas));
    const attempts = [
      rest,
      { allOf: [rest, ...(condition === undefined ? [] : [condition, then]), ...dependent].filter(isRecord) },
      { allOf: [rest, otherwise, ...dependent].filter(isRecord) },
    ];
    return this.#firstValid(attempts, schema, depth);
  }

  #firstValid(attempts: unknown[], schema: JsonRecord, depth: number): Sample {
    let first: Sample = none;
    const before = this.#invented.length;
    let ofFirst: InventedValue[] = [];
    for (const attempt of attempts) {
      const sample = this.make(attempt, depth + 1);
      if (sample === none) continue;
      if (this.checker.isValid(sample, schema)) return sample;
      const invented = this.#invented.splice(before);
      if (first === none) [first, ofFirst] = [sample, invented];
    }
    this.#invented.push(...ofFirst);
    return first;
  }

  #makeChoice(schema: JsonRecord, choices: unknown[][], reference: string | undefined, depth: number): Sample {
    const { oneOf: _one, anyOf: _any, allChoices: _all, ...base } = schema;
    const [alternatives, ...others] = choices;
    const ordered = [...alternatives!].sort((one, other) => Number(isNull(one)) - Number(isNull(other)));
    const attempts = ordered.slice(0, 50).flatMap((alternative) => {
      if (!isRecord(alternative)) return [];
      const own = withDiscriminator(base, typeof alternative.$ref === "string" ? alternative.$ref : reference);
      const rest = others.map((list) => ({ anyOf: list }));
      return [{ ...own, allOf: [...rest, alternative] }];
    });
    return this.#firstValid(attempts, schema, depth);
  }

  #makeByType(schema: JsonRecord, reference: string | undefined, depth: number): Sample {
    const type = getSchemaType(schema);
    switch (type) {
      case "object":
        return makeObject(withDiscriminator(schema, reference), depth, this);
      case "array": {
        const flatten = (raw: JsonRecord) => this.#flatten(raw, [], undefined)?.schema;
        return makeArray({ schema, depth, maker: this, flatten });
      }
      case "integer":
      case "number":
        return this.#invent(sampleNumber(schema, type === "integer"), schema);
      case "boolean":
        return [true, false].find((value) => this.checker.isValid(value, schema)) ?? none;
      case "null":
        return null;
      case "string":
        return this.#invent(sampleString(schema), schema);
      default:
        return {};
    }
  }

  #invent(value: string | JsonNumber | undefined, schema: JsonRecord): Sample {
    if (value === undefined || !this.budget.spend(typeof value === "string" ? value.length : 1)) return none;
    const isExcluded = schema.not !== undefined && !this.checker.isValid(value, schema);
    const chosen = isExcluded ? this.#findOther(value, schema) : value;
    if (chosen !== none) this.#invented.push({ path: [...this.#path], schema, isMissing: false });
    return chosen;
  }

  #findOther(value: string | JsonNumber, schema: JsonRecord): Sample {
    if (value instanceof ExactNumber) return none;
    const others =
      typeof value === "number" ? [value + 1, value - 1, value + 2, 0, value * 2] : listVariations(value, 1, schema);
    return others.find((other) => this.checker.isValid(other, schema)) ?? none;
  }
}

/**
 * What makes a schema the same when it occurs inside of itself: its own references, and whether it says anything
 * beside them. A base inside of a schema that extends it is no cycle yet.
 */
function getIdentity(raw: JsonRecord): string | undefined {
  const references = new Set<string>();
  let isExtended = false;
  const visit = ({ $ref, allOf, ...own }: JsonRecord, depth: number) => {
    if (typeof $ref === "string") references.add($ref);
    isExtended ||= Object.keys(own).some((keyword) => extending.has(keyword));
    if (depth < 10) for (const part of toList(allOf)) if (isRecord(part)) visit(part, depth + 1);
  };
  visit(raw, 0);
  if (references.size === 0) return undefined;
  return `${[...references].sort().join(" ")}${isExtended ? " +" : ""}`;
}

const extending = new Set([
  "properties",
  "required",
  "items",
  "oneOf",
  "anyOf",
  "additionalProperties",
  "patternProperties",
]);

function isNull(schema: unknown): boolean {
  return getMember(schema, "type") === "null";
}
