import type { Ajv2020, ErrorObject } from "ajv/dist/2020.js";
import { equalJson } from "../../json/compare-json.ts";
import { compareNumbers, type ExactNumber, isMultipleOf, isWhole, type JsonNumber } from "../../json/exact-number.ts";
import type { Json } from "../../json/json.ts";
import { canonicalText, nearestDouble, replaceExactNumbers } from "../../json/write-json.ts";

/** The location of a value, as ajv passes it to a keyword. */
interface DataContext {
  parentData: unknown;
  parentDataProperty: string | number;
}

/**
 * A value as ajv can read it, with a double in place of each exact number. The keywords below look up the number
 * itself; to all others only its type matters, which the double has.
 */
export class ReadableValue {
  readonly plain: unknown;
  /** Lists and objects with exact numbers, by their plain copies. */
  readonly #exact = new Map<unknown, Json>();
  readonly #root: [Json];

  /** For ajv, so that it also knows the location of the root. */
  readonly context: DataContext & { instancePath: string; rootData: unknown };

  constructor(value: Json) {
    this.#root = [value];
    const holder = replaceExactNumbers(this.#root, doubleLike, (copy, original) => this.#exact.set(copy, original));
    [this.plain] = holder as [unknown];
    this.context = { instancePath: "", parentData: holder, parentDataProperty: 0, rootData: this.plain };
  }

  exactly(data: unknown, { parentData, parentDataProperty }: DataContext): Json {
    if (typeof data !== "number") return this.#exact.get(data) ?? (data as Json);
    const parent = this.#exact.get(parentData) as Record<string | number, Json> | undefined;
    return parent ? parent[parentDataProperty]! : data;
  }

  /** The value at a JSON pointer that exists. */
  at(pointer: string): Json {
    return pointer
      .split("/")
      .slice(1)
      .map((step) => step.replace(/~1/g, "/").replace(/~0/g, "~"))
      .reduce((value, step) => (value as Record<string, Json>)[step]!, this.#root[0]);
  }
}

/** A double that is whole exactly if the number is. */
function doubleLike(number: ExactNumber): number {
  const value = nearestDouble(number);
  return isWhole(number) === Number.isInteger(value) ? value : 0.5 * Math.sign(value || 1);
}

/** The value being validated; ajv has no parameter for it. */
export interface Validated {
  value?: ReadableValue;
}

type Validate = {
  (limit: unknown, data: unknown, parentSchema: object, context: DataContext): boolean;
  errors?: Partial<ErrorObject>[];
};

/** Replaces ajv's keywords that compare values by ones that compare numbers as decimals. */
export function compareExactly(ajv: Ajv2020, validated: Validated): void {
  function add(
    keyword: string,
    type: "number" | "array" | undefined,
    judge: (limit: never, value: never) => object | undefined,
  ) {
    const validate: Validate = (limit, data, parentSchema, context) => {
      const value = validated.value ? validated.value.exactly(data, context) : data;
      const params = judge(limit as never, value as never);
      if (params) validate.errors = [{ keyword, params, parentSchema }];
      return params === undefined;
    };
    ajv.removeKeyword(keyword);
    ajv.addKeyword({ keyword, ...(type ? { type } : {}), validate: validate as never, errors: true });
  }

  const bound = (keyword: string, allows: (order: number) => boolean) =>
    add(keyword, "number", (limit: JsonNumber, value: JsonNumber) =>
      allows(compareNumbers(value, limit)) ? undefined : { limit },
    );
  bound("minimum", (order) => order >= 0);
  bound("maximum", (order) => order <= 0);
  bound("exclusiveMinimum", (order) => order > 0);
  bound("exclusiveMaximum", (order) => order < 0);
  add("multipleOf", "number", (multipleOf: JsonNumber, value: JsonNumber) =>
    isMultipleOf(value, multipleOf) ? undefined : { multipleOf },
  );
  add("const", undefined, (allowedValue: Json, value: Json) =>
    equalJson(value, allowedValue) ? undefined : { allowedValue },
  );
  add("enum", undefined, (allowedValues: Json[], value: Json) =>
    allowedValues.some((allowed) => equalJson(value, allowed)) ? undefined : { allowedValues },
  );
  add("uniqueItems", "array", (isUnique: boolean, items: Json[]) => (isUnique ? findRepetition(items) : undefined));
}

function findRepetition(items: Json[]): { i: number; j: number } | undefined {
  const seen = new Map<string, number>();
  for (const [i, item] of items.entries()) {
    const text = canonicalText(item);
    const j = seen.get(text);
    if (j !== undefined) return { i, j };
    seen.set(text, i);
  }
  return undefined;
}
