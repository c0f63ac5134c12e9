import type { Finding, FindingStep } from "#contracts/test-executioner/explorations.ts";
import { type TestInput, testInput } from "#contracts/test-registry/tests.ts";
import type { Explore } from "#libraries/suite/exploration/exploring.ts";
import { toKey } from "#libraries/suite/plan/known.ts";

/** Calls each wanted operation again and again; a 500 is a finding. Complete after `rounds`. */
export function createSmallExplore(rounds: number): Explore {
  return async (input, { maxRequests, call, signal, onProgress, onFinding }) => {
    const began = performance.now();
    const findings = new Map<string, Finding>();
    const counts = new Map(input.wanted.map((one) => [toKey(one), { operation: one, requests: 0, accepted: 0 }]));
    let requests = 0;
    const isOver = () => signal.aborted || requests >= maxRequests;
    for (let round = 0; round < rounds && !isOver(); round += 1) {
      for (const operation of input.wanted) {
        if (isOver()) break;
        const test: TestInput = testInput.parse({ ...operation, name: `Calls ${operation.path}`, request: {} });
        const { attempts, statusCode } = await call({ test, captures: [], effect: undefined });
        requests += 1;
        const count = counts.get(toKey(operation))!;
        count.requests += 1;
        if (statusCode !== null && statusCode < 300) count.accepted += 1;
        if (statusCode === 500) {
          const key = `500 ${toKey(operation)}`;
          const { request = null, response = null } = attempts.at(-1) ?? {};
          const step: FindingStep = { test, phase: "main", request, response };
          const seen = (findings.get(key)?.seen ?? 0) + 1;
          const first: Finding = findings.get(key) ?? {
            ...{ key, kind: "serverError", operation, also: [], seen, isRepeated: false, requests },
            ...{ message: `Answered 500 (${toKey(operation)}).`, milliseconds: Math.round(performance.now() - began) },
            ...{ steps: [step], variables: [] },
          };
          const found: Finding = { ...first, seen, isRepeated: seen > 1 };
          findings.set(key, found);
          onFinding(found);
        }
        onProgress({ requests, operations: [...counts.values()].map((one) => ({ ...one })) });
      }
    }
    return { requests, operations: [...counts.values()], isComplete: !isOver(), findings: [...findings.values()] };
  };
}
