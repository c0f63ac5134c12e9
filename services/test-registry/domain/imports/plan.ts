import type { KnownEnvironment } from "#contracts/api-registry/imports.ts";
import type { CredentialType } from "#contracts/security-service/credential-types/settings.ts";
import type { CredentialSettings } from "#contracts/security-service/credentials.ts";
import type { ReadableFormat } from "#contracts/test-registry/import-formats.ts";
import type { ImportedRequest } from "#contracts/test-registry/imports.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import type { Loss, Variable } from "#libraries/collections/collection.ts";

/** A secret of the files, for the host that requests with it are sent to. */
export interface PlannedCredential {
  name: string;
  domain: string;
  type: CredentialType;
  settings: CredentialSettings;
  secret: string;
  /** One that is stored already. */
  knownId?: string;
}

/** What came from files of the collection before, and is there still. */
export interface KnownSource {
  kind: "test" | "circle" | "credential" | "environment";
  /** In the files; see `toKeys`. */
  key: string;
  objectId: string;
  /** Of what the files said then. */
  hash: string;
  /** Whether it was changed in the portal since. */
  isEdited: boolean;
  /** Of a credential, as the files had it then. */
  secret?: string;
  /** Of an environment by name, as the files had them then. */
  secrets?: Record<string, string>;
}

/** `edited`: the files say something else than before, and so does the portal: it stays. */
export type SourceState = "new" | "changed" | "unchanged" | "edited";

interface FromSource {
  key: string;
  hash: string;
  /** The test or circle that it became before. */
  knownId: string | undefined;
}

export interface PlannedTest extends FromSource {
  /** Of the request in the files. */
  id: string;
  test: TestInput;
  /** Positions in the plan's credentials that it sends. */
  credentials: number[];
}

export interface PlannedCircle extends FromSource {
  id: string;
  state: SourceState;
  name: string;
  description: string;
  stopOnFailure: boolean;
  /** Ids of requests, in order. */
  requests: string[];
  /** Secrets that its members use; no other variables. */
  variables: Variable[];
  /** A new one runs in this environment of the API. */
  environment: string | undefined;
}

/** An environment of the files that is, or becomes, one of the API. */
export interface PlannedEnvironment {
  id: string;
  /** Its name. */
  key: string;
  name: string;
  baseUrl: string;
  variables: Record<string, string>;
  /** Null: the stored value stays. */
  secretVariables: { name: string; value: string | null }[];
  /** As the files have them. */
  secrets: Record<string, string>;
  hash: string;
  state: SourceState;
  /** The API's environment of this name. */
  replaces: KnownEnvironment | null;
}

/** All that an import would store. Holds secrets: it never leaves the service. */
export interface ImportPlan {
  format: ReadableFormat;
  /** Of the collection. */
  name: string;
  /** Those of the files. */
  environments: string[];
  /** Every request of the files, and what becomes of it. */
  requests: ImportedRequest[];
  /** New ones, and those to change. */
  tests: PlannedTest[];
  /** Tests by request that came from these files before and stay as they are. */
  known: { id: string; testId: string }[];
  circles: PlannedCircle[];
  apiEnvironments: PlannedEnvironment[];
  /** The one of them whose values were taken for the tests. */
  environment: string | undefined;
  credentials: PlannedCredential[];
  /** Of the API, without secrets. */
  variables: Record<string, string>;
  /** Of the API: secrets that files give to variables. */
  secretVariables: { name: string; value: string }[];
  losses: Loss[];
}

/** What the caller decides. */
export interface ImportChoices {
  /** Name of an environment of the files; the first one where it is undefined. */
  environment: string | undefined;
  /** Whether requests of no operation become tests as well. */
  unmatched: boolean;
  /** Whether tests go to the API's base URL, although the files name another host. */
  toApi: boolean;
  circles: boolean;
  /** Whether environments of the files become environments of the API. */
  environments: boolean;
  /** Ids of requests, circles and environments. */
  leaveOut: readonly string[];
}
