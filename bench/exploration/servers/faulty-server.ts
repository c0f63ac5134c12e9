import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { OperationKey } from "#contracts/api-registry/resources.ts";
import type { FindingKind } from "#contracts/test-executioner/explorations.ts";
import { answerWith, type Handlers, type ServedApi } from "./strict-router.ts";

/** Something that a server does wrong when it is switched on. */
export interface Fault {
  id: string;
  what: string;
  /** The kind of finding that tells it; more than one where the same behaviour breaks more than one promise. */
  kinds: readonly [FindingKind, ...FindingKind[]];
  /** Where a client notices it; more than one where several calls show it equally. */
  operations: readonly [OperationKey, ...OperationKey[]];
  /** What it judges requests by instead of its document: values by JSON Pointer, undefined for one that is ignored. */
  judgesBy?: Record<string, unknown>;
}

export type HasFault = (id: string) => boolean;

export interface FaultyServer extends ServedApi {
  name: string;
  faults: readonly Fault[];
  /** Fresh data, and what answers each operation by its `operationId`. */
  create(has: HasFault): Handlers;
}

export interface StartedFaultyServer {
  /** For example `http://127.0.0.1:41236`. */
  origin: string;
  /** Its OpenAPI document, with this origin. It never knows of faults. */
  document: string;
  /** Requests that came until now. */
  readonly requests: number;
  stop(): Promise<void>;
}

/** Starts a server in memory, on a free port of this machine, with only the named faults. */
export async function startServer(
  described: FaultyServer,
  faults: readonly string[] = [],
): Promise<StartedFaultyServer> {
  const on = described.faults.filter(({ id }) => faults.includes(id));
  const handlers = described.create((id) => on.some((fault) => fault.id === id));
  const answer = answerWith(described, handlers, Object.assign({}, ...on.map(({ judgesBy }) => judgesBy)));
  let requests = 0;
  const server = createServer((request, response) => {
    requests++;
    void answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    document: JSON.stringify({ ...described.document, servers: [{ url: origin }] }),
    get requests() {
      return requests;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
