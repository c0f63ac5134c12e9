import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import { toComponentName } from "~/features/schema-view/read-schema";
import type { JsonHighlight } from "~/ui/json-view/fold-json";
import { withoutLocation } from "./broken-locations";

/** A schema of the document that the response violates. */
export interface DocumentedLocation {
  /** The component's name; undefined for an inline schema. */
  name: string | undefined;
  /** Its location in the reference, within the response that describes the operation. */
  location: string | undefined;
  schema: unknown;
  highlights: JsonHighlight[];
}

type Documented = Pick<OperationWithComponents, "operation" | "components">;

/**
 * The schemas with the failed keywords, each once: references are followed, so that the page displays the schema that
 * was evaluated and not its name.
 */
export function getDocumentedLocations(
  verification: Verification,
  documented: Documented | undefined,
): DocumentedLocation[] {
  const locations = new Map<string, DocumentedLocation>();
  for (const { schemaPointer, message } of verification.schemaErrors ?? []) {
    const found = findLocation(schemaPointer, verification, documented);
    if (found.schema === undefined) continue;
    const place = locations.get(found.key) ?? { ...found, highlights: [] };
    const note = withoutLocation(message);
    if (!place.highlights.some((one) => one.pointer === found.pointer && one.note === note)) {
      place.highlights.push({ pointer: found.pointer, tone: "danger", note });
    }
    locations.set(found.key, place);
  }
  return [...locations.values()].map(({ name, location, schema, highlights }) => ({
    name,
    location,
    schema,
    highlights,
  }));
}

function findLocation(schemaPointer: string, { schema }: Verification, documented: Documented | undefined) {
  const components = documented?.components ?? {};
  const key = Object.keys(components)
    .filter((one) => schemaPointer.startsWith(`${one}/`))
    .sort((one, other) => other.length - one.length)[0];
  if (key !== undefined) {
    const place = `/components/${escapeStep(key)}`;
    return {
      key,
      name: toComponentName(key),
      location: place,
      schema: components[key],
      pointer: schemaPointer.slice(key.length),
    };
  }
  const inResponse = /^#\/paths\/.*?\/responses\/([^/]+)(?:\/content\/([^/]+))?\/schema(\/.*)?$/.exec(schemaPointer);
  if (inResponse) {
    const [, status, mediaType, pointer = ""] = inResponse;
    return { key: "", name: undefined, location: getPlace(documented, status!, mediaType), schema, pointer };
  }
  const isGiven = !/^#\/(paths|components|definitions)\//.test(schemaPointer);
  return {
    key: "",
    name: undefined,
    location: undefined,
    schema,
    // Behind a reference that can't be resolved: the schema as a whole is marked.
    pointer: isGiven ? schemaPointer.slice(1) : "",
  };
}

function getPlace(documented: Documented | undefined, status: string, mediaType: string | undefined) {
  const responses = documented?.operation.responses ?? [];
  const response = responses.findIndex((one) => one.status === unescapeStep(status));
  const contents = responses[response]?.content ?? [];
  // OpenAPI 2.0 has one schema for all media types.
  const content = mediaType === undefined ? 0 : contents.findIndex((one) => one.mediaType === unescapeStep(mediaType));
  return contents[content] ? `/operation/responses/${response}/content/${content}/schema` : undefined;
}

function escapeStep(step: string): string {
  return step.replaceAll("~", "~0").replaceAll("/", "~1");
}

function unescapeStep(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}
