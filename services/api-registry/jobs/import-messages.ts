import type { ApiServer, Inspection, SecurityScheme } from "#contracts/api-registry/documents.ts";
import type { ComparedDocument, DocumentComparison } from "#libraries/openapi/comparison/compare-documents.ts";
import type { ReviewedTest, TestEffect } from "#libraries/review/review-test.ts";
import type { ComponentRow, DocumentMetadata, FetchedFile } from "../domain/imported-document.ts";
import type { ImportLimits } from "../domain/limits.ts";
import type { ContentPiece } from "./content-pieces.ts";
import type { StoredGraph, VersionReview } from "./review-versions.ts";

/** A raw request body, parsed in the worker: JSON.parse of 20 MB on the main thread would block every page. */
export interface SubmittedBody {
  contentType: string;
  body: Uint8Array[];
}

export interface BeginImport {
  type: "begin";
  source: SubmittedBody;
  /** Fields of the request, if they are not sent with the document. */
  fields: SubmittedBody | undefined;
  limits: ImportLimits;
}

export type ToWorker =
  | BeginImport
  | { type: "fetched"; id: number; answer: FetchedFile }
  /** Requests the next imported piece; one at a time, so that the main thread never falls behind. */
  | { type: "next" }
  /** A part of the version stored before, for comparing. */
  | {
      type: "previous";
      operations: PreviousOperation[];
      components: ComponentRow[];
      servers?: ApiServer[];
      securitySchemes?: SecurityScheme[];
      /** A part of its graph. */
      graph?: StoredGraph;
    }
  | { type: "compare" }
  /** After comparing: what the new version does to tests. */
  | { type: "review"; operations: ReviewedOperation[] }
  /** Finds the graph of the version given in parts, and then its pieces. */
  | { type: "relate" }
  /** The import is over; its memory can be released. */
  | { type: "forget" };

export type PreviousPart = Pick<
  ToWorker & { type: "previous" },
  "operations" | "components" | "servers" | "securitySchemes" | "graph"
>;

export type PreviousOperation = ComparedDocument["operations"][number] & { position: number };

/** Tests of an operation that a new version changes or removes. */
export interface ReviewedOperation {
  method: string;
  path: string;
  /** In the new version; undefined if it is gone. */
  pathAfter: string | undefined;
  tests: { id: string; test: ReviewedTest }[];
}

export type EffectsByTest = Record<string, TestEffect[]>;

/** Fields of the request other than the document, not validated yet. */
export interface RequestFields {
  name?: unknown;
  baseUrl?: unknown;
  tags?: unknown;
}

export interface ImportSummary {
  inspection: Inspection;
  metadata: DocumentMetadata;
  fields: RequestFields;
  sha256: string;
  sourceUrl: string | null;
  fileName: string | null;
}

/** A new version against the one before. */
export interface ReviewedVersion {
  comparison: DocumentComparison;
  review: VersionReview;
}

export type FromWorker =
  /** The thread is running and has the document: its time limit starts here. */
  | { type: "begun" }
  | { type: "fetch"; id: number; url: string }
  | { type: "malformed"; message: string; path?: string }
  | { type: "imported"; summary: ImportSummary }
  | { type: "piece"; piece: ContentPiece }
  | { type: "done" }
  | { type: "taken" }
  | { type: "related" }
  | ({ type: "compared" } & ReviewedVersion)
  | { type: "reviewed"; effects: EffectsByTest }
  | { type: "failed"; message: string };
