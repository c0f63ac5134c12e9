import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { ImportInput } from "#contracts/test-registry/imports.ts";
import type { ChosenFile } from "#libraries/collections/read/unpack.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Identity, IssueServiceToken } from "../../kit/identity/identity.ts";
import { toCollectionKey } from "../domain/imports/known-sources.ts";
import type { TargetApi } from "../domain/imports/plan-import.ts";
import { toName } from "../domain/imports/to-name.ts";
import { withoutCredentials } from "../domain/imports/without-credentials.ts";
import type { Planned, ReadingThread } from "../jobs/reading-thread.ts";
import { findMadeApi } from "../store/imported-objects.ts";
import type { TestDatabase } from "../store/tables.ts";
import { listNames } from "../store/tests.ts";

export interface ImportCall {
  caller: Identity;
  requestId: string;
}

/** Reads what came from files before, and is there still. */
export type ReadKnown = (call: ImportCall, apiId: string) => Promise<TargetApi["known"]>;

/** What an import would store. */
export interface KnownPlan extends Planned {
  /** Undefined: one is to be registered. */
  api: { id: string; name: string } | undefined;
}

export const mayStoreCredentials = ({ kind, scopes }: Identity) =>
  kind === "service" || scopes.includes("credentials:manage");

export const mayWriteApis = ({ kind, scopes }: Identity) => kind === "service" || scopes.includes("apis:write");

export type PlanImport = ReturnType<typeof createImportPlans>;

/** Plans imports: reads the files, and matches their requests to the operations of the API. */
export function createImportPlans(parts: {
  db: TestDatabase;
  thread: ReadingThread;
  apiRegistry: Connect<typeof apiRegistryContract>;
  serviceToken: IssueServiceToken;
  readKnown: ReadKnown;
}) {
  /** With the service's own permission: users may write tests without being allowed to read APIs. */
  async function connect({ caller: { organizationId }, requestId }: ImportCall) {
    return parts.apiRegistry({ token: await parts.serviceToken(organizationId), requestId });
  }

  async function findTarget(call: ImportCall, apiId: string): Promise<{ name: string; target: TargetApi }> {
    const { organizationId } = call.caller;
    const registry = await connect(call);
    const runnable = await registry.listRunnableApis({ body: { items: [{ organizationId, apiId }] } });
    if (!runnable.ok) throw new Problem(runnable.problem.code, runnable.problem.detail);
    const [found] = runnable.value.items;
    if (!found) throw notFound("API");
    const { api, environments, variables = {}, secretVariables = [] } = found;
    const secretNames = new Set(secretVariables.map(({ name }) => name));
    const knownEnvironments = environments.map(({ name, baseUrl, variables: own, secretVariables: secrets = [] }) => ({
      ...{ name, baseUrl, variables: own, secretNames: secrets.map((secret) => secret.name) },
    }));
    const operations: TargetApi["operations"][number][] = [];
    let cursor: string | undefined;
    do {
      const page = await registry.listOperations({ params: { apiId }, query: { limit: 200, cursor } });
      if (!page.ok) throw new Problem(page.problem.code, page.problem.detail);
      operations.push(...page.value.items.map(({ method, path, operationId }) => ({ method, path, operationId })));
      cursor = page.value.nextCursor ?? undefined;
    } while (cursor);
    const baseUrls = [api.effectiveBaseUrl, ...environments.map(({ baseUrl }) => baseUrl)].filter(
      (url) => url !== null,
    );
    const existing = await listNames(parts.db, organizationId, apiId);
    const known = await parts.readKnown(call, apiId);
    const there = { existing, variables, secretNames, environments: knownEnvironments };
    return { name: api.name, target: { operations, baseUrls, ...there, known } };
  }

  /** The API that the same files made before. */
  async function findMade(call: ImportCall, { plan }: Planned, apiName: string | undefined) {
    const { organizationId } = call.caller;
    const collection = toCollectionKey(plan.format, plan.name);
    const name = apiName ?? toName(plan.name, 200);
    const apiId = await findMadeApi(parts.db, { organizationId, collection, name });
    if (apiId === undefined) return undefined;
    try {
      return { apiId, ...(await findTarget(call, apiId)) };
    } catch (error) {
      // Deleted, which is not followed yet.
      if (error instanceof Problem && error.code === "not_found") return undefined;
      throw error;
    }
  }

  /** @throws Problem not_found for an unknown API, invalid_input at `source` for files that can't be read */
  return async (call: ImportCall, input: ImportInput, files: ChosenFile[]): Promise<KnownPlan> => {
    const { apiId, format, environment, unmatched, toApi, circles, leaveOut } = input;
    const choices = { environment, unmatched, toApi, circles, leaveOut, environments: mayWriteApis(call.caller) };
    const given = apiId === undefined ? undefined : { apiId, ...(await findTarget(call, apiId)) };
    let planned = await parts.thread.plan({ files, format, target: given?.target, choices });
    const known = given ?? (await findMade(call, planned, input.apiName));
    if (known && !given) planned = await parts.thread.plan({ files, format, target: known.target, choices });
    const plan = mayStoreCredentials(call.caller) ? planned.plan : withoutCredentials(planned.plan);
    return { ...planned, plan, api: known && { id: known.apiId, name: known.name } };
  };
}
