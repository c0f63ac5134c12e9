import { randomUUID } from "node:crypto";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { CallResult, Client } from "../../kit/client/client.ts";

type Starting = Pick<Client<typeof testExecutionerContract>, "startRun" | "runTest" | "runTestsOfApi" | "runCircle">;
type Started = { state: string } | { items: { state: string }[] };

const isOver = ({ state }: { state: string }) => state === "finished" || state === "cancelled";
export const isEnded = (started: Started) => ("items" in started ? started.items.every(isOver) : isOver(started));

/**
 * Starting calls that return when the run has ended, however long that takes: repeated with the same key, which starts
 * nothing new.
 */
export function toTheEnd(client: Starting): Starting {
  const insist =
    <Input extends { headers?: Record<string, string> }, Value extends Started>(
      start: (input: Input & { query: { wait: number } }) => Promise<CallResult<Value>>,
    ) =>
    async (input: Input): Promise<CallResult<Value>> => {
      const headers = { "idempotency-key": randomUUID(), ...input.headers };
      for (;;) {
        const result = await start({ ...input, headers, query: { wait: 30 } });
        if (!result.ok || isEnded(result.value)) return result;
      }
    };
  return {
    startRun: insist(client.startRun),
    runTest: insist(client.runTest),
    runTestsOfApi: insist(client.runTestsOfApi),
    runCircle: insist(client.runCircle),
  };
}
