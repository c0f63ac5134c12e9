import type { Api } from "#contracts/api-registry/apis.ts";
import type { Authentication } from "#contracts/api-registry/authentication.ts";
import type { DocumentProblem, Inspection, SecurityScheme } from "#contracts/api-registry/documents.ts";
import type { Consumer, Resource } from "#contracts/api-registry/resources.ts";

/** A document's bytes with their origin: submitted by the caller, or fetched. */
export type DocumentBytes =
  | { kind: "given"; bytes: Uint8Array; fileName: string | undefined; files: Map<string, Uint8Array> }
  | { kind: "address"; url: string };

export type FetchedFile = { ok: true; bytes: Uint8Array; url: string } | { ok: false; reason: string };
/** Fetches a file through the egress client. */
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
  /** Ordinal of the set of components it depends on. */
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

/** A resource of the graph, with what needs its identifier. */
export interface ResourceRow {
  position: number;
  resource: Resource;
  consumers: Consumer[];
}

/** What an operation needs of resources. */
export interface OperationConsumersRow {
  /** Of the operation. */
  position: number;
  consumers: Consumer[];
}

/** Summary of the document for the API's page. */
export type DocumentMetadata = Pick<
  Api,
  "ownServers" | "servers" | "termsOfService" | "contact" | "license" | "externalDocs"
> & {
  securitySchemes: SecurityScheme[];
  /** Of its operations; absent in documents imported before they were recorded. */
  securityRequirements?: Authentication["requirements"];
  tags: { name: string; description?: string }[];
};

export interface ImportedDocument {
  inspection: Inspection;
  metadata: DocumentMetadata;
  /** Not limited as in the inspection. */
  problems: DocumentProblem[];
  operations: OperationRow[];
  components: ComponentRow[];
  dependencySets: DependencySetRow[];
  resources: ResourceRow[];
  consumers: OperationConsumersRow[];
  bytes: Uint8Array;
  sourceUrl: string | null;
  fileName: string | null;
}
