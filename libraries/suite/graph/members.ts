import { getMember, isRecord, type JsonRecord, toList, toRecord } from "#libraries/json/json-value.ts";
import type { SampleSource } from "#libraries/openapi/sample/sampler.ts";

/** A text or number somewhere in a body. */
export interface Member {
  /** Names of members, `*` for any item of a list: `["items", "*", "id"]`. */
  steps: string[];
  /** The component that describes the object with this member. */
  owner: string | undefined;
  /** The component that describes the value itself. */
  reference: string | undefined;
  required: boolean;
  /** Sent by clients only, or by servers only. */
  direction: "both" | "request" | "response";
}

export const anyItem = "*";
const maxDepth = 4;
const maxMembers = 200;

interface Position {
  schema: unknown;
  steps: string[];
  owner: string | undefined;
  required: boolean;
  direction: Member["direction"];
  /** References that led here. */
  open: readonly string[];
}

/** Reads the members of schemas; those of a component are read once. */
export class MemberReader {
  readonly #known = new Map<string, Member[]>();

  constructor(private readonly source: SampleSource) {}

  /** The texts and numbers that a body of this schema has, the outermost first; at most 200. */
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
    const found: Member[] = [];
    let level: Position[] = [{ schema, steps: [], owner: undefined, required: true, direction: "both", open: [] }];
    for (let depth = 0; depth <= maxDepth && level.length > 0; depth += 1) {
      const next: Position[] = [];
      for (const position of level) {
        if (found.length >= maxMembers) return found;
        this.#visit(position, found, next);
      }
      level = next.slice(0, maxMembers);
    }
    return found;
  }

  #visit(position: Position, found: Member[], next: Position[]): void {
    const flat = this.#flatten(position.schema, position.open);
    if (!flat) return;
    const { schema, reference, open } = flat;
    const { steps, owner, required } = position;
    const direction =
      schema.readOnly === true ? "response" : schema.writeOnly === true ? "request" : position.direction;
    const types = [schema.type].flat();
    if (schema.items !== undefined || types.includes("array")) {
      next.push({ ...position, schema: schema.items, steps: [...steps, anyItem], owner: undefined, direction, open });
      return;
    }
    const properties = toRecord(schema.properties);
    const names = Object.keys(properties);
    if (names.length > 0) {
      const needed = new Set(toList(schema.required));
      for (const name of names) {
        next.push({
          ...{ schema: properties[name], steps: [...steps, name], owner: reference ?? owner },
          ...{ required: required && needed.has(name), direction, open },
        });
      }
      return;
    }
    if (steps.length === 0 || types.includes("object") || types.includes("boolean")) return;
    found.push({ steps, owner, reference, required, direction });
  }

  /** With what its references and `allOf` say of type, items and members; of alternatives, all members. */
  #flatten(
    raw: unknown,
    open: readonly string[],
  ): { schema: JsonRecord; reference: string | undefined; open: readonly string[] } | undefined {
    if (!isRecord(raw) || open.length > 50) return undefined;
    const { $ref } = raw;
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
  return [{ steps, owner: undefined, reference: undefined, required: false, direction: "both" }];
}

/** RFC 9535: `$.items[*].id`. */
export function toJsonPath(steps: readonly string[]): string {
  const parts = steps.map((step) =>
    step === anyItem ? "[*]" : /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `['${step.replace(/[\\']/g, "\\$&")}']`,
  );
  return `$${parts.join("")}`;
}
