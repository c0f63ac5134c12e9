import type { RunnableApi } from "#contracts/api-registry/runnable-apis.ts";
import type { ExplorationInput } from "#contracts/test-executioner/explorations.ts";
import { pause } from "#libraries/running/pause.ts";
import { type RunningParts, runTest } from "#libraries/running/run-test.ts";
import type { Call } from "#libraries/suite/exploration/exploring.ts";
import { resolveSurroundings } from "../http/surroundings.ts";
import { type ApiSecretLookup, listUsedNames, readApiSecrets } from "./api-secrets.ts";
import type { FindOperation } from "./operation-lookup.ts";

export interface CallParts extends RunningParts {
  readApiSecrets: ApiSecretLookup;
  findOperation: FindOperation;
}

interface CallOptions {
  organizationId: string;
  api: RunnableApi;
  input: Pick<ExplorationInput, "environment" | "requestsPerSecond">;
  /** Whether a user started it, who confirmed methods that may change something. */
  isConfirmed: boolean;
  /** Interrupts the current request. */
  signal: AbortSignal;
}

const noVersion = { version: 1, createdAt: "1970-01-01T00:00:00.000Z", updatedAt: "1970-01-01T00:00:00.000Z" };

/**
 * Sends an exploration's requests as those of a run that changes only what it made, one after the other and no faster
 * than its rate.
 */
export function createExplorationCall(parts: CallParts, options: CallOptions): Call {
  const { organizationId, api, input, isConfirmed, signal } = options;
  const surroundings = resolveSurroundings(api, { environment: input.environment ?? undefined }, "environment");
  const { apiId, environment, documentId, baseUrls, hasOwnServers, variables, secretVariables } = surroundings;
  const { mayRequireAuthentication } = surroundings;
  const betweenMilliseconds = 1_000 / input.requestsPerSecond;
  let next = 0;
  return async ({ test, captures, effect }) => {
    // Also where the rate allows more: executions of this process get their turn.
    await pause(Math.max(0, next - performance.now()), signal);
    next = performance.now() + betweenMilliseconds;
    const { method, path } = test;
    const owner = { organizationId, apiId, environment };
    const used = listUsedNames({ ...test, baseUrls });
    const read = await readApiSecrets(parts.readApiSecrets, owner, { used, secretVariables, captures });
    return await runTest(
      parts,
      {
        organizationId,
        test: { ...test, locationId: undefined, ...noVersion, id: apiId, apiId },
        captures: [...captures, ...read.captures],
        unavailableSecret: read.unavailable,
        findVariable: (name) => variables[name],
        baseUrls,
        hasOwnServers,
        isConfirmed,
        ...(mayRequireAuthentication ? { mayRequireAuthentication } : {}),
        findOperation: () => parts.findOperation({ organizationId, apiId, documentId, method, path }),
        onlyOwn: { ...(effect ? { effect } : {}), describeVariable: () => "comes from the environment." },
      },
      { signal },
    );
  };
}
