import { bookings } from "./bookings.ts";
import { bookShop } from "./books.ts";
import { type Fault, type FaultyServer, startServer } from "./faulty-server.ts";
import { notes } from "./notes.ts";
import { taskTracker } from "./tasks.ts";

export const faultyServers: readonly FaultyServer[] = [bookShop, taskTracker, notes, bookings];

export interface SeededFault extends Fault {
  server: FaultyServer;
}

export const seededFaults: readonly SeededFault[] = faultyServers.flatMap((server) =>
  server.faults.map((fault) => ({ ...fault, server })),
);

/** Starts the server that can have these faults; all of one server. */
export function startFaultyServer({ faults }: { faults: readonly [string, ...string[]] }) {
  const found = seededFaults.find(({ id }) => id === faults[0]);
  if (!found) throw new Error(`There is no fault ${faults[0]}.`);
  return startServer(found.server, faults);
}
