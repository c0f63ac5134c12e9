import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { AuthorizationConfig } from "#contracts/security-service/authorization-configs.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Credential } from "#contracts/security-service/credentials.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import type { CallResult, Connect } from "../../kit/client/client.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import type { ExportedApi, KnownCredentials } from "../domain/export/surroundings.ts";

interface ExportCall {
  caller: Identity;
  requestId: string;
}

/** Operations per request. */
const operationsAtOnce = 200;

/** The value; undefined where the caller may not read it, or a service of credentials is away. */
function allowed<Value>(result: CallResult<Value>): Value | undefined {
  if (result.ok) return result.value;
  if (result.status === 403) return undefined;
  if (result.status === 404) throw notFound("API");
  throw new Problem(result.problem.code, result.problem.detail);
}

/** Reads what an export needs beside its tests, with the caller's own permission. */
export function createExportSurroundings(parts: {
  apiRegistry: Connect<typeof apiRegistryContract>;
  securityService: Connect<typeof securityServiceContract>;
}) {
  async function readApi({ caller, requestId }: ExportCall, apiId: string, tests: Test[], environmentName?: string) {
    const client = parts.apiRegistry({ token: caller.token, requestId });
    const params = { apiId };
    const [summary, environments, own, operations] = await Promise.all([
      client.summarizeApi({ params }).then(allowed),
      client.listEnvironments({ params }).then(allowed),
      client.getVariables({ params }).then(allowed),
      readOperations(client, apiId, tests),
    ]);
    const environment = environments?.items.find(({ name }) => name === environmentName);
    if (environmentName !== undefined && environments && !environment) {
      const message = "This API has no such environment";
      throw new Problem("invalid_input", undefined, { errors: [{ path: "environment", message }] });
    }
    const plain = environment?.variables ?? {};
    const secretNames = new Set([
      ...(own?.secretVariables ?? []).map(({ name }) => name).filter((name) => !Object.hasOwn(plain, name)),
      ...(environment?.secretVariables ?? []).map(({ name }) => name),
    ]);
    const variables = Object.entries({ ...own?.variables, ...plain }).filter(([name]) => !secretNames.has(name));
    const api: ExportedApi = {
      id: apiId,
      name: summary?.name ?? "API",
      baseUrl: environment?.baseUrl ?? summary?.effectiveBaseUrl ?? null,
      variables: Object.fromEntries(variables),
      secretNames: [...secretNames].sort(),
      ...(environment ? { environment: environment.name } : {}),
      findOperation: (method, path) => operations.get(toKey(method, path)),
    };
    return api;
  }

  return {
    async readApis(call: ExportCall, tests: Test[], environments: Record<string, string | undefined>) {
      const apiIds = [...new Set(tests.map(({ apiId }) => apiId))];
      const apis = new Map<string, ExportedApi>();
      for (const apiId of apiIds) {
        const own = tests.filter((test) => test.apiId === apiId);
        apis.set(apiId, await readApi(call, apiId, own, environments[apiId]));
      }
      return apis;
    },

    /** Of these hosts, and those that tests name. */
    async readCredentials(
      { caller, requestId }: ExportCall,
      hosts: string[],
      tests: Test[],
    ): Promise<KnownCredentials> {
      const client = parts.securityService({ token: caller.token, requestId });
      const byId = new Map<string, Credential>();
      const byHost = new Map<string, { credentials: Credential[]; configs: AuthorizationConfig[] }>();
      for (const domain of new Set(hosts)) {
        const request = { params: { domain }, query: { limit: 200 } };
        const [credentials, configs] = await Promise.all([
          client.listDomainCredentials({ ...request, query: { limit: 200, usedBy: "false" } }).then(allowed),
          client.listDomainAuthorizationConfigs(request).then(allowed),
        ]);
        byHost.set(domain, { credentials: credentials?.items ?? [], configs: configs?.items ?? [] });
        for (const credential of credentials?.items ?? []) byId.set(credential.id, credential);
      }
      const named = tests.flatMap(({ request: { authorization } }) =>
        authorization.kind === "credentials" ? authorization.bindings.map(({ credentialId }) => credentialId) : [],
      );
      for (const credentialId of new Set(named)) {
        if (byId.has(credentialId)) continue;
        const found = await client.getCredential({ params: { credentialId } });
        if (found.ok) byId.set(credentialId, found.value);
      }
      return { byId, ofHost: (host) => byHost.get(host) ?? { credentials: [], configs: [] } };
    },
  };
}

const toKey = (method: string, path: string) => `${method.toLowerCase()} ${path}`;

async function readOperations(
  client: ReturnType<Connect<typeof apiRegistryContract>>,
  apiId: string,
  tests: Test[],
): Promise<Map<string, OperationWithComponents>> {
  const wanted = [...new Map(tests.map(({ method, path }) => [toKey(method, path), { method, path }])).values()];
  const found = new Map<string, OperationWithComponents>();
  for (let from = 0; from < wanted.length; from += operationsAtOnce) {
    const operations = wanted.slice(from, from + operationsAtOnce);
    const known = allowed(await client.findOperations({ params: { apiId }, body: { operations } }));
    for (const one of known?.items ?? []) found.set(toKey(one.operation.method, one.operation.path), one);
  }
  return found;
}
