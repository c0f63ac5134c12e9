import type { DocumentProblem, Inspection } from "#contracts/api-registry/documents.ts";
import { isRecord, type JsonRecord, toRecord, toText } from "#libraries/json/json-value.ts";
import { describeMetadata, getTitle } from "./description/metadata.ts";
import { Diagnostics, refuse, UnusableDocument } from "./diagnostics.ts";
import type { DocumentBytes, FetchFile, ImportedDocument } from "./imported-document.ts";
import { indexDocument } from "./index-document.ts";
import type { ImportLimits } from "./limits.ts";
import { toDocumentProblems } from "./problems.ts";
import { addFile, type DocumentSet } from "./references/document-set.ts";
import { Grafts } from "./references/graft.ts";
import { FileLoader } from "./references/load-files.ts";
import type { StandardSchema } from "./structure/standard-schema.ts";
import { validateDocument } from "./structure/validate-document.ts";
import { Validator } from "./structure/validator.ts";
import { parseDocumentFile } from "./text/document-file.ts";
import type { ParsedFile } from "./text/parsed-file.ts";
import { requireVersion } from "./version.ts";

const maxListed = 200;

/** External dependencies of reading a document. */
export interface ImportTools {
  fetchFile: FetchFile;
  standardSchema: StandardSchema;
}

/** Reads, checks and indexes a document. A document that cannot be used comes back with `usable: false` and the reason. */
export async function importDocument(
  source: DocumentBytes,
  tools: ImportTools,
  limits: ImportLimits,
): Promise<ImportedDocument> {
  const reading = new Reading(source, tools, limits);
  try {
    return await reading.read();
  } catch (error) {
    if (!(error instanceof UnusableDocument)) throw error;
    return reading.refused(error);
  }
}

/** One document during its import; what is known when it turns out unusable is still reported. */
class Reading {
  readonly #diagnostics = new Diagnostics();
  #bytes: Uint8Array = new Uint8Array();
  #fileName: string | undefined;
  #url: string | undefined;
  #set: DocumentSet | undefined;
  #main: ParsedFile | undefined;
  #grafts: Grafts | undefined;

  constructor(
    private readonly source: DocumentBytes,
    private readonly tools: ImportTools,
    private readonly limits: ImportLimits,
  ) {}

  async read(): Promise<ImportedDocument> {
    const given = await this.#takeBytes();
    const main = parseDocumentFile(this.#bytes, "", this.#fileName, this.limits, this.#diagnostics);
    this.#main = main;
    const version = requireVersion(main, this.#diagnostics);
    const mainName = this.#fileName?.replace(/^.*\//, "");
    const set: DocumentSet = { version, files: new Map(), url: this.#url, mainName };
    addFile(set, "", main, this.#bytes);
    this.#set = set;
    requireContent(set, this.#diagnostics);
    requireFewPaths(toRecord(main.value), this.limits);
    const sources = { submitted: given, mainFileName: this.#fileName, fetchFile: this.tools.fetchFile };
    const loader = new FileLoader(set, sources, this.limits, this.#diagnostics);
    const grafts = new Grafts(set, this.limits.nodes);
    this.#grafts = grafts;
    await validateDocument(set, { loader, grafts }, this.tools.standardSchema, this.#diagnostics);
    requireFewPaths(toRecord(main.value), this.limits);
    const index = indexDocument(set, this.limits, this.#diagnostics);
    const root = toRecord(main.value);
    const { securityRequirements } = index;
    const metadata = { ...describeMetadata(root, index.describer), securityRequirements };
    const problems = this.#problems();
    return {
      inspection: {
        ...this.#inspection(root, problems),
        usable: true,
        servers: metadata.servers,
        securitySchemes: metadata.securitySchemes,
        securityRequirements,
        tags: getTags(metadata.tags, index.operations),
        operationCount: index.operations.filter(({ kind }) => kind === "operation").length,
        webhookCount: index.operations.filter(({ kind }) => kind === "webhook").length,
      },
      metadata,
      problems,
      operations: index.operations,
      components: index.components,
      dependencySets: index.dependencySets,
      resources: index.resources,
      consumers: index.consumers,
      ...this.#origin(),
    };
  }

  refused({ message, at }: UnusableDocument): ImportedDocument {
    this.#diagnostics.cause(at, message);
    const problems = this.#problems();
    return {
      inspection: this.#inspection(toRecord(this.#main?.value), problems),
      metadata: { servers: [], securitySchemes: [], tags: [] },
      problems,
      operations: [],
      components: [],
      dependencySets: [],
      resources: [],
      consumers: [],
      ...this.#origin(),
    };
  }

  async #takeBytes(): Promise<Map<string, Uint8Array>> {
    const { source } = this;
    if (source.kind === "given") {
      this.#bytes = source.bytes;
      this.#fileName = source.fileName;
      return source.files;
    }
    const fetched = await this.tools.fetchFile(source.url);
    this.#url = source.url;
    if (!fetched.ok) return refuse(`The document could not be fetched: ${fetched.reason}`, { line: 1, column: 1 });
    this.#url = fetched.url;
    this.#bytes = fetched.bytes;
    this.#fileName = new URL(fetched.url).pathname.split("/").at(-1) || undefined;
    return new Map();
  }

  #origin() {
    const sourceUrl = this.source.kind === "address" ? this.source.url : null;
    return { bytes: this.#bytes, sourceUrl, fileName: this.#fileName ?? null };
  }

  #inspection(root: JsonRecord, problems: DocumentProblem[]): Inspection {
    const info = toRecord(root.info);
    return {
      usable: false,
      title: getTitle(root),
      version: this.#main?.writtenAs("/info/version") ?? toText(info.version),
      description: toText(info.description),
      ...(this.#set ? { specificationVersion: this.#set.version } : {}),
      format: this.#main?.format ?? (/\.ya?ml$/i.test(this.#fileName ?? "") ? "yaml" : "json"),
      bytes: this.#bytes.length,
      servers: [],
      securitySchemes: [],
      tags: [],
      operationCount: 0,
      webhookCount: 0,
      problems: problems.slice(0, maxListed),
      problemCount: this.#diagnostics.problemCount,
    };
  }

  #problems(): DocumentProblem[] {
    return toDocumentProblems(this.#diagnostics, {
      getFile: (name) => (name === "" ? this.#main : this.#set?.files.get(name)),
      toOriginal: (location) => this.#grafts?.sourceOf(location) ?? location,
    });
  }
}

/** Without any of these there is nothing to browse or test; other problems may explain why. */
function requireContent(set: DocumentSet, diagnostics: Diagnostics): void {
  const { value } = set.files.get("")!;
  const root = toRecord(value);
  const holders = set.version === "2.0" ? ["paths", "definitions"] : ["paths", "webhooks", "components"];
  if (holders.some((key) => isRecord(root[key]))) return;
  new Validator(set.version, diagnostics).validate(
    value,
    { is: "object", kind: "document" },
    { file: "", pointer: "" },
  );
  refuse(`The document describes nothing: add "paths" with the API's operations.`);
}

/** Checked before validation: a million paths would take minutes to validate. */
function requireFewPaths(root: JsonRecord, limits: ImportLimits): void {
  for (const holder of ["paths", "webhooks"]) {
    const count = Object.keys(toRecord(root[holder])).length;
    if (count <= limits.operations) continue;
    refuse(`The document has ${count} ${holder}; at most ${limits.operations} are taken. Split it into several APIs.`, {
      pointer: `/${holder}`,
    });
  }
}

function getTags(declared: { name: string }[], operations: { tags: string[] }[]): string[] {
  const used = new Set(operations.flatMap(({ tags }) => tags));
  const ordered = declared.map(({ name }) => name).filter((name) => used.has(name));
  return [...new Set([...ordered, ...used])].slice(0, 500);
}
