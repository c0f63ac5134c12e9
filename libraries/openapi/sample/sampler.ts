import { getMember, isRecord, type JsonRecord, setMember, toList, toRecord } from "../../json/json-value.ts";
import { isSame, mergeSchemas } from "./merge-schemas.ts";
import { moveToFuture } from "./periods.ts";
import { SampleBudget } from "./sample-budget.ts";
import { sampleNumber } from "./sample-numbers.ts";
import { listVariations, sampleString } from "./sample-strings.ts";
import { getSchemaType, isPlausible, withDiscriminator } from "./schema-type.ts";

/** The components of a document, by `$ref`. */
export interface SampleSource {
  find(reference: string): unknown;
}

export type Direction = "request" | "response";

const none = Symbol("no sample");
type Sample = unknown | typeof none;

const maxDepth = 12;
const optionalDepth = 6;
const maxItems = 1_000;
const maxBytes = 256 * 1024;

/**
 * Generates a value that a schema allows: documented examples, defaults and enumerations first, otherwise the simplest
 * value of the type. Cycles end at the first optional member. Returns undefined when no reasonable value was found.
 * @param options `onlyRequired` omits optional members, unless an example contains them
 */
export function makeSample(
  schema: unknown,
  direction: Direction,
  source: SampleSource,
  { onlyRequired = false } = {},
): { value: unknown } | undefined {
  try {
    const value = new Sampler(direction, source, onlyRequired).make(schema, 0);
    if (value === none || value === undefined || JSON.stringify(value).length > maxBytes) return undefined;
    return { value };
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

class Sampler {
  readonly #budget: SampleBudget;
  readonly #open: string[] = [];

  constructor(
    private readonly direction: Direction,
    private readonly source: SampleSource,
    onlyRequired: boolean,
  ) {
    this.#budget = onlyRequired ? new SampleBudget(0) : new SampleBudget();
  }

  make(raw: unknown, depth: number): Sample {
    if (raw === false || depth > maxDepth || !this.#budget.spend()) return none;
    if (!isRecord(raw)) return {};
    const references: string[] = [];
    const flat = this.#flatten(raw, references, undefined);
    const isCircle = references.some((reference) => this.#open.includes(reference));
    if (flat === null || isCircle) return none;
    this.#open.push(...references);
    const sample = this.#makeFlat(flat, depth);
    this.#open.length -= references.length;
    return sample;
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
    const { $ref, allOf, ...own } = raw;
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

  #makeFlat({ schema, reference }: Flat, depth: number): Sample {
    const documented = this.#documented(schema);
    if (documented !== none) return documented;
    const choices = [...toList(schema.allChoices), schema.oneOf, schema.anyOf].filter(
      (list): list is unknown[] => Array.isArray(list) && list.length > 0,
    );
    if (choices.length > 0) return this.#makeChoice(schema, choices, reference, depth);
    return this.#makeByType(schema, reference, depth);
  }

  #documented(schema: JsonRecord): Sample {
    if (schema.const !== undefined) return schema.const;
    const examples = Array.isArray(schema.examples) ? schema.examples : [];
    for (const candidate of [schema.example, examples[0], schema.default]) {
      if (
        candidate !== undefined &&
        candidate !== null &&
        isPlausible(candidate, schema) &&
        !this.#hidesMembers(schema)
      ) {
        return this.#budget.spend(JSON.stringify(candidate).length) ? candidate : none;
      }
    }
    const [first] = toList(schema.enum).filter((value) => value !== null);
    return first === undefined ? (Array.isArray(schema.enum) && schema.enum.length > 0 ? null : none) : first;
  }

  /** An example of the whole object may contain members that are not allowed in this direction. */
  #hidesMembers(schema: JsonRecord): boolean {
    const hidden = this.direction === "request" ? "readOnly" : "writeOnly";
    return Object.values(toRecord(schema.properties)).some((property) => getMember(property, hidden) === true);
  }

  #makeChoice(schema: JsonRecord, choices: unknown[][], reference: string | undefined, depth: number): Sample {
    const { oneOf: _one, anyOf: _any, allChoices: _all, ...base } = schema;
    const [alternatives, ...others] = choices;
    const ordered = [...alternatives!].sort((one, other) => Number(isNull(one)) - Number(isNull(other)));
    for (const alternative of ordered.slice(0, 50)) {
      if (!isRecord(alternative)) continue;
      const rest = others.length > 0 ? { allOf: others.map((list) => ({ anyOf: list })) } : {};
      const own = withDiscriminator(base, typeof alternative.$ref === "string" ? alternative.$ref : reference);
      const sample = this.make(
        { ...own, ...rest, allOf: [...toList(getMember(rest, "allOf")), alternative] },
        depth + 1,
      );
      if (sample !== none) return sample;
    }
    return none;
  }

  #makeByType(schema: JsonRecord, reference: string | undefined, depth: number): Sample {
    switch (getSchemaType(schema)) {
      case "object":
        return this.#makeObject(withDiscriminator(schema, reference), depth);
      case "array":
        return this.#makeArray(schema, depth);
      case "integer":
        return sampleNumber(schema, true) ?? none;
      case "number":
        return sampleNumber(schema, false) ?? none;
      case "boolean":
        return true;
      case "null":
        return null;
      case "string": {
        const text = sampleString(schema);
        return text === undefined || !this.#budget.spend(text.length) ? none : text;
      }
      default:
        return {};
    }
  }

  #makeObject(schema: JsonRecord, depth: number): Sample {
    const sample: JsonRecord = {};
    const properties = toRecord(schema.properties);
    const required = new Set(toList(schema.required).filter((name): name is string => typeof name === "string"));
    const maximum = typeof schema.maxProperties === "number" ? schema.maxProperties : Number.POSITIVE_INFINITY;
    const minimum = typeof schema.minProperties === "number" ? schema.minProperties : 0;
    let count = 0;
    for (const name of Object.keys(properties)) {
      const property = properties[name];
      if (this.#isHidden(property)) {
        required.delete(name);
        continue;
      }
      const isOptional = !required.has(name);
      // Listed properties precede names generated for `minProperties`.
      const isEnough = this.#budget.onlyRequired && count + required.size >= minimum;
      const skips = depth >= optionalDepth || isEnough || count >= maximum - required.size;
      if (isOptional && skips) continue;
      const value = this.make(property, depth + 1);
      if (value !== none) {
        setMember(sample, name, moveToFuture(name, value));
        count += 1;
      } else if (!isOptional) return none;
    }
    return this.#addUnlisted(sample, schema, required, depth);
  }

  #isHidden(property: unknown): boolean {
    const hidden = this.direction === "request" ? "readOnly" : "writeOnly";
    if (getMember(property, hidden) === true) return true;
    const reference = getMember(property, "$ref");
    return typeof reference === "string" && getMember(this.source.find(reference), hidden) === true;
  }

  /** Adds required names without a schema, and as many generated names as `minProperties` requires. */
  #addUnlisted(sample: JsonRecord, schema: JsonRecord, required: Set<string>, depth: number): Sample {
    const { additionalProperties, minProperties } = schema;
    const isMap = isRecord(additionalProperties) && Object.keys(additionalProperties).length > 0;
    const isEmpty = Object.keys(toRecord(schema.properties)).length === 0;
    const names = [...required].filter((name) => !Object.hasOwn(sample, name));
    const minimum = typeof minProperties === "number" ? Math.min(minProperties, maxItems) : 0;
    if (names.length === 0 && isMap && isEmpty && depth < optionalDepth) names.push("key");
    for (let number = 1; Object.keys(sample).length + names.length < minimum; number++) {
      if (!Object.hasOwn(sample, `key${number}`)) names.push(`key${number}`);
      if (number > maxItems) return none;
    }
    if (names.length > 0 && additionalProperties === false) return none;
    for (const name of names) {
      const value = isMap ? this.make(additionalProperties, depth + 1) : "string";
      if (value === none) {
        if (required.has(name) || minimum > 0) return none;
        continue;
      }
      setMember(sample, name, value);
    }
    return Object.keys(sample).length < (typeof minProperties === "number" ? minProperties : 0) ? none : sample;
  }

  #makeArray(schema: JsonRecord, depth: number): Sample {
    const minimum = typeof schema.minItems === "number" ? schema.minItems : 0;
    const maximum = typeof schema.maxItems === "number" ? schema.maxItems : Number.POSITIVE_INFINITY;
    if (minimum > maxItems || minimum > maximum) return none;
    const sample: unknown[] = [];
    const tuple = toList(schema.prefixItems ?? (Array.isArray(schema.items) ? schema.items : undefined));
    for (const item of tuple.slice(0, maxItems)) {
      const value = this.make(item, depth + 1);
      if (value === none) return sample.length >= minimum ? sample : none;
      sample.push(value);
    }
    const rest = Array.isArray(schema.items)
      ? (schema.additionalItems ?? true)
      : (schema.contains ?? schema.items ?? true);
    const wanted = Math.min(maximum, Math.max(minimum, tuple.length > 0 || depth >= optionalDepth ? 0 : 1));
    while (sample.length < wanted) {
      const value =
        schema.uniqueItems === true && sample.length > 0
          ? this.#makeAnother(rest, sample, depth)
          : this.make(rest, depth + 1);
      if (value === none) return sample.length >= minimum ? sample : none;
      sample.push(value);
    }
    return sample;
  }

  /** An item different from the existing ones: the next of an enumeration, the next number, or a numbered text. */
  #makeAnother(raw: unknown, present: unknown[], depth: number): Sample {
    const flat = isRecord(raw) ? this.#flatten(raw, [], undefined)?.schema : {};
    if (!flat) return none;
    const isNew = (value: unknown) => !present.some((one) => isSame(one, value));
    const listed = toList(flat.enum).find(isNew);
    if (listed !== undefined) return listed;
    const value = this.make(raw, depth + 1);
    if (value === none || isNew(value)) return value;
    const number = present.length + 1;
    const varied =
      typeof value === "number"
        ? [value + number - 1]
        : typeof value === "string"
          ? listVariations(value, number, flat)
          : [];
    return varied.find((candidate) => isNew(candidate) && isPlausible(candidate, flat)) ?? none;
  }
}

function isNull(schema: unknown): boolean {
  return getMember(schema, "type") === "null";
}
