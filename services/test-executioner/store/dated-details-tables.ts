import type { Generated } from "kysely";

/** What both tables of details have. */
export interface DetailColumns {
  execution_id: string;
  organization_id: string;
  schema_version: number;
  attempts: string;
  verifications: string;
  /** Execution with the same response: `attempts` has the differences from it. */
  base_id: Generated<string | null>;
}

export interface DatedDetailsTables {
  /**
   * Details of organizations whose retention is known. Partitioned by its days, then by day of the execution's id, so that
   * retention drops a day as a whole.
   */
  dated_details: DetailColumns & { retention_days: number };
  /** Retentions by which details of an organization are stored; the current one is that of new rows. */
  retention_classes: {
    organization_id: string;
    retention_days: number;
    is_current: boolean;
  };
}
