import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { LineCounter } from "yaml";
import { isJsonObject, type Json, type JsonObject } from "#libraries/json/json.ts";
import { parseYaml, toJson } from "#libraries/yaml/yaml-text.ts";
import { findProject, OutsideProject, readWithin } from "../document/project.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { type CodeValue, describeAddress, writeAddress } from "./code-object.ts";
import { listParts, type Part } from "./file-parts.ts";
import { type FileError, type LocatedText, locate, type Pointer, toCommandError } from "./positions.ts";

export const defaultFolder = "assurance";

/** A file of objects. */
export interface CodeFile extends LocatedText {
  /** Absolute. */
  path: string;
  value: Json;
}

/** An object of a file. */
export interface FileObject extends CodeValue {
  file: CodeFile;
  pointer: Pointer;
}

/** The text of an API's document, in a file of its own. */
export interface LocalDocument {
  /** Absolute; of several APIs with the same one, each. */
  paths: string[];
  bytes: Uint8Array;
}

export interface CodeFiles {
  /** Absolute. */
  folder: string;
  files: CodeFile[];
  objects: FileObject[];
  /** By SHA-256 in hex. */
  documents: Map<string, LocalDocument>;
  /** Absolute, by key of the API. */
  documentPaths: Map<string, string>;
}

/**
 * Reads all files of a folder. Files that begin with a dot, and OpenAPI documents, are left out.
 * @throws CommandError for files that are no YAML, and for what has no key or is not known, each at its line
 */
export async function readFiles(folder: string): Promise<CodeFiles> {
  const errors: FileError[] = [];
  const files: CodeFile[] = [];
  const paths = await listFiles(resolve(folder));
  const project = paths.length > 0 ? await findProject(resolve(folder)) : "";
  for (const path of paths) {
    const bytes = await readWithin(project, path).catch((error: Error) => {
      if (!(error instanceof OutsideProject)) throw error;
      errors.push({
        file: relative(process.cwd(), path),
        line: 1,
        message: `It is a link, and not read: ${error.message}.`,
      });
    });
    const file = bytes && parseFile(path, bytes.toString("utf8"), errors);
    if (file) files.push(file);
  }
  const found: CodeFiles = {
    folder: resolve(folder),
    files,
    objects: [],
    documents: new Map(),
    documentPaths: new Map(),
  };
  const known = new Map<string, FileObject>();
  for (const file of files) {
    const report = (pointer: Pointer, message: string) =>
      errors.push({ file: file.name, line: locate(file, pointer), message });
    for (const part of listParts(file.value as JsonObject, report)) {
      const object = await toObject(file, part, { ...found, project }, report);
      if (!object) continue;
      const address = writeAddress(object);
      const other = known.get(address);
      if (other)
        report(
          [...object.pointer, "key"],
          `The ${describeAddress(object)} is also in ${other.file.name}:${locate(other.file, other.pointer)}.`,
        );
      else known.set(address, object);
      found.objects.push(object);
    }
  }
  if (errors.length > 0) throw toCommandError(errors);
  return found;
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new CommandError(exitCodes.usage, `${folder} can't be read: ${error.message}.`);
  });
  const found: string[] = [];
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await listFiles(path)));
    else if (/\.(ya?ml|json)$/i.test(entry.name)) found.push(path);
  }
  return found;
}

/** A document may have megabytes: it is recognized before it is parsed for positions. */
function isDocument(text: string): boolean {
  if (!text.trimStart().startsWith("{")) return /^["']?(?:openapi|swagger)["']?[^\S\n]*:/m.test(text);
  try {
    const { openapi, swagger } = JSON.parse(text) as { openapi?: unknown; swagger?: unknown };
    return openapi !== undefined || swagger !== undefined;
  } catch {
    return false;
  }
}

function parseFile(path: string, text: string, errors: FileError[]): CodeFile | undefined {
  if (isDocument(text)) return undefined;
  const lines = new LineCounter();
  const document = parseYaml(text, { lineCounter: lines, prettyErrors: false });
  const name = relative(process.cwd(), path);
  for (const { pos, message, code } of document.errors)
    errors.push({
      ...{ file: name, line: lines.linePos(pos[0]).line },
      message: code === "MULTIPLE_DOCS" ? "The file has a second document." : `${message}.`.replace(/\.\.$/, "."),
    });
  if (document.errors.length > 0) return undefined;
  const value = toJson(document) ?? {};
  if (isJsonObject(value)) return { path, name, text, value };
  errors.push({ file: name, line: 1, message: "The file has no lists of objects, such as apis or circles." });
  return undefined;
}

async function toObject(
  file: CodeFile,
  { address, value, pointer }: Part,
  { documents, documentPaths, project }: CodeFiles & { project: string },
  report: (pointer: Pointer, message: string) => void,
): Promise<FileObject | undefined> {
  if (address.kind !== "api") return { ...address, value, file, pointer };
  const { document } = value;
  if (typeof document !== "string" || document === "") {
    report([...pointer, "document"], "An API has a document: the path of a file, e.g. openapi.yaml.");
    return undefined;
  }
  const path = resolve(dirname(file.path), document);
  const bytes = await readWithin(project, path).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === "ENOENT" ? "there is no such file" : error.message;
    report([...pointer, "document"], `${relative(process.cwd(), path)} can't be read: ${reason}.`);
    return undefined;
  });
  if (!bytes) return undefined;
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  documents.set(sha256, { paths: [...(documents.get(sha256)?.paths ?? []), path], bytes });
  documentPaths.set(address.key, path);
  return { ...address, value: { ...value, document: { sha256 } }, file, pointer };
}
