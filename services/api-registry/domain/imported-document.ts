import type { Api } from "#contracts/api-registry/apis.ts";
import type { DocumentProblem, Inspection, SecurityScheme } from "#contracts/api-registry/documents.ts";

/** Where a document comes from, as bytes: what the caller gave, or what the egress door answered. */
export type DocumentBytes =
  | { kind: "given"; bytes: Uint8Array; fileName: string | undefined; files: Map<string, Uint8Array> }
  | { kind: "address"; url: string };

export type FetchedFile = { ok: true; bytes: Uint8Array; url: string } | { ok: false; reason: string };
/** Brings a file through the egress door. */
export type FetchFile = (url: string) => Promise<FetchedFile>;

export interface OperationRow {
  position: number;
  kind: "operation" | "webhook";
  operationId: string | null;
  path: string;
  method: string;
  summary: string;
  tags: string[];
  deprecated: boolean;
  responseStatuses: string[];
  /** JSON text of the DescribedOperation. */
  described: string;
  /** JSON text of the security schemes it names. */
  securitySchemes: string;
  /** Which of the document's sets of components it depends on. */
  dependencySet: number;
}

export interface ComponentRow {
  ordinal: number;
  reference: string;
  /** JSON text of the schema. */
  body: string;
}

/** Ordinals of components; operations that reach the same ones share a row. */
export interface DependencySetRow {
  number: number;
  ordinals: number[];
}

/** What the API's page shows of its document. */
export type DocumentMetadata = Pick<Api, "servers" | "termsOfService" | "contact" | "license" | "externalDocs"> & {
  securitySchemes: SecurityScheme[];
  tags: { name: string; description?: string }[];
};

export interface ImportedDocument {
  inspection: Inspection;
  metadata: DocumentMetadata;
  /** More than the inspection lists. */
  problems: DocumentProblem[];
  operations: OperationRow[];
  components: ComponentRow[];
  dependencySets: DependencySetRow[];
  bytes: Uint8Array;
  sourceUrl: string | null;
  fileName: string | null;
}
