import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import type { ValidateFunction } from "ajv";
import type { Inspection } from "#contracts/api-registry/documents.ts";
import type { Egress } from "#libraries/egress/egress.ts";
import { fetchDocument } from "#libraries/egress/fetch-document.ts";
import type { ComparedDocument } from "#libraries/openapi/comparison/compare-documents.ts";
import type { PlanInput } from "#libraries/suite/plan/known.ts";
import { toComparedDocument } from "../../services/api-registry/domain/compared/to-compared.ts";
import { Diagnostics } from "../../services/api-registry/domain/diagnostics.ts";
import { importDocument } from "../../services/api-registry/domain/import-document.ts";
import type { DocumentBytes, ImportedDocument } from "../../services/api-registry/domain/imported-document.ts";
import { defaultImportLimits } from "../../services/api-registry/domain/limits.ts";
import { parseDocumentFile } from "../../services/api-registry/domain/text/document-file.ts";
import type { ParsedFile } from "../../services/api-registry/domain/text/parsed-file.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { readReferredFiles } from "./local-files.ts";
import { isAddress } from "./open-egress.ts";
import { toPlanInput } from "./plan-input.ts";

/** Line and column, from 1. */
export interface Position {
  line: number;
  column: number;
}

export interface LocatedOperation {
  kind: "operation" | "webhook";
  method: string;
  /** Of a webhook, its name. */
  path: string;
}

/** A document as the portal reads it at registration. */
export interface ReadDocument {
  /** Path or address, as it was given. */
  name: string;
  inspection: Inspection;
  problems: ImportedDocument["problems"];
  /** Its operations and the graph of its resources. */
  input: PlanInput;
  /** As a comparison of two versions takes it. */
  toCompared(): ComparedDocument;
  /** The position of an operation in the document; undefined if a reference brings it from another file. */
  locate(operation: { method: string; path: string }): Position | undefined;
  /** Positions of operations and webhooks; of one that is gone, that of its nearest ancestor. */
  locateAll(operations: readonly LocatedOperation[]): Position[];
}

/**
 * Instead of the schema of the OpenAPI Initiative, which takes 0.3 s to compile. It reports what none of the rules explains,
 * at registration; none of that keeps a document from being read.
 */
const acceptAll = (() => true) as unknown as ValidateFunction;

/**
 * Reads an OpenAPI document from a file or an address, with the files that it refers to.
 * @throws CommandError if it can't be read, or has nothing to test, with the reasons
 */
export async function readDocument(source: string, egress: Egress): Promise<ReadDocument> {
  const imported = await importDocument(
    await toBytes(source),
    {
      standardSchema: () => acceptAll,
      fetchFile: (url) => fetchDocument(egress, url, { maxBytes: defaultImportLimits.bytes, pool: "documents" }),
    },
    defaultImportLimits,
  );
  if (!imported.inspection.usable) {
    const reasons = imported.problems.filter(({ severity }) => severity === "error");
    const lines = reasons.slice(0, 10).map((one) => `  ${source}:${one.line}:${one.column}  ${one.message}`);
    throw new CommandError(exitCodes.usage, [`${source} can't be used:`, ...lines].join("\n"));
  }
  return {
    ...{ name: source, inspection: imported.inspection, problems: imported.problems },
    input: toPlanInput(imported),
    toCompared: () => toComparedDocument(imported),
    ...createLocating(imported),
  };
}

async function toBytes(source: string): Promise<DocumentBytes> {
  if (isAddress(source)) return { kind: "address", url: source };
  const bytes = await readFile(source).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === "ENOENT" ? "there is no such file" : error.message;
    throw new CommandError(exitCodes.usage, `${source} can't be read: ${reason}.`);
  });
  return { kind: "given", bytes, fileName: basename(source), files: await readReferredFiles(source, bytes) };
}

function createLocating({ bytes, fileName, operations }: ImportedDocument): Pick<ReadDocument, "locate" | "locateAll"> {
  let parsed: ParsedFile | undefined;
  let positions: Map<string, Position> | undefined;
  const find = (pointers: string[]) => {
    parsed ??= parseDocumentFile(bytes, "", fileName ?? undefined, defaultImportLimits, new Diagnostics());
    return parsed.locate(pointers);
  };
  return {
    locate(operation) {
      positions ??= find(operations.map(toPointer));
      return positions.get(toPointer({ kind: "operation", ...operation }));
    },
    locateAll(wanted) {
      const found = find(wanted.map(toPointer));
      return wanted.map((one) => found.get(toPointer(one))!);
    },
  };
}

function toPointer({ kind, method, path }: LocatedOperation): string {
  const name = path.replaceAll("~", "~0").replaceAll("/", "~1");
  return `/${kind === "webhook" ? "webhooks" : "paths"}/${name}/${method}`;
}
