import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
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
      const { items, sendsHostCredentials } = requireFromService(
        await registry.findOperations({ params, body: { operations } }),
      );
      return {
        items: items.map((item) => suggestValidCall(item, body.fields, sendsHostCredentials)),
        nextCursor: page.nextCursor,
      };
    },
  };
}
