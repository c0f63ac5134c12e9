import { getMember, isRecord, type JsonRecord, setMember } from "#libraries/json/json-value.ts";
import { type DocumentLocation, refuse } from "../diagnostics.ts";
import { type DocumentSet, fileOfReference, referenceTo, splitReference, type Target } from "./document-set.ts";
import { getFolder, relativePath } from "./file-names.ts";
import { toTokens } from "./pointer.ts";

/**
 * Inlines the target of a `$ref` where the standard allows none, such as an operation or "paths", like the tools that
 * such documents are written for. Everything else then reads a document that follows the standard.
 */
export class Grafts {
  /** Origins of the inlined value, by file and pointer; more than one if the target was itself a reference. */
  readonly #sources = new Map<string, DocumentLocation[]>();
  #values = 0;

  constructor(
    private readonly set: DocumentSet,
    private readonly maxValues: number,
  ) {}

  /** @returns the value now at the location; undefined when it would contain itself */
  put(location: DocumentLocation, target: Target): unknown {
    const source = referenceTo(target);
    for (let at: DocumentLocation | undefined = location; at; at = this.#enclosing(at)) {
      const came = this.#sources.get(referenceTo(at)) ?? [];
      if ([at, ...came].some((one) => referenceTo(one) === source)) return undefined;
    }
    const present = valueAt(this.set, location);
    const copy = this.#copy(target.value, target.file, location.file);
    const { $ref: _, ...beside } = isRecord(present) ? present : {};
    const value = isRecord(copy) ? { ...beside, ...copy } : copy;
    setAt(this.set, location, value);
    const came = this.#sources.get(referenceTo(location)) ?? [];
    this.#sources.set(referenceTo(location), [...came, { file: target.file, pointer: target.pointer }]);
    return value;
  }

  /** Location in the original file. */
  sourceOf(location: DocumentLocation): DocumentLocation {
    const holder = this.#enclosing(location);
    const around = holder && this.#enclosing(holder);
    if (around && location.pointer.endsWith("/$ref") && this.#sources.has(referenceTo(holder))) {
      // The reference itself was at the replaced location.
      const { file, pointer } = this.sourceOf(around);
      return { file, pointer: pointer + location.pointer.slice(around.pointer.length) };
    }
    let found = location;
    // An inlined part may be nested in another one.
    for (let hops = 0; hops < 50; hops++) {
      const root = this.#rootOf(found);
      const source = root && this.#sources.get(referenceTo(root))?.at(-1);
      if (!root || !source) return found;
      found = { file: source.file, pointer: source.pointer + found.pointer.slice(root.pointer.length) };
    }
    return found;
  }

  #enclosing({ file, pointer }: DocumentLocation): DocumentLocation | undefined {
    return pointer === "" ? undefined : { file, pointer: pointer.slice(0, pointer.lastIndexOf("/")) };
  }

  #rootOf(location: DocumentLocation): DocumentLocation | undefined {
    let at: DocumentLocation | undefined = location;
    while (at && !this.#sources.has(referenceTo(at))) at = this.#enclosing(at);
    return at;
  }

  /** Rewrites references inside relative to the file that now contains them. */
  #copy(value: unknown, from: string, to: string): unknown {
    this.#values += 1;
    if (this.#values > this.maxValues) {
      refuse(`What its references put in place has more than ${this.maxValues} values.`);
    }
    if (Array.isArray(value)) return value.map((item) => this.#copy(item, from, to));
    if (!isRecord(value)) return value;
    const copy: JsonRecord = {};
    for (const key of Object.keys(value)) {
      const member = value[key];
      if (key === "$ref" && typeof member === "string") copy.$ref = this.#rewrite(member, from, to);
      else setMember(copy, key, this.#copy(member, from, to));
    }
    const mapping = getMember(copy.discriminator, "mapping");
    if (isRecord(mapping)) {
      for (const [name, target] of Object.entries(mapping)) {
        if (typeof target === "string" && /[#/]/.test(target))
          setMember(mapping, name, this.#rewrite(target, from, to));
      }
    }
    return copy;
  }

  #rewrite(reference: string, from: string, to: string): string {
    if (from === to) return reference;
    const { filePart, fragment } = splitReference(reference);
    const file = fileOfReference(this.set, from, filePart);
    if (file === undefined) return reference;
    const hash = fragment === "" && file !== to ? "" : `#${fragment}`;
    if (file === to) return hash;
    const name = file === "" ? (this.set.mainName ?? "") : file;
    return /^https?:/i.test(name) ? name + hash : encodeURI(relativePath(getFolder(to), name)) + hash;
  }
}

function valueAt(set: DocumentSet, { file, pointer }: DocumentLocation): unknown {
  return toTokens(pointer).reduce<unknown>(
    (value, token) => (value as Record<string, unknown> | undefined)?.[token],
    set.files.get(file)?.value,
  );
}

function setAt(set: DocumentSet, { file, pointer }: DocumentLocation, value: unknown): void {
  const end = pointer.lastIndexOf("/");
  const holder = valueAt(set, { file, pointer: pointer.slice(0, end) });
  const [key] = toTokens(pointer.slice(end));
  if (Array.isArray(holder)) holder[Number(key)] = value;
  else if (isRecord(holder)) setMember(holder, key!, value);
}
