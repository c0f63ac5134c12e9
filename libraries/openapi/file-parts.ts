import { getMember, isRecord, toList } from "../json/json-value.ts";
import type { DescribedContent, SampleContext, SampleField } from "./described-content.ts";
import type { Components } from "./parameter.ts";
import { resolveSchema, toField } from "./sample-parts.ts";

/** A named part of a multipart body that is a file. */
export interface FilePart extends Pick<SampleField, "name" | "mediaType" | "headers"> {
  required: boolean;
  /** A list of files: each is a part of this name. */
  many: boolean;
}

const maxParts = 20;

/** The files of a multipart body, optional ones included, in the document's order; at most 20. Empty for other bodies. */
export function listFileParts(
  { mediaType, schema, encoding }: DescribedContent,
  context: SampleContext = {},
): FilePart[] {
  if (!/^multipart\//i.test(mediaType)) return [];
  const { components = {} } = context;
  const properties = new Map<string, unknown>();
  for (const part of listParts(schema, ["allOf", "oneOf", "anyOf"], components)) {
    const own = getMember(part, "properties");
    for (const [name, property] of Object.entries(isRecord(own) ? own : {})) {
      if (name.trim() !== "" && !properties.has(name)) properties.set(name, property);
    }
  }
  // What only an alternative requires is optional.
  const required = new Set(
    listParts(schema, ["allOf"], components).flatMap((part) => toList(getMember(part, "required"))),
  );
  return [...properties]
    .flatMap(([name, property]): FilePart[] => {
      const items = getMember(resolveSchema(property, components), "items");
      const { file, value: _, ...head } = toField(name, "", items ?? property, getMember(encoding, name), context);
      return file ? [{ ...head, required: required.has(name), many: items !== undefined }] : [];
    })
    .slice(0, maxParts);
}

/** A schema and the ones that it is combined of, each once. */
function listParts(raw: unknown, combinations: readonly string[], components: Components): unknown[] {
  const found = new Set([resolveSchema(raw, components)]);
  // A set's loop reaches what is added meanwhile.
  for (const schema of found) {
    for (const combination of combinations) {
      for (const part of toList(getMember(schema, combination))) found.add(resolveSchema(part, components));
    }
  }
  return [...found];
}
