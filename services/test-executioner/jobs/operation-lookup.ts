import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { Cache } from "#libraries/cache/cache.ts";
import { Batcher, KeyedBatchers } from "../../kit/batcher/batcher.ts";
import { type Connect, requireValue } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";

export interface OperationName {
  organizationId: string;
  apiId: string;
  documentId: string;
  method: string;
  path: string;
}

export type FindOperation = (name: OperationName) => Promise<OperationWithComponents | undefined>;

/** Documents are rarely imported again; an operation is looked up by every test of a run. */
const cacheMilliseconds = 30_000;
const maxStored = 2_000;

/** Finds documented operations, 200 per call, and caches them for the run, including those that the document lacks. */
export function createOperationLookup(
  apiRegistry: Connect<typeof apiRegistryContract>,
  serviceToken: IssueServiceToken,
): FindOperation {
  const stored = new Cache<Promise<OperationWithComponents | undefined>>({
    maxSize: maxStored,
    maxAgeMilliseconds: cacheMilliseconds,
  });
  const batchers = new KeyedBatchers<OperationName, OperationWithComponents | undefined>(
    () =>
      new Batcher({
        maxItems: 200,
        lingerMilliseconds: 0,
        async run(names) {
          const { organizationId, apiId, documentId } = names[0]!;
          const client = apiRegistry({ token: await serviceToken(organizationId) });
          const result = await client.findOperations({
            params: { apiId },
            body: { documentId, operations: names.map(({ method, path }) => ({ method, path })) },
          });
          if (!result.ok && result.status === 404) return names.map(() => undefined);
          const { items } = requireValue(result, "The operations of a run could not be loaded");
          const found = new Map(items.map((item) => [toKey(item.operation), item]));
          return names.map((name) => found.get(toKey(name)));
        },
      }),
  );
  return (name) => {
    const key = [name.organizationId, name.apiId, name.documentId, toKey(name)].join(" ");
    const known = stored.get(key);
    if (known) return known;
    const requested = batchers.for(`${name.organizationId} ${name.documentId}`).add(name);
    stored.set(key, requested);
    requested.catch(() => stored.delete(key));
    return requested;
  };
}

/**
 * OpenAPI's methods are lower case; those that a document adds keep their case, and two that differ only in case do not
 * occur.
 */
function toKey({ method, path }: { method: string; path: string }): string {
  return `${method.toLowerCase()} ${path}`;
}
