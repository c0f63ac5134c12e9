import type { CollectedCapture } from "../../collection.ts";

/** What an expression of a script is of the response, as far as it can be said without running it. */
export type Value =
  | { kind: "literal"; value: unknown }
  | { kind: "pattern"; source: string; flags: string }
  /** The response itself. */
  | { kind: "response" }
  | { kind: "headers" }
  | { kind: "json"; path: string }
  | { kind: "statusCode" }
  | { kind: "statusText" }
  | { kind: "responseTime" }
  | { kind: "body" }
  | { kind: "header"; name: string }
  | { kind: "cookie"; name: string }
  | { kind: "bodySize" }
  | { kind: "variable"; name: string }
  | { kind: "length"; of: Value }
  | { kind: "type"; of: Value }
  | { kind: "comparison"; comparison: string; left: Value; target: unknown }
  /** A container of the tool's own, such as `pm.environment`. */
  | { kind: "scope"; name: string };

/** The path of a member, as in `$.items[0]['in stock']`. */
export function toMember(path: string, member: string | number): string {
  if (typeof member === "number") return `${path}[${member}]`;
  if (/^[A-Za-z_]\w*$/.test(member)) return `${path}.${member}`;
  return `${path}['${member.replace(/\\/g, "\\\\").replace(/'/g, "\\'")}']`;
}

/** A path such as `data.items[0].id`, in the language of paths. */
export function toPath(dotted: string): string {
  if (dotted.startsWith("$")) return dotted;
  let path = "$";
  for (const [, quoted, index, name] of dotted.matchAll(/\[\s*["']([^"']*)["']\s*\]|\[(\d+)\]|([^.[\]]+)/g)) {
    if (index !== undefined) path = toMember(path, Number(index));
    else path = toMember(path, quoted ?? (/^\d+$/.test(name!) ? Number(name) : name!));
  }
  return path;
}

export interface Subject {
  source: string;
  property: string | undefined;
}

/** What an assertion is about. */
export function toSubject(value: Value): Subject | undefined {
  switch (value.kind) {
    case "json":
      return { source: "jsonPath", property: value.path };
    case "header":
    case "cookie":
      return { source: value.kind, property: value.name };
    case "statusCode":
    case "responseTime":
    case "body":
    case "bodySize":
      return { source: value.kind, property: undefined };
    default:
      return undefined;
  }
}

/** How a value is captured; undefined where a capture can't say it. */
export function toCapture(name: string, value: Value): CollectedCapture | undefined {
  const rest = { name, pattern: undefined, secret: false };
  switch (value.kind) {
    case "json":
      return { ...rest, source: "jsonPath", property: value.path };
    case "header":
    case "cookie":
      return { ...rest, source: value.kind, property: value.name };
    case "statusCode":
    case "body":
      return { ...rest, source: value.kind, property: undefined };
    default:
      return undefined;
  }
}

/** A target of an assertion; undefined where it is known only when the script runs. */
export function toTarget(value: Value | undefined): { target: unknown } | undefined {
  if (value?.kind === "literal") return { target: value.value };
  if (value?.kind === "variable") return { target: `{{${value.name}}}` };
  return undefined;
}
