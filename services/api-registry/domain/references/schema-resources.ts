import { getMember, isRecord } from "#libraries/json/json-value.ts";
import { escapeToken } from "./pointer.ts";

/** The files of a document so far, by name; "" is the main one. */
export interface ReadFiles {
  files: ReadonlyMap<string, { value: unknown }>;
  /** Where the main one was fetched from. */
  url: string | undefined;
}

/** A schema with an identity of its own, or a whole file (JSON Schema 2020-12, 4.3.5). */
export interface SchemaResource {
  file: string;
  pointer: string;
  /** Base of its references, without a fragment. */
  uri: string;
  /** Pointers within the file, by the names of `$anchor` and `$dynamicAnchor`. */
  anchors: Map<string, string>;
  dynamicAnchors: Map<string, string>;
  parent: SchemaResource | undefined;
}

/** Schemas with identities in all files of a document, and how references to them are meant. */
export class SchemaResources {
  readonly #byUri = new Map<string, SchemaResource>();
  readonly #byLocation = new Map<string, SchemaResource>();
  readonly #byRoot = new WeakMap<object, SchemaResource>();
  /** By schema with a `$dynamicRef`: the name to look for in the dynamic scope. */
  readonly #dynamicNames = new WeakMap<object, string>();
  hasDynamicReferences = false;

  /**
   * Reads the identities in a file, and rewrites its references to them as pointers in place. References that lead
   * elsewhere stay as they are.
   */
  add(set: ReadFiles, file: string): void {
    const value = set.files.get(file)?.value;
    if (typeof value !== "object" || value === null) return;
    const root = this.#register(undefined, value, file, "", getFileUri(set, file, value));
    const uses: Use[] = [];
    this.#walk(value, root, uses);
    for (const use of uses) this.#rewrite(use, set);
  }

  find(uri: string): SchemaResource | undefined {
    return this.#byUri.get(uri);
  }

  /** The resource that this schema is the root of. */
  findByRoot(schema: object): SchemaResource | undefined {
    return this.#byRoot.get(schema);
  }

  /** The resource that a location belongs to. */
  findByLocation({ file, pointer }: { file: string; pointer: string }): SchemaResource | undefined {
    for (let at = pointer; ; at = at.slice(0, at.lastIndexOf("/"))) {
      const found = this.#byLocation.get(`${file}#${at}`);
      if (found || at === "") return found;
    }
  }

  findDynamicName(schema: object): string | undefined {
    return this.#dynamicNames.get(schema);
  }

  #register(
    parent: SchemaResource | undefined,
    value: object,
    file: string,
    pointer: string,
    uri: string,
  ): SchemaResource {
    const resource = { file, pointer, uri, parent, anchors: new Map(), dynamicAnchors: new Map() };
    this.#byLocation.set(`${file}#${pointer}`, resource);
    this.#byRoot.set(value, resource);
    if (!this.#byUri.has(uri)) this.#byUri.set(uri, resource);
    return resource;
  }

  #walk(root: object, file: SchemaResource, uses: Use[]): void {
    const waiting: Visit[] = [{ value: root, pointer: "", resource: file, isMap: false }];
    for (let visit = waiting.pop(); visit; visit = waiting.pop()) {
      const { value, pointer, isMap } = visit;
      let { resource } = visit;
      if (isRecord(value) && !isMap) {
        resource = this.#identify(value, pointer, resource);
        for (const keyword of ["$ref", "$dynamicRef"] as const) {
          const reference = getMember(value, keyword);
          if (typeof reference === "string") uses.push({ schema: value, keyword, reference, resource });
        }
      }
      for (const [key, member] of Object.entries(value)) {
        if (typeof member !== "object" || member === null || (!isMap && isData(key))) continue;
        const isNamed = !isMap && !Array.isArray(value) && mapNames.has(key);
        waiting.push({ value: member, pointer: `${pointer}/${escapeToken(key)}`, resource, isMap: isNamed });
      }
    }
  }

  #identify(schema: Record<string, unknown>, pointer: string, outer: SchemaResource): SchemaResource {
    let resource = outer;
    const id = getMember(schema, "$id");
    if (typeof id === "string" && !/^#?$/.test(id) && URL.canParse(id, outer.uri)) {
      resource = this.#register(outer, schema, outer.file, pointer, toUri(id, outer.uri));
    } else if (/^\/components\/schemas\/[^/]+$/.test(pointer)) {
      // Two schemas may have the same anchor: other tools take each for a document of its own.
      resource = this.#register(outer, schema, outer.file, pointer, outer.uri);
    }
    const anchor = getMember(schema, "$anchor");
    const dynamicAnchor = getMember(schema, "$dynamicAnchor");
    if (typeof anchor === "string") resource.anchors.set(anchor, pointer);
    if (typeof dynamicAnchor === "string") {
      resource.anchors.set(dynamicAnchor, pointer);
      resource.dynamicAnchors.set(dynamicAnchor, pointer);
    }
    return resource;
  }

  #rewrite({ schema, keyword, reference, resource }: Use, set: ReadFiles): void {
    if (keyword === "$dynamicRef") this.hasDynamicReferences = true;
    if (!URL.canParse(reference, resource.uri)) return;
    const uri = toUri(reference, resource.uri);
    const fragment = reference.includes("#") ? decode(reference.slice(reference.indexOf("#") + 1)) : "";
    const target = uri === resource.uri ? resource : this.#byUri.get(uri);
    if (!target) return;
    const found =
      fragment === "" || fragment.startsWith("/") ? findPointer(set, target, fragment) : findAnchor(target, fragment);
    if (!found) return;
    if (keyword === "$dynamicRef" && found.resource.dynamicAnchors.get(fragment) === found.pointer) {
      this.#dynamicNames.set(schema, fragment);
    }
    const { file } = found.resource;
    schema[keyword] = `${file === resource.file ? "" : file}#${found.pointer.replaceAll("%", "%25")}`;
  }
}

interface Use {
  schema: Record<string, unknown>;
  keyword: "$ref" | "$dynamicRef";
  reference: string;
  resource: SchemaResource;
}

interface Visit {
  value: object;
  pointer: string;
  resource: SchemaResource;
  /** Its members are named by the document's author, and are no keywords. */
  isMap: boolean;
}

const mapNames = new Set([
  ...["properties", "patternProperties", "definitions", "$defs", "dependentSchemas"],
  ...["schemas", "responses", "parameters", "requestBodies", "headers", "links", "callbacks", "pathItems"],
  ...["paths", "webhooks", "content", "mediaTypes"],
]);

/** Members whose values are data, in which `$ref` and `$id` mean nothing. */
function isData(key: string): boolean {
  return ["example", "examples", "default", "enum", "const"].includes(key) || key.startsWith("x-");
}

/** Whether the bytes of a file may contain an identity. Without any, references need no bases. */
export function mayHaveIdentities(bytes: Uint8Array): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return ["$id", "$anchor", "$dynamicAnchor", "$dynamicRef", "$self"].some((keyword) => text.includes(keyword));
}

/** Never fetched. */
const unknownBase = "https://document.invalid/";

function getFileUri(set: ReadFiles, file: string, value: unknown): string {
  const base = set.url ?? unknownBase;
  const self = getMember(value, "$self");
  const name = file === "" && typeof self === "string" ? self : file;
  return URL.canParse(name, base) ? toUri(name, base) : base;
}

function toUri(reference: string, base: string): string {
  const url = new URL(reference, base);
  url.hash = "";
  return url.href;
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

interface Found {
  resource: SchemaResource;
  pointer: string;
}

/** Pointers begin at the schema with the identity. Many documents mean the file, so it is tried next. */
function findPointer(set: ReadFiles, resource: SchemaResource, fragment: string): Found | undefined {
  const root = set.files.get(resource.file)?.value;
  for (let outer: SchemaResource | undefined = resource; outer; outer = outer.parent) {
    const isShared = outer.parent?.uri === outer.uri;
    const pointer = outer.pointer + fragment;
    if (!isShared && hasPointer(root, pointer)) return { resource: outer, pointer };
  }
  return undefined;
}

function hasPointer(root: unknown, pointer: string): boolean {
  let value = root;
  for (const token of pointer.split("/").slice(1)) {
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    value = Array.isArray(value) ? value[Number(key)] : getMember(value, key);
    if (value === undefined) return false;
  }
  return true;
}

function findAnchor(resource: SchemaResource, name: string): Found | undefined {
  for (let outer: SchemaResource | undefined = resource; outer; outer = outer.parent) {
    const pointer = outer.anchors.get(name);
    if (pointer !== undefined) return { resource: outer, pointer };
    // Only schemas without an identity belong to the resource around them.
    if (outer.parent?.uri !== outer.uri) return undefined;
  }
  return undefined;
}
