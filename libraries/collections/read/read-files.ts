import type { ReadableFormat } from "#contracts/test-registry/import-formats.ts";
import { isArazzo, readArazzo } from "./arazzo.ts";
import { readBruno } from "./bruno.ts";
import { isHar, readHar } from "./har.ts";
import { isEnvironmentFile, readHttpFiles } from "./http-file.ts";
import { readHurl } from "./hurl.ts";
import { isHurlVariables } from "./hurl-variables.ts";
import { isInsomnia, readInsomnia } from "./insomnia.ts";
import { isOpenCollection } from "./open-collection.ts";
import { isPostmanCollection, isPostmanEnvironment, readPostman } from "./postman.ts";
import { type Reading, type SourceFile, UnreadableFile } from "./reading.ts";
import { readTree } from "./tree.ts";

const readers: Record<ReadableFormat, (files: readonly SourceFile[]) => Reading> = {
  postman: readPostman,
  bruno: readBruno,
  insomnia: readInsomnia,
  har: readHar,
  hurl: readHurl,
  http: readHttpFiles,
  arazzo: readArazzo,
};

export interface FormattedReading extends Reading {
  format: ReadableFormat;
}

/**
 * Reads files of one format. Those of other formats are left out, and said.
 * @param format recognized by itself where it is undefined
 * @throws UnreadableFile
 */
export function readFiles(files: readonly SourceFile[], format?: ReadableFormat): FormattedReading {
  const known = files.map((file) => ({ file, format: format ?? recognizeFormat(file) }));
  const counts = new Map<ReadableFormat, number>();
  for (const { format: one } of known) if (one) counts.set(one, (counts.get(one) ?? 0) + 1);
  const [chosen] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [];
  if (!chosen) {
    const [first] = files;
    throw new UnreadableFile(
      first?.name ?? "",
      0,
      "No known format: it is not from Postman, Bruno, Insomnia, Hurl or an .http file, and no HAR or Arazzo document. Choose the format.",
    );
  }
  const isOwn = (one: (typeof known)[number]) =>
    one.format === chosen || (chosen === "hurl" && isHurlVariables(one.file.name));
  const own = known.filter(isOwn).map(({ file }) => file);
  const { collection, losses } = readers[chosen](own);
  const others = known
    .filter((one) => !isOwn(one) && !isBeside(one.file.name))
    .map(({ file: { name }, format: other }) => ({
      ...{ file: name, line: 0, of: name, what: "file" },
      reason: other ? "It has another format. Import it on its own." : "Its format is not known.",
    }));
  return { format: chosen, collection, losses: [...losses, ...others] };
}

/** Files of a collection's folder that have no requests. */
const isBeside = (name: string) => /(^|\/)(package(-lock)?\.json|\.gitignore|README\.md|tsconfig\.json)$/i.test(name);

/** By its content; where that may be of several formats, by its name. */
export function recognizeFormat(file: SourceFile): ReadableFormat | undefined {
  if (/\.bru$/i.test(file.name)) return "bruno";
  if (/\.hurl$/i.test(file.name)) return "hurl";
  if (/\.(http|rest)$/i.test(file.name) || isEnvironmentFile(file.name)) return "http";
  if (/(^|\/)bruno\.json$/i.test(file.name)) return "bruno";
  // Of several tools.
  if (/\.env$/i.test(file.name)) return undefined;
  const structured = recognizeTree(file);
  if (structured || /\.(json|har|ya?ml)$/i.test(file.name)) return structured;
  return recognizeText(file.text);
}

function recognizeTree(file: SourceFile): ReadableFormat | undefined {
  if (!/^\s*[{[]|^[\w"'-]+\s*:/m.test(file.text)) return undefined;
  let value: unknown;
  try {
    value = readTree(file).value;
  } catch {
    return undefined;
  }
  if (isPostmanCollection(value) || isPostmanEnvironment(value)) return "postman";
  if (isInsomnia(value)) return "insomnia";
  if (isHar(value)) return "har";
  if (isArazzo(value)) return "arazzo";
  return isOpenCollection(value, file.name) ? "bruno" : undefined;
}

function recognizeText(text: string): ReadableFormat | undefined {
  if (/^meta \{$/m.test(text)) return "bruno";
  if (
    /^HTTP(\/[\d.]+)?\s+(\d{3}|\*)\s*$/m.test(text) ||
    /^\[(Asserts|Captures|QueryStringParams|Query|FormParams|Form)\]/m.test(text)
  )
    return "hurl";
  if (/^###|^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE)\s+\S+/m.test(text)) return "http";
  return undefined;
}
