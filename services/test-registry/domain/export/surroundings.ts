import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { AuthorizationConfig } from "#contracts/security-service/authorization-configs.ts";
import type { Credential } from "#contracts/security-service/credentials.ts";

/** What an export knows of an API: as much as its reader may read. */
export interface ExportedApi {
  id: string;
  name: string;
  /** Where its requests go; null if that is unknown. */
  baseUrl: string | null;
  /** Of the API, overlaid by those of the environment. */
  variables: Record<string, string>;
  /** Names of variables whose values are secret. */
  secretNames: string[];
  environment?: string;
  findOperation(method: string, path: string): OperationWithComponents | undefined;
}

/** Credentials without their secrets. */
export interface KnownCredentials {
  byId: Map<string, Credential>;
  /** Those that requests to this host send. */
  ofHost(host: string): { credentials: Credential[]; configs: AuthorizationConfig[] };
}
