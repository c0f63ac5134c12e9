import { type FaultyServer, type StartedFaultyServer, startServer } from "../servers/faulty-server.ts";

/** A tool that others use for this, as its own documentation says. */
export interface Peer {
  name: string;
  /** @throws NotInstallable */
  install(): Promise<RunPeer>;
}

/** Runs the peer against a server. Returns each failure that it reports, in words without values that change. */
export type RunPeer = (described: FaultyServer, server: StartedFaultyServer) => Promise<string[]>;

export interface PeerRun {
  failures: string[];
  requests: number;
  milliseconds: number;
}

export async function runPeer(run: RunPeer, described: FaultyServer, faults: string[]): Promise<PeerRun> {
  const server = await startServer(described, faults);
  try {
    const began = performance.now();
    const failures = await run(described, server);
    return { failures, requests: server.requests, milliseconds: Math.round(performance.now() - began) };
  } finally {
    await server.stop();
  }
}

/** What a run reports that the one without the fault does not. */
export function listNew(run: PeerRun, faultless: PeerRun): string[] {
  const known = new Set(faultless.failures);
  return run.failures.filter((failure) => !known.has(failure));
}
