import type { Logger } from "pino";
import type { Plans } from "../../kit/plan/plan-ledger.ts";
import { createFindLastTurn } from "../store/last-turn.ts";
import type { ExecutionDatabase } from "../store/tables.ts";
import { type CircleParts, createOpenCircle } from "./circle-source.ts";
import { createPrepareRun } from "./preparing.ts";
import { createLeaveDeleted } from "./remaining-places.ts";
import { createRequireLocations } from "./required-locations.ts";
import { createPrepareScheduled } from "./scheduled-starts.ts";
import { createStartRun } from "./starting.ts";
import { createStartSource } from "./starting-sources.ts";

const forgetful = { remember() {} };

type PreparingParts = Parameters<typeof createPrepareRun>[0];

/** What starts runs: of named tests, of a source, and of schedules. */
export function createStartingParts({
  db,
  plans,
  log,
  testRegistry,
  serviceToken,
  ...parts
}: Omit<CircleParts, "openCircle"> &
  Omit<PreparingParts, "requireLocations" | "leaveDeleted" | "findLastTurn"> & {
    db: ExecutionDatabase;
    plans: Plans;
    log: Logger;
  }) {
  const { clock } = parts;
  const openCircle = createOpenCircle({ testRegistry, serviceToken });
  const circles = { clock, testRegistry, serviceToken, openCircle };
  const preparing = {
    ...parts,
    requireLocations: createRequireLocations(db),
    leaveDeleted: createLeaveDeleted(db),
    findLastTurn: createFindLastTurn(db),
  };
  const startRun = createStartRun({ db, prepareRun: createPrepareRun(preparing), plans });
  return {
    startRun,
    startSource: createStartSource({ ...circles, db, requireApi: parts.requireApi, seal: parts.seal, startRun }),
    startPreparing: () => createPrepareScheduled({ ...circles, ...preparing, plans, log }),
    /** For runs that are not stored. */
    startPlanning: () => createPrepareScheduled({ ...circles, ...preparing, snapshots: forgetful, plans, log }),
  };
}
