import type { Kysely } from "kysely";
import type { InboxTables } from "../../kit/events/inbox.ts";
import type { NotificationState, UserNotification } from "../contract/notifications.ts";
import type { Template } from "../domain/standing-notifications.ts";

export const schemaName = "portal_service";

export interface PortalTables extends InboxTables {
  services: {
    id: string;
    name: string;
    description: string;
    /** numeric(12,2); read as text, since a float is no price. */
    price_amount: string;
    price_currency: string;
    price_interval: "month";
    /** JSON; read by `planLimits`. */
    limits: unknown;
  };
  notifications: {
    id: string;
    organization_id: string;
    user_id: string;
    template: Template;
    type: UserNotification["type"];
    state: NotificationState;
    priority: number;
    summary: string;
    description: string;
    action: string | null;
    subscription_id: string | null;
    /** When a skipped one is new again; null when never. */
    returns_at: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  /** What an organization has at this moment. */
  usage_counts: {
    organization_id: string;
    subject: "apis" | "tests" | "members";
    used: number;
  };
  /** Forms whose sender has to sign in again, sealed by the portal. */
  kept_forms: {
    id: string;
    user_id: string;
    sealed: string;
    ends_at: Date;
  };
  monthly_executions: {
    organization_id: string;
    /** As in `2026-04`, in UTC. */
    month: string;
    executions: number;
  };
}

/** The service's view of the database: its own tables only. */
export type PortalDatabase = Kysely<PortalTables>;
