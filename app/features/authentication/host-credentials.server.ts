import type { SecurityScheme } from "#contracts/api-registry/documents.ts";
import type { AuthorizationConfig } from "#contracts/security-service/authorization-configs.ts";
import type { Credential } from "#contracts/security-service/credentials.ts";
import { answersScheme } from "#libraries/openapi/answering-credential.ts";
import { available } from "~/backend/responses";
import type { Viewer } from "~/session/guards";

/** What is stored for the requests to a host. */
export interface HostCredentials {
  /** Host name, with its port if it has one. */
  host: string;
  credentials: Credential[];
  configs: AuthorizationConfig[];
}

export interface Answer {
  credentialId: string;
  name: string;
  /** Whether an authorization config says so; otherwise the credential's own type and name do. */
  isBound: boolean;
}

const limit = 200;

/** The host of a base URL; undefined where it has none, or only a variable's. */
export function toHost(baseUrl: string | null | undefined): string | undefined {
  return baseUrl && URL.canParse(baseUrl) ? new URL(baseUrl).host || undefined : undefined;
}

/** Undefined while security-service is away: then nothing is said about what is missing. */
export async function findHostCredentials({ backend }: Viewer, host: string): Promise<HostCredentials | undefined> {
  const { listDomainCredentials, listDomainAuthorizationConfigs } = backend.securityService;
  const params = { domain: host };
  const [credentials, configs] = await Promise.all([
    listDomainCredentials({ params, query: { limit, usedBy: "false" } }).then(available),
    listDomainAuthorizationConfigs({ params, query: { limit } }).then(available),
  ]);
  return credentials && configs && { host, credentials: credentials.items, configs: configs.items };
}

/** The credential that answers a scheme at a host: the one named by an authorization config, else the first that fits. */
export function findAnswer({ configs, credentials }: HostCredentials, scheme: SecurityScheme): Answer | undefined {
  const config = configs.find(({ schemeName, credentialFits }) => schemeName === scheme.name && credentialFits);
  if (config) return { credentialId: config.credentialId, name: config.credentialName, isBound: true };
  const credential = credentials.find((one) => answersScheme(one, scheme));
  return credential && { credentialId: credential.id, name: credential.name, isBound: false };
}
