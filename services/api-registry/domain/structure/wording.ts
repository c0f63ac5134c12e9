import type { SpecificationVersion } from "#contracts/api-registry/documents.ts";

/** A value's kind in words. */
export function describeKind(value: unknown): string {
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  return (
    { string: "a text", number: "a number", boolean: String(value), object: "an object" }[typeof value as string] ??
    "this"
  );
}

export function enumerate(items: readonly string[], conjunction: "or" | "and" = "or"): string {
  if (items.length <= 1) return items.join("");
  return `${items.slice(0, -1).join(", ")} ${conjunction} ${items.at(-1)}`;
}

/** Keywords renamed or moved since 3.0. */
const before3: Record<string, string> = {
  definitions: '"components.schemas" holds them from OpenAPI 3.0 on',
  host: 'from OpenAPI 3.0 on, "servers" says it',
  basePath: 'from OpenAPI 3.0 on, "servers" says it',
  schemes: 'from OpenAPI 3.0 on, "servers" says it',
  consumes: 'from OpenAPI 3.0 on, the keys of "requestBody.content" say it',
  produces: 'from OpenAPI 3.0 on, the keys of a response\'s "content" say it',
  securityDefinitions: '"components.securitySchemes" holds them from OpenAPI 3.0 on',
  flow: 'from OpenAPI 3.0 on it is "flows", with one object a flow',
  type: 'from OpenAPI 3.0 on it belongs into "schema"',
  format: 'from OpenAPI 3.0 on it belongs into "schema"',
  items: 'from OpenAPI 3.0 on it belongs into "schema"',
  collectionFormat: 'from OpenAPI 3.0 on, "style" and "explode" say it',
  schema: 'from OpenAPI 3.0 on it belongs into "content", below a media type',
};

/** Keywords that 2.0 does not have yet. */
const since3: Record<string, string> = {
  components: "OpenAPI 3.0 brought it; in 2.0 it is definitions, parameters, responses and securityDefinitions",
  servers: 'OpenAPI 3.0 brought it; in 2.0 it is "host", "basePath" and "schemes"',
  requestBody: 'OpenAPI 3.0 brought it; in 2.0 it is a parameter with in: "body"',
  content: 'OpenAPI 3.0 brought it; in 2.0 it is "schema"',
  flows: 'OpenAPI 3.0 brought it; in 2.0 it is "flow", one to a security definition',
  style: 'OpenAPI 3.0 brought it; in 2.0 it is "collectionFormat"',
  explode: 'OpenAPI 3.0 brought it; in 2.0 it is "collectionFormat"',
  scheme: 'OpenAPI 3.0 brought it; in 2.0 the type says it, as in type: "basic"',
  callbacks: "OpenAPI 3.0 brought them",
  links: "OpenAPI 3.0 brought them",
};

const since31: Record<string, string> = {
  webhooks: "OpenAPI 3.1 brought them",
  pathItems: "OpenAPI 3.1 brought them",
  jsonSchemaDialect: "OpenAPI 3.1 brought it",
};

/** Keywords of one version that are often used in another, and their replacement. */
function hintsFor(version: SpecificationVersion): Record<string, string> {
  if (version === "2.0") return { ...since3, ...since31 };
  return version === "3.0" ? { ...before3, ...since31 } : before3;
}

/** Advice for an unknown field: its name in this version, a likely misspelling, or an extension. */
export function adviseOnField(
  name: string,
  known: Iterable<string>,
  takesExtensions: boolean,
  version: SpecificationVersion,
): string {
  const hints = hintsFor(version);
  if (Object.hasOwn(hints, name)) return `: ${hints[name]}.`;
  const likely = likelyWord(name, known);
  if (likely !== undefined) return `. Did you mean "${likely}"?`;
  return takesExtensions ? '. Remove it, or start its name with "x-" if it is an extension.' : ".";
}

/** The known word of which this is a misspelling: one edit, two in long words. */
export function likelyWord(word: string, known: Iterable<string>): string | undefined {
  if (word.length < 3) return undefined;
  const maxEdits = word.length > 6 ? 2 : 1;
  for (const candidate of known) {
    if (distance(word.toLowerCase(), candidate.toLowerCase()) <= maxEdits) return candidate;
  }
  return undefined;
}

/** Edit distance; words here are short. */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2 || one.length > 40) return 3;
  let before = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1] ? 0 : 1;
      current.push(Math.min(before[column]! + 1, current[column - 1]! + 1, before[column - 1]! + same));
    }
    before = current;
  }
  return before[other.length]!;
}
