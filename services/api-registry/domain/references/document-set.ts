import type { SpecificationVersion } from "#contracts/api-registry/documents.ts";
import { getMember, isRecord } from "#libraries/json/json-value.ts";
import type { DocumentLocation } from "../diagnostics.ts";
import type { ParsedFile } from "../text/parsed-file.ts";
import { lookUpFile, nameOfAddress } from "./file-names.ts";
import { childPointer, escapeToken, toTokens } from "./pointer.ts";
import { mayHaveIdentities, SchemaResources } from "./schema-resources.ts";

/** The main document ("") and the files it references, by their names relative to it. */
export interface DocumentSet {
  version: SpecificationVersion;
  files: Map<string, ParsedFile>;
  /** Where the main document was fetched from. */
  url: string | undefined;
  /** The main document's own file name, which other files use to reference it. */
  mainName?: string;
  /** Cache of resolved references, which are requested repeatedly. */
  found?: Map<string, Target>;
  /** Schemas with identities; undefined up to 3.0, and where no file has any. */
  resources?: SchemaResources;
  /** Names of `$id` and `$anchor` by file, built on first use. */
  names?: Map<string, Map<string, string>>;
}

export interface Target extends DocumentLocation {
  value: unknown;
}

/** Adds a file. Its references to schemas with identities become pointers. */
export function addFile(set: DocumentSet, name: string, file: ParsedFile, bytes: Uint8Array): void {
  set.files.set(name, file);
  if ((set.version !== "3.1" && set.version !== "3.2") || !mayHaveIdentities(bytes)) return;
  set.resources ??= new SchemaResources();
  set.resources.add(set, name);
}

/** The `$ref` of a location: `#/components/schemas/Pet`, `other.yaml#/Pet`, `pet.yaml`. */
export function referenceTo({ file, pointer }: DocumentLocation): string {
  return file !== "" && pointer === "" ? file : `${file}#${pointer}`;
}

export function splitReference(reference: string): { filePart: string; fragment: string } {
  const hash = reference.indexOf("#");
  return hash < 0
    ? { filePart: reference, fragment: "" }
    : { filePart: reference.slice(0, hash), fragment: reference.slice(hash + 1) };
}

/** The name of the file a reference points to; undefined when it may not be followed. */
export function fileOfReference(set: DocumentSet, from: string, filePart: string): string | undefined {
  if (filePart === "") return from;
  const lookup = lookUpFile(from, filePart, set.url);
  if (lookup.kind === "refused") return undefined;
  const name = lookup.kind === "file" ? lookup.name : nameOfAddress(lookup.url, set.url);
  return name === set.mainName ? "" : name;
}

/** Resolves a single step of a reference; undefined if the target is missing. */
export function findTarget(set: DocumentSet, from: string, reference: string): Target | undefined {
  set.found ??= new Map();
  const key = `${from}\n${reference}`;
  const known = set.found.get(key);
  if (known) return known;
  const target = lookUpTarget(set, from, reference);
  // The target may still arrive with another file.
  if (target) set.found.set(key, target);
  return target;
}

function lookUpTarget(set: DocumentSet, from: string, reference: string): Target | undefined {
  const { filePart, fragment } = splitReference(reference);
  const named = filePart !== "" ? collectNames(set, from).get(filePart) : undefined;
  const resource = filePart !== "" ? set.resources?.find(filePart) : undefined;
  if (named === undefined && resource) return follow(set, resource.file, resource.pointer + decodeFragment(fragment));
  const file = named !== undefined ? from : fileOfReference(set, from, filePart);
  const parsed = file === undefined ? undefined : set.files.get(file);
  if (file === undefined || parsed === undefined) return undefined;
  if (named !== undefined) return follow(set, file, named + decodeFragment(fragment));
  const pointer = decodeFragment(fragment);
  if (pointer === "" || pointer.startsWith("/")) return follow(set, file, pointer);
  const anchored = collectNames(set, file).get(`#${pointer}`);
  return anchored === undefined ? undefined : follow(set, file, anchored);
}

function decodeFragment(fragment: string): string {
  if (!fragment.includes("%")) return fragment;
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Maximum references followed for one pointer, including nested ones. */
const maxHops = 50;

/** Walks a pointer; a `$ref` on the way is replaced by its target. */
function follow(set: DocumentSet, file: string, pointer: string, left = { hops: maxHops }): Target | undefined {
  let value: unknown = set.files.get(file)?.value;
  let at: DocumentLocation = { file, pointer: "" };
  for (const token of toTokens(pointer)) {
    const hop = getMember(value, "$ref");
    if (typeof hop === "string" && getMember(value, token) === undefined) {
      if (left.hops-- <= 0) return undefined;
      const { filePart, fragment } = splitReference(hop);
      const next = fileOfReference(set, at.file, filePart);
      const through = next === undefined ? undefined : follow(set, next, decodeFragment(fragment), left);
      if (!through) return undefined;
      at = { file: through.file, pointer: through.pointer };
      value = through.value;
    }
    if (Array.isArray(value) && /^(0|[1-9]\d*)$/.test(token)) value = value[Number(token)];
    else value = getMember(value, token);
    if (value === undefined) return undefined;
    at = { file: at.file, pointer: childPointer(at.pointer, token) };
  }
  return { ...at, value };
}

/** Follows references to the first value that is not one itself. Undefined for a missing target or a circle. */
export function resolve(set: DocumentSet, start: Target): Target | undefined {
  let target: Target | undefined = start;
  const seen = new Set<unknown>();
  while (target && isRecord(target.value) && typeof target.value.$ref === "string") {
    if (seen.has(target.value)) return undefined;
    seen.add(target.value);
    target = findTarget(set, target.file, target.value.$ref);
  }
  return target;
}

/** `$id`s and `#anchor`s of one file with their pointers. */
function collectNames(set: DocumentSet, file: string): Map<string, string> {
  set.names ??= new Map();
  const known = set.names.get(file);
  if (known) return known;
  const names = new Map<string, string>();
  const waiting: [unknown, string][] = [[set.files.get(file)?.value, ""]];
  while (waiting.length > 0) {
    const [value, pointer] = waiting.pop()!;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        if (typeof item === "object" && item !== null) waiting.push([item, `${pointer}/${index}`]);
      }
    } else if (isRecord(value)) {
      for (const keyword of ["$anchor", "$dynamicAnchor"]) {
        const anchor = getMember(value, keyword);
        if (typeof anchor === "string") names.set(`#${anchor}`, pointer);
      }
      const id = getMember(value, "$id");
      if (typeof id === "string" && id !== "") names.set(id.replace(/#$/, ""), pointer);
      for (const key of Object.keys(value)) {
        const member = value[key];
        if (typeof member === "object" && member !== null) waiting.push([member, `${pointer}/${escapeToken(key)}`]);
      }
    }
  }
  set.names.set(file, names);
  return names;
}
