import { uuidv7 } from "uuidv7";
import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { Problem, type ProblemDetails } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import { toUserActor } from "../../kit/audit/audit.ts";
import type { CallResult, Connect } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import type { ImportPlan, PlannedCredential, PlannedEnvironment } from "../domain/imports/plan.ts";
import { type ImportCall, mayWriteApis } from "./import-plans.ts";

function requireTaken<Value>(result: CallResult<Value>): Value {
  if (result.ok) return result.value;
  const { code, detail, errors, limit, used, service }: ProblemDetails = result.problem;
  const atSource = errors?.map(({ message }) => ({ path: "source", message }));
  throw new Problem(code, detail, {
    limit,
    used,
    service,
    errors: atSource,
    retryAfterSeconds: result.retryAfterSeconds,
  });
}

export interface StoredCredential {
  id: string;
  name: string;
  domain: string;
  isNew: boolean;
}

/** A credential with the id that it has, or will have. */
export type DrawnCredential = PlannedCredential & { id: string };

/** Draws ids, so that what an import is about to store can be stored before. */
export const drawIds = (planned: readonly PlannedCredential[]): DrawnCredential[] =>
  planned.map((credential) => ({ ...credential, id: credential.knownId ?? uuidv7() }));

export interface TakenApi {
  apiName: string;
  /** Names of those that were stored. */
  environments: string[];
}

const toTaken = ({ name, baseUrl, variables, secretVariables, replaces }: PlannedEnvironment) => ({
  ...{ name, baseUrl, variables, secretVariables, replaces },
});

interface Parts {
  apiRegistry: Connect<typeof apiRegistryContract>;
  securityService: Connect<typeof securityServiceContract>;
  serviceToken: IssueServiceToken;
}

/** Creates what stores the parts of an import that other services own, on behalf of its caller. */
export function createImportSurroundings({ apiRegistry, securityService, serviceToken }: Parts) {
  return {
    /** Registers the API if there is a document, and adds its variables and environments. */
    async takeApi(
      { caller, requestId }: ImportCall,
      importId: string,
      api: { id: string; name: string; document: string | undefined },
      { variables, secretVariables, apiEnvironments }: ImportPlan,
    ): Promise<TakenApi> {
      const { id: apiId, name, document } = api;
      const environments = apiEnvironments.filter(({ state }) => state === "new" || state === "changed").map(toTaken);
      const isNothing = Object.keys(variables).length + secretVariables.length + environments.length === 0;
      if (document === undefined && isNothing) return { apiName: name, environments: [] };
      if (document !== undefined && !mayWriteApis(caller))
        throw new Problem("forbidden", "You may not register APIs. Import into one that is there.");
      const registry = apiRegistry({ token: await serviceToken(caller.organizationId), requestId });
      const body = {
        ...{ apiId, api: document === undefined ? undefined : { name, document } },
        ...{ variables, secretVariables, environments, actor: toUserActor(caller) },
      };
      return requireTaken(await registry.takeImport({ params: { importId }, body }));
    },

    /** @returns credentials in the order of the plan, under the names that they got */
    async takeCredentials(
      { caller, requestId }: ImportCall,
      drawn: readonly DrawnCredential[],
    ): Promise<StoredCredential[]> {
      const fresh = drawn.filter(({ knownId }) => knownId === undefined);
      const names = new Map<string, string>();
      if (fresh.length > 0) {
        const security = securityService({ token: await serviceToken(caller.organizationId), requestId });
        const items = fresh.map(({ id, name, domain, type, settings, secret }) => ({
          id,
          name,
          domain,
          type,
          settings,
          secret,
        }));
        const stored = await security.takeCredentials({ body: { items, actor: toUserActor(caller) } });
        for (const { id, name } of requireTaken(stored).items) names.set(id, name);
      }
      return drawn.map(({ id, name, domain, knownId }) => ({
        ...{ id, name: names.get(id) ?? name, domain, isNew: knownId === undefined },
      }));
    },

    /** A new API's tests have their variables in an environment: pages start with it for who imported them. */
    async chooseEnvironment({ caller, requestId }: ImportCall, apiId: string, environment: string | undefined) {
      if (environment === undefined || caller.kind !== "user" || !caller.scopes.includes("apis:read")) return;
      await apiRegistry({ token: caller.token, requestId }).chooseEnvironment({
        params: { apiId },
        body: { environment },
      });
    },
  };
}

export type ImportSurroundings = ReturnType<typeof createImportSurroundings>;
