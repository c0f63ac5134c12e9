import { getMember, isRecord, type JsonRecord, toList, toRecord } from "#libraries/json/json-value.ts";
import type { SampleSource } from "#libraries/openapi/sample/sampler.ts";
import { splitName, toReferredThing } from "../names.ts";

/** A text or number somewhere in a body. */
export interface Member {
  /** Names of members, `*` for any item of a list: `["items", "*", "id"]`. */
  steps: string[];
  /** The component that describes the object with this member. */
  owner: string | undefined;
  /** The component that describes the value itself. */
  reference: string | undefined;
  required: boolean;
  /** A text that may be anything: no enumeration, format or pattern says what. */
  isPlainText: boolean;
  /** Sent by clients only, or by servers only. */
  direction: "both" | "request" | "response";
}

export const anyItem = "*";
const maxDepth = 4;
const maxMembers = 200;
const maxPositions = 250;
/** Of a body's members whose names say nothing of an identifier. */
const maxOthers = 40;

interface Position {
  schema: unknown;
  /** Its name in the object or list above it. */
  step: string;
  above: Position | undefined;
  depth: number;
  owner: string | undefined;
  required: boolean;
  direction: Member["direction"];
  /** References that led here. */
  open: readonly string[];
}

function toSteps(position: Position): string[] {
  const steps: string[] = [];
  for (let at = position; at.above; at = at.above) steps.unshift(at.step);
  return steps;
}

interface Found extends Pick<Member, "reference" | "direction" | "isPlainText"> {
  position: Position;
}

const hasType = ({ type }: JsonRecord, wanted: string) =>
  type === wanted || (Array.isArray(type) && type.includes(wanted));

export const isPlainText = (schema: JsonRecord) =>
  hasType(schema, "string") && ["enum", "const", "format", "pattern"].every((word) => schema[word] === undefined);

/** Reads the members of schemas; those of a component are read once. */
export class MemberReader {
  readonly #known = new Map<string, Member[]>();

  constructor(private readonly source: SampleSource) {}

  /**
   * The texts and numbers that a body of this schema has, the outermost first: those that may identify something, and
   * 40 others.
   */
  list(schema: unknown): Member[] {
    const reference = getMember(schema, "$ref");
    const key = typeof reference === "string" ? reference : undefined;
    const known = key === undefined ? undefined : this.#known.get(key);
    if (known) return known;
    const members = this.#walk(schema);
    if (key !== undefined) this.#known.set(key, members);
    return members;
  }

  #walk(schema: unknown): Member[] {
    const found: Found[] = [];
    const top = { schema, step: "", above: undefined, depth: 0, owner: undefined, required: true };
    // Breadth first, and each position is visited once: where a schema has more, its deepest members are left out.
    const positions: Position[] = [{ ...top, direction: "both", open: [] }];
    for (let at = 0; at < positions.length; at += 1) this.#visit(positions[at]!, found, positions);
    let others = 0;
    const telling = found.filter(({ position: { step }, reference }) => {
      if (reference !== undefined || splitName(step).identifier !== "" || toReferredThing(step)) return true;
      others += 1;
      return others <= maxOthers;
    });
    return telling.map(({ position, reference, direction, isPlainText }) => {
      const { owner, required } = position;
      return { steps: toSteps(position), owner, reference, required, direction, isPlainText };
    });
  }

  #visit(position: Position, found: Found[], positions: Position[]): void {
    const flat = this.#flatten(position.schema, position.open);
    if (!flat) return;
    const { schema, reference, open } = flat;
    const { owner, required, depth } = position;
    const direction =
      schema.readOnly === true ? "response" : schema.writeOnly === true ? "request" : position.direction;
    const isList = schema.items !== undefined || hasType(schema, "array");
    const properties = isList ? {} : toRecord(schema.properties);
    const names = isList ? [anyItem] : Object.keys(properties);
    if (names.length > 0) {
      if (depth >= maxDepth) return;
      const needed = isList ? undefined : toList(schema.required);
      for (const step of names) {
        if (positions.length >= maxPositions) return;
        positions.push({
          schema: isList ? schema.items : properties[step],
          step,
          above: position,
          depth: depth + 1,
          owner: isList ? undefined : (reference ?? owner),
          required: needed ? required && needed.includes(step) : required,
          direction,
          open,
        });
      }
    } else if (depth > 0 && !hasType(schema, "object") && !hasType(schema, "boolean")) {
      found.push({ position, reference, direction, isPlainText: isPlainText(schema) });
    }
  }

  /** With what its references and `allOf` say of type, items and members; of alternatives, all members. */
  #flatten(
    raw: unknown,
    open: readonly string[],
  ): { schema: JsonRecord; reference: string | undefined; open: readonly string[] } | undefined {
    if (!isRecord(raw) || open.length > 50) return undefined;
    const { $ref } = raw;
    if ($ref === undefined && !raw.allOf && !raw.oneOf && !raw.anyOf)
      return { schema: raw, reference: undefined, open };
    if (typeof $ref === "string" && Object.keys(raw).length === 1) {
      const target = open.includes($ref) ? undefined : this.#flatten(this.source.find($ref), [...open, $ref]);
      return target && { schema: target.schema, reference: $ref, open: target.open };
    }
    let merged: JsonRecord = { ...raw };
    let reference: string | undefined;
    let opened = open;
    const add = (part: unknown, isNeeded: boolean) => {
      const flat = this.#flatten(part, opened);
      if (!flat) return;
      reference ??= isNeeded ? flat.reference : undefined;
      opened = flat.open.length > opened.length ? flat.open : opened;
      merged = {
        ...flat.schema,
        ...merged,
        properties: { ...toRecord(flat.schema.properties), ...toRecord(merged.properties) },
        required: isNeeded ? [...toList(merged.required), ...toList(flat.schema.required)] : toList(merged.required),
      };
    };
    if (typeof $ref === "string") {
      if (open.includes($ref)) return undefined;
      opened = [...open, $ref];
      add(this.source.find($ref), true);
      reference = $ref;
    }
    for (const part of toList(raw.allOf)) add(part, true);
    for (const part of [...toList(raw.oneOf), ...toList(raw.anyOf)].slice(0, 20)) add(part, false);
    return { schema: merged, reference, open: opened };
  }
}

/** The same of an example, for documents without a schema. */
export function listMembersOfValue(value: unknown, steps: string[] = []): Member[] {
  if (steps.length > maxDepth) return [];
  if (Array.isArray(value)) return listMembersOfValue(value[0], [...steps, anyItem]);
  if (isRecord(value)) {
    return Object.entries(value)
      .flatMap(([name, inner]) => listMembersOfValue(inner, [...steps, name]))
      .slice(0, maxMembers);
  }
  if ((typeof value !== "string" && typeof value !== "number") || steps.length === 0) return [];
  return [{ steps, owner: undefined, reference: undefined, required: false, isPlainText: false, direction: "both" }];
}

/** RFC 9535: `$.items[*].id`. */
export function toJsonPath(steps: readonly string[]): string {
  const parts = steps.map((step) =>
    step === anyItem ? "[*]" : /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `['${step.replace(/[\\']/g, "\\$&")}']`,
  );
  return `$${parts.join("")}`;
}
