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

/** Advice on a keyword of another version, where an object has the field that stands for it. */
interface Hint {
  beside: string;
  advice: string;
}

const hint = (beside: string, advice: string): Hint => ({ beside, advice });

/** Keywords renamed or moved since 3.0. */
const before3: Record<string, Hint> = {
  definitions: hint("components", '"components.schemas" holds them from OpenAPI 3.0 on'),
  host: hint("servers", 'from OpenAPI 3.0 on, "servers" says it'),
  basePath: hint("servers", 'from OpenAPI 3.0 on, "servers" says it'),
  schemes: hint("servers", 'from OpenAPI 3.0 on, "servers" says it'),
  consumes: hint("servers", 'from OpenAPI 3.0 on, the keys of "requestBody.content" say it'),
  produces: hint("servers", 'from OpenAPI 3.0 on, the keys of a response\'s "content" say it'),
  securityDefinitions: hint("components", '"components.securitySchemes" holds them from OpenAPI 3.0 on'),
  flow: hint("flows", 'from OpenAPI 3.0 on it is "flows", with one object a flow'),
  type: hint("schema", 'from OpenAPI 3.0 on it belongs into "schema"'),
  format: hint("schema", 'from OpenAPI 3.0 on it belongs into "schema"'),
  items: hint("schema", 'from OpenAPI 3.0 on it belongs into "schema"'),
  collectionFormat: hint("style", 'from OpenAPI 3.0 on, "style" and "explode" say it'),
  schema: hint("content", 'from OpenAPI 3.0 on it belongs into "content", below a media type'),
};

/** Keywords that 2.0 does not have yet. */
const since3: Record<string, Hint> = {
  components: hint(
    "definitions",
    "OpenAPI 3.0 brought it; in 2.0 it is definitions, parameters, responses and securityDefinitions",
  ),
  servers: hint("schemes", 'OpenAPI 3.0 brought it; in 2.0 it is "host", "basePath" and "schemes"'),
  requestBody: hint("consumes", 'OpenAPI 3.0 brought it; in 2.0 it is a parameter with in: "body"'),
  content: hint("schema", 'OpenAPI 3.0 brought it; in 2.0 it is "schema"'),
  flows: hint("flow", 'OpenAPI 3.0 brought it; in 2.0 it is "flow", one to a security definition'),
  style: hint("collectionFormat", 'OpenAPI 3.0 brought it; in 2.0 it is "collectionFormat"'),
  explode: hint("collectionFormat", 'OpenAPI 3.0 brought it; in 2.0 it is "collectionFormat"'),
  scheme: hint("flow", 'Added in OpenAPI 3.0; in 2.0 the type says it, e.g. type: "basic"'),
  callbacks: hint("responses", "OpenAPI 3.0 brought them"),
  links: hint("headers", "OpenAPI 3.0 brought them"),
};

const since31: Record<string, Hint> = {
  webhooks: hint("paths", "OpenAPI 3.1 brought them"),
  pathItems: hint("schemas", "OpenAPI 3.1 brought them"),
  jsonSchemaDialect: hint("paths", "OpenAPI 3.1 brought it"),
};

/** Keywords of one version that are often used in another, and their replacement. */
function hintsFor(version: SpecificationVersion): Record<string, Hint> {
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
  const fields = new Set(known);
  const hints = hintsFor(version);
  const found = Object.hasOwn(hints, name) ? hints[name] : undefined;
  if (found && fields.has(found.beside)) return `: ${found.advice}.`;
  const likely = likelyWord(name, fields);
  if (likely !== undefined) return `. Did you mean "${likely}"?`;
  return takesExtensions ? '. Remove it, or start its name with "x-" if it is an extension.' : ". Remove it.";
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
