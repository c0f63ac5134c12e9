import { type Diagnostics, refuse } from "../diagnostics.ts";
import type { ImportLimits } from "../limits.ts";
import { decodeDocument } from "./decoding.ts";
import { parseJsonFile } from "./json-file.ts";
import { reportLoneSurrogates } from "./lone-surrogates.ts";
import type { ParsedFile } from "./parsed-file.ts";
import { parseYamlFile } from "./yaml-file.ts";

/**
 * Bytes of one file as values with positions. JSON and YAML are distinguished by how the text begins; a name ending
 * in .yaml decides for ambiguous text.
 * @throws UnusableDocument when it is neither, or over a limit
 */
export function parseDocumentFile(
  bytes: Uint8Array,
  file: string,
  fileName: string | undefined,
  limits: ImportLimits,
  diagnostics: Diagnostics,
): ParsedFile {
  if (bytes.length > limits.bytes) {
    refuse(`The file is larger than ${Math.floor(limits.bytes / 1_048_576)} MiB.`, { file, line: 1, column: 1 });
  }
  const text = decodeDocument(bytes, file);
  if (file !== "" && /\.(md|markdown|txt)$/i.test(fileName ?? "")) return textFile(text);
  const namesYaml = /\.ya?ml$/i.test(fileName ?? "");
  const namesJson = /\.json$/i.test(fileName ?? "");
  const beginsAsJson = /^\s*[{[]/.test(text.slice(0, 2_000));
  const isMisnamed = namesJson && !beginsAsJson && looksLikeYaml(text);
  if (isMisnamed) {
    const at = { file, pointer: "", line: 1, column: 1 };
    const message = "The file's name ends in .json, but it contains YAML and was read as such. Rename it to .yaml.";
    diagnostics.add({ severity: "warning", message, at });
  }
  const parse = (beginsAsJson || namesJson) && !namesYaml && !isMisnamed ? parseJsonFile : parseYamlFile;
  const parsed = parse(text, file, limits, diagnostics);
  reportLoneSurrogates(text, parsed.value, file, diagnostics);
  return parsed;
}

/** A first line such as `openapi: 3.1.0`, after comments. */
function looksLikeYaml(text: string): boolean {
  return /^\s*(#[^\n]*\n\s*)*(---|%YAML|["']?[\w$-]+["']?\s*:)/.test(text.slice(0, 2_000));
}

/** A description in a separate file. */
function textFile(value: string): ParsedFile {
  const start = { line: 1, column: 1 };
  return {
    format: "yaml",
    value,
    nodes: 1,
    locate: (pointers) => new Map(pointers.map((pointer) => [pointer, start])),
    writtenAs: () => undefined,
  };
}
