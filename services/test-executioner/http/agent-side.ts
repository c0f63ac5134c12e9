import type { Logger } from "pino";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Database } from "../../kit/database/database.ts";
import type { Offers } from "../../kit/nats/offers.ts";
import type { RunParts } from "../jobs/execution-run.ts";
import { createLocationReports, type LocationReportParts } from "../jobs/location-reports.ts";
import type { WriteResult } from "../jobs/result-writer.ts";
import { watchSilentLocations } from "../jobs/silent-locations.ts";
import type { Snapshots } from "../jobs/snapshots.ts";
import { workChannel } from "../store/changes.ts";
import type { PublishFinished } from "../store/finished-runs.ts";
import type { ExecutionDatabase } from "../store/tables.ts";
import { createIdentifyAgent } from "./agent-identity.ts";
import { type AgentPlanParts, createAgentPlanHandlers } from "./agent-plans.ts";
import { createAgentWorkHandlers } from "./agent-work.ts";
import { createAgentHandlers } from "./agents.ts";
import { createFindAffectedCircles, createLocationDeletionHandlers } from "./location-deletions.ts";
import { createLocationHandlers } from "./locations.ts";
import { createWaitForWork } from "./waiting-for-work.ts";

export interface AgentSideParts {
  database: Database;
  db: ExecutionDatabase;
  clock: Clock;
  log: Logger;
  version: string;
  /** Whether this process ends what waits at silent locations. */
  work: boolean;
  running: RunParts;
  /** For agents: secrets in an agent's environment stay references. */
  openCredentials: RunParts["openCredentials"];
  /** Those of Vault, too, for agents that read it themselves. */
  openForVaults: RunParts["openCredentials"];
  snapshots: Snapshots;
  writeResult: WriteResult;
  publishFinished: PublishFinished;
  offers: Offers | undefined;
  reporting: Omit<LocationReportParts, "db" | "clock">;
  starting: Pick<AgentPlanParts, "startPlanning" | "startPreparing">;
}

/** Locations, their agents, and the work that agents take and report. */
export async function createAgentSide(parts: AgentSideParts) {
  const { database, db, clock, version, running, openCredentials, writeResult, publishFinished } = parts;
  const waitForWork = createWaitForWork(parts.offers);
  const handing = { ...running, openCredentials, openForVaults: parts.openForVaults };
  const stopListening = await database.subscribe(workChannel, (payload) => {
    // Otherwise an offer wakes one call in one of the processes.
    if (!parts.offers?.isConnected || !payload) waitForWork.wake();
  });
  const reports = createLocationReports({ ...parts.reporting, db, clock });
  const stopWatching = parts.work ? watchSilentLocations({ ...parts, reports }) : undefined;
  const findAffected = createFindAffectedCircles({ ...parts.reporting, db });
  return {
    handlers: {
      ...createLocationHandlers({ db, clock, publishFinished, reports, findAffected }),
      ...createLocationDeletionHandlers({ db, clock, findAffected }),
      ...createAgentHandlers({ db, clock, version }),
      ...createAgentPlanHandlers({ ...parts.reporting, ...parts.starting, db, version, handing }),
      ...createAgentWorkHandlers({
        ...{ db, snapshots: parts.snapshots, waitForWork, version, handing },
        taking: { ...running, db, publishFinished, writeResult },
      }),
    },
    identifyAgent: createIdentifyAgent({ db, clock }),
    async stop() {
      waitForWork.stop();
      stopListening();
      await stopWatching?.();
    },
  };
}
