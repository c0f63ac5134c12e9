import type { Generated } from "kysely";
import type { ExplorationSummary } from "#contracts/test-executioner/explorations.ts";
import type { RunTrigger } from "#contracts/test-executioner/verdicts.ts";

export interface ExplorationTables {
  explorations: {
    organization_id: string;
    /** UUIDv7: sorts by start. */
    id: string;
    api_id: string;
    /** JSON; read by `parseInput`. */
    input: string;
    trigger: RunTrigger;
    state: ExplorationSummary["state"];
    /** Cancelled by a user while it was running. */
    is_cancelled: Generated<boolean>;
    ending: ExplorationSummary["ending"];
    message: string | null;
    requests: Generated<number>;
    operations: Generated<number>;
    findings: Generated<number>;
    /** JSON; read by `parseExplored`. */
    explored: Generated<string>;
    /** Incremented whenever a process claims it. */
    fencing_token: Generated<number>;
    /** A running one past this time has lost its process. */
    leased_until: Date | null;
    created_at: Date;
    started_at: Date | null;
    finished_at: Date | null;
  };
  /** The causes that an exploration found, each once. */
  exploration_findings: {
    organization_id: string;
    exploration_id: string;
    api_id: string;
    key: string;
    /** From 1, in the order in which they were found. */
    number: number;
    /** JSON; read by `listFindings`. */
    finding: string;
    found_at: Date;
  };
}
