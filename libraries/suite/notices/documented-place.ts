import type { Json, JsonType } from "../../json/json.ts";
import { getMember, isRecord, type JsonRecord, toList, toRecord } from "../../json/json-value.ts";
import type { SampleSource } from "../../openapi/sample/sample-source.ts";
import { flattenSchema } from "../../openapi/schema-parts.ts";
import type { Steps } from "./change.ts";

/** What the document says of a place of a body. Nothing where it says nothing, or alternatives. */
export class DocumentedPlace {
  readonly #schema: JsonRecord | undefined;
  readonly #source: SampleSource;
  constructor(schema: unknown, source: SampleSource) {
    this.#schema = schema === undefined ? undefined : flattenSchema(schema, source);
    this.#source = source;
  }

  /** Whether the document describes it at all. */
  get isDescribed(): boolean {
    return this.#schema !== undefined;
  }

  at(steps: Steps): DocumentedPlace {
    return steps.reduce<DocumentedPlace>((place, step) => place.#step(step), this);
  }

  #step(step: string | number): DocumentedPlace {
    const schema = this.#schema;
    const next = typeof step === "number" ? schema?.items : getMember(getMember(schema, "properties"), step);
    return new DocumentedPlace(next, this.#source);
  }

  /** Whether the document leaves a member out of what has to come. */
  isOptional(name: string): boolean {
    const { properties, required } = toRecord(this.#schema);
    return isRecord(properties) && Object.hasOwn(properties, name) && !toList(required).includes(name);
  }

  get mayBeNull(): boolean {
    const schema = toRecord(this.#schema);
    const { type, nullable, anyOf, oneOf } = schema;
    if (nullable === true || [type].flat().includes("null") || toList(schema.enum).includes(null)) return true;
    return [...toList(anyOf), ...toList(oneOf)].some((one) => {
      const part = flattenSchema(one, this.#source);
      return part?.nullable === true || [part?.type].flat().includes("null");
    });
  }

  /** Whether the document names this type among several of a place. */
  allowsType(type: JsonType): boolean {
    const types = [this.#schema?.type].flat();
    return types.includes(type) || (type === "number" && types.includes("integer"));
  }

  get enumeration(): Json[] {
    return toList(this.#schema?.enum) as Json[];
  }

  /** A number that may have a fraction is no integer, even if this one has none. */
  get isInteger(): boolean {
    return this.#schema?.type === "integer";
  }
}
