import { uuidv7 } from "uuidv7";
import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { Problem, type ProblemDetails } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import { toUserActor } from "../../kit/audit/audit.ts";
import type { CallResult, Connect } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import type { ImportPlan, PlannedCredential } from "../domain/imports/plan.ts";
import type { ImportCall } from "./import-plans.ts";

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

interface Parts {
  apiRegistry: Connect<typeof apiRegistryContract>;
  securityService: Connect<typeof securityServiceContract>;
  serviceToken: IssueServiceToken;
}

/** Creates what stores the parts of an import that other services own, on behalf of its caller. */
export function createImportSurroundings({ apiRegistry, securityService, serviceToken }: Parts) {
  return {
    /** Registers the API if there is a document, and adds its variables. @returns its name */
    async takeApi(
      { caller, requestId }: ImportCall,
      importId: string,
      api: { id: string; name: string; document: string | undefined },
      { variables, secretVariables }: ImportPlan,
    ): Promise<string> {
      const { id: apiId, name, document } = api;
      if (document === undefined && Object.keys(variables).length + secretVariables.length === 0) return name;
      if (document !== undefined && caller.kind !== "service" && !caller.scopes.includes("apis:write"))
        throw new Problem("forbidden", "You may not register APIs. Import into one that is there.");
      const registry = apiRegistry({ token: await serviceToken(caller.organizationId), requestId });
      const body = {
        ...{ apiId, api: document === undefined ? undefined : { name, document } },
        ...{ variables, secretVariables, environments: [], actor: toUserActor(caller) },
      };
      return requireTaken(await registry.takeImport({ params: { importId }, body })).apiName;
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
  };
}

export type ImportSurroundings = ReturnType<typeof createImportSurroundings>;
