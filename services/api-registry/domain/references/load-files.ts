import { type Diagnostics, quoted, UnusableDocument } from "../diagnostics.ts";
import type { FetchFile } from "../imported-document.ts";
import type { ImportLimits } from "../limits.ts";
import { parseDocumentFile } from "../text/document-file.ts";
import { addFile, type DocumentSet } from "./document-set.ts";
import { getFolder, joinPath, lookUpFile, nameOfAddress, relativePath } from "./file-names.ts";

export interface FileSources {
  /** By the names the caller gave. */
  submitted: Map<string, Uint8Array>;
  mainFileName: string | undefined;
  fetchFile: FetchFile;
}

/** Loads referenced files into the set: from the submitted ones, else through the egress client. Never from a disk. */
export class FileLoader {
  readonly #given = new Map<string, { name: string; bytes: Uint8Array }>();
  readonly #failed = new Map<string, string>();
  #fetched = 0;
  #bytes = 0;
  #nodes = 0;

  constructor(
    private readonly set: DocumentSet,
    private readonly sources: FileSources,
    private readonly limits: ImportLimits,
    private readonly diagnostics: Diagnostics,
  ) {
    const folder = getFolder(joinPath("", sources.mainFileName ?? ""));
    for (const [name, bytes] of sources.submitted) {
      const tidy = joinPath("", name);
      // A name may be relative to the top of the upload or to the main document; both are tried.
      const file = { name, bytes };
      this.#given.set(tidy, file);
      const fromMain = relativePath(folder, tidy);
      if (!this.#given.has(fromMain)) this.#given.set(fromMain, file);
    }
  }

  /** Loads the file of one reference unless it is loaded. @returns why it is not available, or undefined */
  async load(from: string, filePart: string): Promise<string | undefined> {
    const lookup = lookUpFile(from, filePart, this.set.url);
    if (lookup.kind === "refused") return `this reference is not followed: ${lookup.reason}`;
    const name = lookup.kind === "file" ? lookup.name : nameOfAddress(lookup.url, this.set.url);
    if (name === this.set.mainName || this.set.files.has(name)) return undefined;
    const failed = this.#failed.get(name);
    if (failed !== undefined) return failed;
    const reason = lookup.kind === "file" ? this.#takeGiven(name) : await this.#takeAddress(name, lookup.url);
    if (reason !== undefined) this.#failed.set(name, reason);
    return reason;
  }

  #takeGiven(name: string): string | undefined {
    const given = this.#given.get(name) ?? this.#bySuffix(name);
    if (given) return this.#add(name, given.name, given.bytes);
    return `the file ${quoted(name)} is not among those given; add it, or register the document by its address`;
  }

  /**
   * Browsers send chosen files without their folders: the longest path suffix that matches exactly one file is used.
   */
  #bySuffix(name: string): { name: string; bytes: Uint8Array } | undefined {
    const base = name.slice(name.lastIndexOf("/") + 1);
    const matches = [...new Set([...this.#given.values()])].filter(({ name: given }) => {
      const tidy = joinPath("", given);
      return tidy === base || name.endsWith(`/${tidy}`) || tidy.endsWith(`/${name.replace(/^(\.\.\/)+/, "")}`);
    });
    return matches.length === 1 ? matches[0] : undefined;
  }

  async #takeAddress(name: string, url: string): Promise<string | undefined> {
    const given = this.#given.get(name);
    if (given) return this.#add(name, given.name, given.bytes);
    this.#fetched += 1;
    if (this.#fetched > this.limits.fetchedFiles) {
      return `more than ${this.limits.fetchedFiles} files would have to be fetched; give them with the document`;
    }
    const fetched = await this.sources.fetchFile(url);
    return fetched.ok ? this.#add(name, url, fetched.bytes) : `${quoted(url)} could not be fetched: ${fetched.reason}`;
  }

  #add(name: string, fileName: string, bytes: Uint8Array): string | undefined {
    if (this.set.files.size > this.limits.files) return `more than ${this.limits.files} other files are referred to`;
    this.#bytes += bytes.length;
    if (this.#bytes > this.limits.bytes) return "the files together are too large";
    try {
      const path = fileName.split(/[?#]/)[0];
      const parsed = parseDocumentFile(bytes, name, path, this.limits, this.diagnostics);
      this.#nodes += parsed.nodes;
      if (this.#nodes > this.limits.nodes) return "the files together have too many values";
      addFile(this.set, name, parsed, bytes);
      return undefined;
    } catch (error) {
      if (!(error instanceof UnusableDocument)) throw error;
      this.diagnostics.add({ severity: "error", message: error.message, at: error.at });
      return `the file ${quoted(name)} could not be read: ${error.message.replace(/\.$/, "")}`;
    }
  }
}
