import { dirname, relative } from "node:path";
import type { CodeAddress, CodeKind } from "#contracts/code/objects.ts";
import { equalJson } from "#libraries/json/compare-json.ts";
import { isJsonObject, type Json, type JsonObject } from "#libraries/json/json.ts";
import { updateYaml } from "#libraries/yaml/update-yaml.ts";
import { writeYaml } from "#libraries/yaml/yaml-text.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import {
  type CodeValue,
  circleSingles,
  identifyItem,
  type ListName,
  listNames,
  lists,
  writeAddress,
} from "./code-object.ts";
import { chooseFile, compareObjects } from "./layout.ts";
import type { CodeFile, CodeFiles } from "./read-files.ts";

/** Absolute path and new text; undefined to delete it, since it has no object any more. */
export type WrittenFiles = Map<string, string | undefined>;

/** Where an API's document is, or will be: absolute. */
export type DocumentPaths = ReadonlyMap<string, string>;

/**
 * The files that change when a folder has these objects. Each object stays in its file, and each file keeps its comments
 * and order; what is new comes into the file of its kind.
 * @param schema address of the JSON Schema, which new files name
 * @param documents by key of the API
 */
export function writeFiles(
  { folder, files, objects: before }: CodeFiles,
  objects: readonly CodeValue[],
  { schema, documents }: { schema: string; documents: DocumentPaths },
): WrittenFiles {
  const homes = new Map(before.map((object) => [writeAddress(object), object.file.path]));
  const contents = new Map<string, CodeValue[]>();
  const apiFiles = new Map(before.filter(isApi).map(({ key, file }) => [key, file.path]));
  for (const object of [...objects].sort((one, other) => Number(isApi(other)) - Number(isApi(one)))) {
    const home = findHome(object, homes) ?? chooseFile(folder, object, apiFiles.get(object.parent ?? ""));
    if (isApi(object)) apiFiles.set(object.key, home);
    homes.set(writeAddress(object), home);
    contents.set(home, [...(contents.get(home) ?? []), object]);
  }
  const written: WrittenFiles = new Map();
  const known = new Map(files.map((file) => [file.path, file]));
  for (const path of new Set([...known.keys(), ...contents.keys()])) {
    const file = known.get(path);
    const own = contents.get(path) ?? [];
    const hadObjects = before.some((object) => object.file === file);
    if (own.length === 0) {
      if (hadObjects) written.set(path, undefined);
      continue;
    }
    const value = toFileValue(file?.value, own, path, documents);
    const text = file ? updateFile(file, value) : `# yaml-language-server: $schema=${schema}\n${writeYaml(value)}`;
    if (text !== file?.text) written.set(path, text);
  }
  return written;
}

const isApi = ({ kind }: CodeAddress) => kind === "api";

/** A schedule, a service level and a status page are where their circle is. */
function findHome(object: CodeValue, homes: ReadonlyMap<string, string>): string | undefined {
  const { kind, parent, key } = object;
  if (kind === "schedule") return homes.get(writeAddress({ kind: "circle", key: parent! }));
  if (kind === "serviceLevel" || kind === "statusPage") return homes.get(writeAddress({ kind: "circle", key }));
  return homes.get(writeAddress(object));
}

function updateFile({ name, text, value: before }: CodeFile, value: JsonObject): string {
  const merged = { ...(before as JsonObject), ...value };
  for (const list of listNames) if (value[list] === undefined) delete merged[list];
  if (equalJson(before, merged)) return text;
  const updated = updateYaml(text, merged, identifyItem);
  if (updated !== undefined) return updated;
  throw new CommandError(
    exitCodes.usage,
    `${name} has anchors that keep it from being changed. Write the values in their places, and pull again.`,
  );
}

function toFileValue(
  before: Json | undefined,
  objects: readonly CodeValue[],
  path: string,
  documents: DocumentPaths,
): JsonObject {
  const earlier = before !== undefined && isJsonObject(before) ? before : {};
  const value: JsonObject = {};
  const test = objects.find(({ kind }) => kind === "test");
  if (test) value.api = test.parent!;
  for (const name of listNames) {
    const own = objects.filter(({ kind }) => kind === lists[name]);
    if (own.length === 0) continue;
    value[name] = inOrder(earlier[name], own).map((object) => toItem(name, object, objects, path, documents));
  }
  return value;
}

/** The order that a list has; a new object comes before the first one that sorts after it. */
function inOrder(list: Json | undefined, objects: readonly CodeValue[]): CodeValue[] {
  const byKey = new Map(objects.map((object) => [object.key, object]));
  const keys = (Array.isArray(list) ? list : []).map((item) => (isJsonObject(item) ? String(item.key) : ""));
  const ordered = keys.flatMap((key) => byKey.get(key) ?? []);
  const present = new Set(ordered);
  const added = objects.filter((object) => !present.has(object)).sort(compareObjects);
  if (ordered.length === 0) return added;
  for (const object of added) {
    const next = ordered.findIndex((one) => compareObjects(one, object) > 0);
    ordered.splice(next < 0 ? ordered.length : next, 0, object);
  }
  return ordered;
}

function toItem(
  name: ListName,
  { key, value }: CodeValue,
  objects: readonly CodeValue[],
  path: string,
  documents: DocumentPaths,
): JsonObject {
  if (name === "apis") return { key, ...withDocument(value, relative(dirname(path), documents.get(key)!)) };
  if (name !== "circles") return { key, ...value };
  const schedules = objects
    .filter(({ kind, parent }) => kind === "schedule" && parent === key)
    .sort(compareObjects)
    .map((schedule) => ({ key: schedule.key, ...schedule.value }));
  const find = (kind: CodeKind) => objects.find((object) => object.kind === kind && object.key === key)?.value;
  const singles = circleSingles.flatMap((kind) => {
    const single = find(kind);
    return single ? [[kind, single] as const] : [];
  });
  return { key, ...value, ...(schedules.length > 0 ? { schedules } : {}), ...Object.fromEntries(singles) };
}

function withDocument(value: JsonObject, file: string): JsonObject {
  const document = file.replaceAll("\\", "/");
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, name === "document" ? document : one]));
}
