import { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import { type Contract, onlyReads } from "#contracts/kit/endpoint.ts";
import { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Backend } from "~/backend/backend";
import { isAway } from "~/backend/responses";
import type { Caller, CallResult } from "../../services/kit/client/client.ts";

const contracts: Record<keyof Backend, Contract> = {
  securityService: securityServiceContract,
  portalService: portalServiceContract,
  apiRegistry: apiRegistryContract,
  testRegistry: testRegistryContract,
  testExecutioner: testExecutionerContract,
  testAnalyzer: testAnalyzerContract,
};

type Call = (input?: object) => Promise<CallResult<unknown>>;

/**
 * The clients of the services for one request. A page is loaded by several concurrent and independent loaders: the
 * result of a query is shared by all of them until something is changed.
 * @param onAway called with each service that failed to answer
 */
export function askOnce(
  connect: (caller: Caller) => Backend,
  onAway: (service: string) => void = () => {},
): (caller: Caller) => Backend {
  const backends = new Map<string | undefined, Backend>();
  return (caller) => {
    const known = backends.get(caller.token);
    if (known) return known;
    const backend = rememberAnswers(connect(caller), onAway);
    backends.set(caller.token, backend);
    return backend;
  };
}

/** Service names as the services spell them: `test-registry`. */
function serviceName(door: keyof Backend): string {
  return door.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`);
}

function rememberAnswers(backend: Backend, onAway: (service: string) => void): Backend {
  const results = new Map<string, Promise<CallResult<unknown>>>();
  /** The errors of services that did not respond: calling them again would delay the page as long again. */
  const silences = new Map<keyof Backend, Promise<CallResult<unknown>>>();
  const remembering = (service: keyof Backend, name: string): Call => {
    const call = backend[service][name as never] as Call;
    const { method, response, audit } = contracts[service][name]!;
    return (input) => {
      if (method !== "get" && audit !== onlyReads) {
        results.clear();
        silences.clear();
      }
      // A stream has only one reader.
      if (method !== "get" || !response) return call(input);
      const key = `${service} ${name} ${JSON.stringify(input)}`;
      const known = results.get(key) ?? silences.get(service);
      if (known) return known;
      const requested = call(input);
      results.set(key, requested);
      requested.then(
        (answered) => {
          if (answered.ok || !isAway(answered)) return;
          if (answered.problem.service === serviceName(service)) silences.set(service, requested);
          onAway(answered.problem.service ?? serviceName(service));
        },
        // The caller handles the rejection.
        () => {},
      );
      return requested;
    };
  };
  const services = Object.entries(contracts).map(([service, contract]) => [
    service,
    Object.fromEntries(Object.keys(contract).map((name) => [name, remembering(service as keyof Backend, name)])),
  ]);
  return Object.fromEntries(services) as Backend;
}
