import type { ColumnType, Generated, GeneratedAlways, Kysely, Selectable, Transaction } from "kysely";
import type { DocumentWatchInput, WatchAction } from "#contracts/api-registry/document-watches.ts";
import type { SpecificationVersion } from "#contracts/api-registry/documents.ts";
import type { CodeTables } from "../../kit/code/code-tables.ts";
import type { InboxTables } from "../../kit/events/inbox.ts";
import type { SecretVariableTable } from "./secret-variable-table.ts";

export const schemaName = "api_registry";

export interface ApiTable {
  id: string;
  organization_id: string;
  name: string;
  /** Lower case, compared byte by byte: one order on every engine. */
  name_key: string;
  base_url: string | null;
  tags: string[];
  current_document_id: string;
  /** JSON text by name. */
  variables: Generated<string>;
  /** Whether tests send its host's credentials though the document asks for none; null: nobody has answered. */
  sends_host_credentials: Generated<boolean | null>;
  /** Whether explorations may create, change and delete what they made themselves. */
  is_disposable: Generated<boolean>;
  created_at: Date;
  updated_at: Date;
}

export interface DocumentTable {
  id: string;
  api_id: string;
  organization_id: string;
  title: string;
  version: string;
  description: string;
  specification_version: SpecificationVersion;
  format: "json" | "yaml";
  source_url: string | null;
  file_name: string | null;
  bytes: number;
  sha256: string;
  operation_count: number;
  webhook_count: number;
  problem_count: number;
  /** JSON text: jsonb cannot store every text a document may contain. */
  metadata: string;
  /** The first absolute server in `metadata`. */
  server_url: GeneratedAlways<string | null>;
  /** Whether `metadata` has any. */
  has_security_schemes: GeneratedAlways<boolean>;
  imported_at: Date;
  /** Whether the graph of its operations is stored. */
  related: Generated<boolean>;
}

export type DocumentRow = Selectable<DocumentTable>;

export interface DocumentChunkTable {
  document_id: string;
  position: number;
  /** Raw deflate (RFC 1951) of 256 KiB of the document. */
  deflated: ColumnType<Uint8Array, Uint8Array, never>;
}

export interface DocumentProblemTable {
  document_id: string;
  position: number;
  severity: "error" | "warning" | "notice";
  message: string;
  pointer: string;
  file: string | null;
  line: number;
  column_number: number;
  place_count: number;
  /** JSON text of the first locations after this one. */
  other_places: string | null;
}

/** Columns that lists need of an operation; narrow, so that 10,000 rows are scanned in memory. */
export interface OperationTable {
  document_id: string;
  position: number;
  kind: "operation" | "webhook";
  /** Hash of kind, method and path: paths may be longer than an index entry. */
  lookup_key: string;
  operation_id: string | null;
  path: string;
  method: string;
  summary: string;
  tags: string[];
  deprecated: boolean;
  response_statuses: string[];
  search_text: string;
}

/**
 * One row per tag of an operation, and one with an empty tag for an operation without any, so that lists by tag read
 * only these rows.
 */
export interface OperationTagTable {
  document_id: string;
  tag: string;
  position: number;
}

export interface OperationDetailTable {
  document_id: string;
  position: number;
  /** JSON text of the DescribedOperation. */
  described: string;
  /** JSON text of the security schemes the operation names. */
  security_schemes: string;
  reach_number: number;
}

export interface ComponentTable {
  document_id: string;
  ordinal: number;
  reference: string;
  /** JSON text of the schema. */
  body: string;
}

export interface DependencySetTable {
  document_id: string;
  number: number;
  ordinals: number[];
}

export interface ResourceTable {
  document_id: string;
  position: number;
  /** Hash of its key. */
  lookup_key: string;
  /** JSON text of the Resource. */
  body: string;
  /** JSON text of its first consumers. */
  consumers: string;
  consumer_count: number;
  search_text: string;
}

export interface OperationConsumerTable {
  document_id: string;
  /** Of the operation. */
  position: number;
  /** JSON text of its consumers. */
  body: string;
}

/** What a person said about a dependency, whatever the document says. */
export interface SaidDependencyTable {
  api_id: string;
  /** Hash of the operation and the place. */
  lookup_key: string;
  /** JSON text of the Consumer's operation, `in` and `name`. */
  place: string;
  /** Key of the resource; null: none. */
  resource: string | null;
  said_at: Date;
}

/** What recorded responses show about a dependency: never a value. */
export interface SeenDependencyTable {
  api_id: string;
  /** Hash of `dependency`. */
  lookup_key: string;
  /** JSON text of both operations and places. */
  dependency: string;
  /** Key of the resource of the current document that gives it; null: none is known. */
  resource: string | null;
  required: boolean;
  /** Requests that sent such a value and were accepted. */
  times: number;
  /** Different ones at one time. */
  most_values: number;
  is_distinctive: boolean;
}

/** Content without a document: still being written, or to be removed. */
export interface LooseContentTable {
  document_id: string;
  arriving: boolean;
  /** Until then only the process that stores or removes it may touch it. */
  held_until: Date;
}

/** The address of an API's document, looked at on a schedule. */
export interface DocumentWatchTable {
  api_id: string;
  organization_id: string;
  url: string;
  every_minutes: DocumentWatchInput["everyMinutes"];
  action: WatchAction;
  due_at: Date;
  /** By the database's clock; null while no process looks. */
  leased_until: Date | null;
  /** Counts claims and settings: what a look finds is stored by the last claim only. */
  fencing_token: Generated<number>;
  looked_at: Date | null;
  /** Of what the address served last, and the current document it was compared with. */
  digest: string | null;
  compared_document_id: string | null;
  /** Whether the document refers to no other file, so that its own validators say whether anything has changed. */
  is_single_file: Generated<boolean>;
  main_sha256: string | null;
  etag: string | null;
  last_modified: string | null;
  unchanged_since: Date | null;
  failures: Generated<number>;
  failing_since: Date | null;
  failure: string | null;
  change_digest: string | null;
  change_version: string | null;
  change_found_at: Date | null;
  change_breaking_count: number | null;
  change_reason: string | null;
  dismissed_digest: string | null;
  taken_document_id: string | null;
  taken_version: string | null;
  taken_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export interface EnvironmentTable {
  api_id: string;
  position: number;
  name: string;
  base_url: string;
  /** JSON text. */
  variables: string;
  /** Where its tests are sent from; null: by the portal. */
  location_id: string | null;
}

/** One per user and API. */
export interface ChosenEnvironmentTable {
  api_id: string;
  user_id: string;
  environment: string;
}

/** A document submitted for inspection, unchanged. */
export interface StagedSourceTable {
  id: string;
  organization_id: string;
  content_type: string;
  expires_at: Date;
  /** False while its chunks arrive. */
  complete: boolean;
}

export interface StagedChunkTable {
  staged_id: string;
  position: number;
  /** Raw deflate (RFC 1951) of at most 256 KiB. */
  deflated: ColumnType<Uint8Array, Uint8Array, never>;
}

/** What operations of current documents are searched by. */
export interface OperationWordTable {
  organization_id: string;
  document_id: string;
  position: number;
  /** Method and path in lower case. */
  key: string;
  words: string;
}

export interface ApiRegistryTables extends InboxTables, CodeTables {
  apis: ApiTable;
  documents: DocumentTable;
  document_chunks: DocumentChunkTable;
  document_problems: DocumentProblemTable;
  operations: OperationTable;
  operation_tags: OperationTagTable;
  operation_details: OperationDetailTable;
  components: ComponentTable;
  reaches: DependencySetTable;
  resources: ResourceTable;
  operation_consumers: OperationConsumerTable;
  operation_words: OperationWordTable;
  said_dependencies: SaidDependencyTable;
  seen_dependencies: SeenDependencyTable;
  environments: EnvironmentTable;
  secret_variables: SecretVariableTable;
  chosen_environments: ChosenEnvironmentTable;
  loose_contents: LooseContentTable;
  document_watches: DocumentWatchTable;
  staged_sources: StagedSourceTable;
  staged_chunks: StagedChunkTable;
}

export type RegistryDatabase = Kysely<ApiRegistryTables>;
export type RegistryTransaction = Transaction<ApiRegistryTables>;
