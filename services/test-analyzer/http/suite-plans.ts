import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import type { Consumer, OperationKey, Resource } from "#contracts/api-registry/resources.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import { listMissing, toKey } from "#libraries/suite/plan/known.ts";
import { listMethods } from "#libraries/suite/plan/plan-refusals.ts";
import { planSuite } from "#libraries/suite/plan/plan-suite.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { requireFromService } from "./service-result.ts";

/** Operations that one plan may look at: its own, and what those need. */
const maxOperations = 1_200;
const perCall = 100;

/** Creates the handler that plans circles of tests. */
export function createSuitePlanHandlers(
  apiRegistry: Connect<typeof apiRegistryContract>,
): Pick<Handlers<typeof testAnalyzerContract>, "planSuite"> {
  return {
    async planSuite({ caller, params, body, requestId }) {
      const registry = apiRegistry({ token: caller.token, requestId });
      const operations = new Map<string, OperationWithComponents>();
      const resources = new Map<string, Resource>();
      const consumers = new Map<string, Consumer>();
      const asked = new Set<string>();
      let sendsHostCredentials: true | undefined;
      let missing: OperationKey[] = body.operations;
      while (missing.length > 0 && asked.size < maxOperations) {
        for (let from = 0; from < missing.length; from += perCall) {
          const some = missing.slice(from, from + perCall);
          const [found, dependencies] = await Promise.all([
            registry.findOperations({ params, body: { operations: some } }).then(requireFromService),
            registry.findDependencies({ params, body: { operations: some } }).then(requireFromService),
          ]);
          sendsHostCredentials = found.sendsHostCredentials;
          for (const one of some) asked.add(toKey(one));
          for (const item of found.items) operations.set(toKey(item.operation), item);
          for (const resource of dependencies.resources) resources.set(resource.key, resource);
          for (const one of dependencies.consumers) {
            consumers.set(JSON.stringify([one.operation.method, one.operation.path, one.in, one.name]), one);
          }
        }
        const input = toInput();
        missing = listMissing(input).filter((one) => !asked.has(toKey(one)));
      }
      return planSuite({ ...toInput(), undocumented: await findUndocumented() });

      /** Of the methods that each resource's path may lack. */
      async function findUndocumented(): Promise<OperationKey[]> {
        const all = [...resources.values()].flatMap(listMethods).filter((one) => !operations.has(toKey(one)));
        const possible = [...new Map(all.map((one) => [toKey(one), one])).values()].slice(0, maxOperations);
        const documented = new Set<string>();
        for (let from = 0; from < possible.length; from += perCall) {
          const some = possible.slice(from, from + perCall);
          const { items } = requireFromService(await registry.findOperations({ params, body: { operations: some } }));
          for (const { operation } of items) documented.add(toKey(operation));
        }
        return possible.filter((one) => !documented.has(toKey(one)));
      }

      function toInput() {
        return {
          wanted: body.operations,
          operations: [...operations.values()],
          resources: [...resources.values()],
          consumers: [...consumers.values()],
          sendsHostCredentials,
        };
      }
    },
  };
}
