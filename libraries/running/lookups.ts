import type { HostRules } from "#contracts/security-service/authorization-configs.ts";
import type { StoredFile } from "#contracts/test-registry/files.ts";
import type { Authorization } from "#contracts/test-registry/requests.ts";
import type { OpenedCredential, RefusedCredential } from "./authorization.ts";

export interface OpenedCredentials {
  items: OpenedCredential[];
  refused: RefusedCredential[];
}

/** The credentials that a request to a host may carry, opened. */
export type OpenCredentials = (
  organizationId: string,
  host: string,
  authorization: Authorization,
) => Promise<OpenedCredentials>;

/** The rules of the host that a request goes to. */
export type FindHostRules = (organizationId: string, host: string) => Promise<HostRules>;

/** The bytes of a file of the organization; undefined if it is not stored any more. */
export type FindFile = (organizationId: string, file: StoredFile) => Promise<Uint8Array | undefined>;
