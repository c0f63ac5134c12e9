import { isRecord, toList, toRecord } from "../json/json-value.ts";
import { listSchemasOf } from "../openapi/sample/check-object.ts";
import type { SampleSource } from "../openapi/sample/sample-source.ts";
import { listSchemaParts } from "../openapi/schema-parts.ts";

/** A name, an index, or any. */
type Step = string | number | typeof any;
const any = Symbol("any");

export interface DescribedPath {
  /** Schemas of the value: those that apply together, and alternatives. */
  schemas: unknown[];
  /** Whether every object with the value's parent has it. */
  isRequired: boolean;
}

const steps =
  /^(?:\.([A-Za-z_\u0080-\uFFFF][\w\u0080-\uFFFF-]*)|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\[(-?\d+)\]|(\.\*|\[\*\]|\[\?[^\]]*\]))/;

/** Undefined for a path with descendants, slices or several selectors. */
export function readSteps(path: string): Step[] | undefined {
  if (!path.startsWith("$")) return undefined;
  const found: Step[] = [];
  let rest = path.slice(1);
  while (rest !== "") {
    const match = steps.exec(rest);
    if (!match) return undefined;
    const [whole, name, single, double, index] = match;
    const text = name ?? single ?? double;
    found.push(text === undefined ? (index === undefined ? any : Number(index)) : text.replace(/\\(.)/g, "$1"));
    rest = rest.slice(whole.length);
  }
  return found;
}

/** What a schema says of the value at a path; undefined where it describes none. */
export function describePath(schema: unknown, path: readonly Step[], source: SampleSource): DescribedPath | undefined {
  let schemas = expand([schema], source);
  let isRequired = true;
  for (const step of path) {
    isRequired = typeof step !== "string" || schemas.some((one) => toList(toRecord(one).required).includes(step));
    schemas = expand(
      schemas.flatMap((one) => select(toRecord(one), step)),
      source,
    );
    if (schemas.length === 0) return undefined;
  }
  return { schemas, isRequired };
}

function expand(schemas: unknown[], source: SampleSource): unknown[] {
  return listSchemaParts(
    schemas.filter((one) => one !== false).map((one) => (one === true ? {} : one)),
    source,
    {
      alternatives: true,
    },
  );
}

function select(schema: Record<string, unknown>, step: Step): unknown[] {
  if (typeof step === "string") return listSchemasOf(step, schema);
  const { items, prefixItems, properties, additionalProperties } = schema;
  const prefix = Array.isArray(items) ? items : toList(prefixItems);
  const rest = isRecord(items) || items === true ? [items] : [];
  if (step !== any) return prefix[step] === undefined ? rest : [prefix[step]];
  const others = isRecord(additionalProperties) ? [additionalProperties] : [];
  return [...prefix, ...rest, ...Object.values(toRecord(properties)), ...others];
}
