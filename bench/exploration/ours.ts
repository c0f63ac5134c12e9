import type { Finding } from "#contracts/test-executioner/explorations.ts";
import { explore } from "#libraries/suite/exploration/explore.ts";
import { toKey } from "#libraries/suite/plan/known.ts";
import { readDescribed } from "./described.ts";
import { type Engine, toCredential } from "./engine.ts";
import { type Fault, type FaultyServer, startServer } from "./servers/faulty-server.ts";

export const seed = 20_260_105;
export const maxRequests = 3_000;

export interface OurRun {
  findings: Finding[];
  requests: number;
  milliseconds: number;
  isComplete: boolean;
}

/** Explores a server that has these faults, to the end or to the limit of requests. */
export async function exploreServer(engine: Engine, described: FaultyServer, faults: string[]): Promise<OurRun> {
  const server = await startServer(described, faults);
  const { signal } = new AbortController();
  try {
    const input = await readDescribed(server.document);
    const call = engine.connect(
      { origin: server.origin, credential: described.apiKey && toCredential(described.apiKey) },
      input,
      signal,
    );
    const began = performance.now();
    const explored = await explore(input, {
      ...{ seed, maxRequests, changes: true, call, signal },
      onProgress() {},
      onFinding() {},
    });
    const milliseconds = Math.round(performance.now() - began);
    const { findings, isComplete } = explored;
    return { findings, isComplete, requests: server.requests, milliseconds };
  } finally {
    await server.stop();
  }
}

/** The finding that tells a fault: of its kind, where it can be noticed. */
export function findFor({ kinds, operations }: Fault, findings: readonly Finding[]): Finding | undefined {
  const places = new Set(operations.map(toKey));
  return findings.find(
    ({ kind, operation, also }) => kinds.includes(kind) && [operation, ...also].some((one) => places.has(toKey(one))),
  );
}
