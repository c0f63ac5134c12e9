import type { Kysely } from "kysely";
import type { InboxTables } from "../../kit/events/inbox.ts";
import type { NotificationState, UserNotification } from "../contract/notifications.ts";
import type { Template } from "../domain/standing-notifications.ts";
import type { SubscriptionState } from "../domain/subscription.ts";

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
  /** A plan as the provider knows it: one for each price it ever had. */
  provider_plans: {
    service_id: string;
    price_minor: number;
    price_currency: string;
    /** Under which it is asked to be made, however often. */
    request_id: string;
    /** Null until the provider has made it. */
    provider_id: string | null;
  };
  subscriptions: {
    id: string;
    organization_id: string;
    /** Who subscribed. */
    user_id: string;
    service_id: string;
    /** What it costs a month, as it was when it was subscribed to. */
    price_minor: number;
    price_currency: string;
    state: SubscriptionState;
    state_changed_at: Date;
    /** Null until the provider has made it; asked for under `id`. */
    provider_id: string | null;
    /** The plan that the provider was asked for; null until it is known. */
    provider_plan_id: string | null;
    /** Sealed: where its buyer approves it, or the change to another plan. */
    approve_url: string | null;
    /** SHA-256 of the token in that address, by which somebody who comes back without an id is recognized. */
    approval_hash: string | null;
    superseded: boolean;
    next_billing_at: Date | null;
    paid_until: Date | null;
    failed_payments: number;
    /** How often the provider was asked, and which of its answers was the last to count. */
    asked: number;
    answered: number;
    hinted_at: Date | null;
    /** When to ask by ourselves; null: not at all. */
    ask_at: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  subscription_entries: {
    id: string;
    subscription_id: string;
    organization_id: string;
    at: Date;
    state: SubscriptionState;
    text: string;
    /** Null where nobody did it. */
    user_id: string | null;
  };
  payments: {
    /** The provider's. */
    id: string;
    subscription_id: string;
    organization_id: string;
    service_id: string;
    amount_minor: number;
    currency: string;
    state: "COMPLETED" | "DECLINED" | "PENDING" | "REFUNDED" | "PARTIALLY_REFUNDED";
    paid_at: Date;
  };
  /** What the provider told, each once. */
  webhook_deliveries: {
    id: string;
    event_type: string;
    /** The provider's id of the subscription it concerns. */
    provider_id: string | null;
    /** Ours; null where it is none of ours. */
    subscription_id: string | null;
    times: number;
    received_at: Date;
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
