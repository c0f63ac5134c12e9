import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { OperationKey } from "#contracts/api-registry/resources.ts";
import { gatherPlanInput, maxGatheredOperations } from "#libraries/suite/plan/gather-plan-input.ts";
import type { PlanInput } from "#libraries/suite/plan/known.ts";
import { type Connect, requireValue } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";

export interface ExplorationInputParts {
  apiRegistry: Connect<typeof apiRegistryContract>;
  serviceToken: IssueServiceToken;
}

const perPage = 200;

/** What an exploration needs to know of an API's current document: of these operations, or of all of them. */
export async function loadExplorationInput(
  { apiRegistry, serviceToken }: ExplorationInputParts,
  { organizationId, apiId }: { organizationId: string; apiId: string },
  operations: readonly OperationKey[] | undefined,
): Promise<PlanInput> {
  const registry = apiRegistry({ token: await serviceToken(organizationId) });
  const params = { apiId };
  const purpose = "The document of an exploration could not be read";
  return await gatherPlanInput(operations ?? (await listAll()), {
    findOperations: async (some) =>
      requireValue(await registry.findOperations({ params, body: { operations: some } }), purpose),
    findDependencies: async (some) =>
      requireValue(await registry.findDependencies({ params, body: { operations: some } }), purpose),
  });

  async function listAll(): Promise<OperationKey[]> {
    const all: OperationKey[] = [];
    let cursor: string | undefined;
    do {
      const page = requireValue(await registry.listOperations({ params, query: { limit: perPage, cursor } }), purpose);
      for (const { method, path } of page.items) all.push({ method, path });
      cursor = page.nextCursor ?? undefined;
    } while (cursor && all.length < maxGatheredOperations);
    return all;
  }
}
