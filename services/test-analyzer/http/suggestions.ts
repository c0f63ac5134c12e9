import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { Consumer, OperationKey, Resource } from "#contracts/api-registry/resources.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import { suggestValidCall } from "#libraries/suite/suggestion/valid-call.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { requireFromService } from "./service-result.ts";

/** Creates the handler that suggests tests. */
export function createSuggestionHandlers(
  apiRegistry: Connect<typeof apiRegistryContract>,
): Pick<Handlers<typeof testAnalyzerContract>, "suggestTests"> {
  return {
    async suggestTests({ caller, params, query, body, requestId }) {
      const registry = apiRegistry({ token: caller.token, requestId });
      const page = body.operations
        ? { items: body.operations, nextCursor: null }
        : requireFromService(await registry.listOperations({ params, query }));
      if (page.items.length === 0) return { items: [], nextCursor: null };
      const operations = page.items.map(({ method, path }) => ({ method, path }));
      const [found, dependencies] = await Promise.all([
        registry.findOperations({ params, body: { operations } }),
        registry.findDependencies({ params, body: { operations } }),
      ]);
      const { items, sendsHostCredentials } = requireFromService(found);
      const findVariable = createVariableLookup(requireFromService(dependencies));
      return {
        items: items.map((item) =>
          suggestValidCall(item, {
            ...{ fields: body.fields, sendsHostCredentials },
            findVariable: (location, name) => findVariable(item.operation, location, name),
          }),
        ),
        nextCursor: page.nextCursor,
      };
    },
  };
}

/** The variable of the resource whose identifier a request takes there. */
function createVariableLookup({ consumers, resources }: { consumers: Consumer[]; resources: Resource[] }) {
  const toKey = ({ method, path }: OperationKey, location: string, name: string) =>
    JSON.stringify([method, path, location, name]);
  const variables = new Map(resources.map(({ key, variable }) => [key, variable]));
  const byPlace = new Map(
    consumers.map(({ operation, in: location, name, resource }) => [
      toKey(operation, location, name),
      variables.get(resource),
    ]),
  );
  return (operation: OperationKey, location: string, name: string) => byPlace.get(toKey(operation, location, name));
}
