import type { Kysely, Transaction } from "kysely";
import type { NotificationState, UserNotification } from "#contracts/portal-service/notifications.ts";
import type { InboxTables } from "../../kit/events/inbox.ts";
import type { OpenDeed } from "../domain/operator-deed.ts";
import type { Template } from "../domain/standing-notifications.ts";
import type { SubscriptionState } from "../domain/subscription.ts";
import type { WebhookFault } from "../payment/provider.ts";
import type { MonthCountTables } from "./month-count-tables.ts";
import type { ReconciliationTables } from "./reconciliation-tables.ts";

export const schemaName = "portal_service";

export interface PortalTables extends InboxTables, MonthCountTables, ReconciliationTables {
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
    /** Free days before the first payment; 0 for none. */
    trial_days: number;
    /** Since when nobody new can subscribe to it; null while it is offered. */
    retired_at: Date | null;
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
    /** What else it is about, where its template alone does not say: each is told once. */
    about: string;
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
  /** A plan as the provider knows it: one for each price it ever had, with a trial of so many days or without. */
  provider_plans: {
    service_id: string;
    price_minor: number;
    price_currency: string;
    trial_days: number;
    /** Under which it is asked to be made, however often. */
    request_id: string;
    /** Null until the provider has made it. */
    provider_id: string | null;
    /** Since when new subscribers are asked for it; null: from the beginning. */
    offered_at: Date | null;
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
    /** When it was first seen active; null before. */
    began_at: Date | null;
    next_billing_at: Date | null;
    paid_until: Date | null;
    /** Of what it began with, 0 for none; when that ends, and when its subscriber was told so. */
    trial_days: number;
    trial_ends_at: Date | null;
    trial_told_at: Date | null;
    failed_payments: number;
    /** The plan that counts from `next_plan_at` on, approved already; null: none is planned. */
    next_service_id: string | null;
    next_price_minor: number | null;
    next_price_currency: string | null;
    next_plan_at: Date | null;
    /** How often the provider was asked, and which of its answers was the last to count. */
    asked: number;
    answered: number;
    hinted_at: Date | null;
    /** Somebody asked to cancel it: done at the provider as soon as it answers. */
    cancel_asked_at: Date | null;
    cancel_asked_by: string | null;
    /** When to ask by ourselves; null: not at all. */
    ask_at: Date | null;
    /** When the provider's last answer came; null before the first. */
    answered_at: Date | null;
    /** JSON of `Difference[]`: what that answer changed. */
    answer_differences: unknown;
    /** Why the installation's operator suspended it; null for one that nobody did. */
    held_because: string | null;
    /** What the operator does to it at the provider, until it is known how that ended; all null: nothing. */
    deed_state: OpenDeed["state"] | null;
    deed_because: string | null;
    deed_by: string | null;
    deed_ends_at: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  /** Another plan that somebody asked the provider for; of a subscription one waits at a time. */
  plan_changes: {
    /** The provider is asked under it, however often. */
    id: string;
    subscription_id: string;
    organization_id: string;
    user_id: string;
    service_id: string;
    price_minor: number;
    price_currency: string;
    state: "PENDING_APPROVAL" | "APPROVED" | "WITHDRAWN";
    /** Null until the provider has taken it. */
    provider_plan_id: string | null;
    /** Sealed: where its buyer approves it. */
    approve_url: string | null;
    /** As that of a subscription. */
    approval_hash: string | null;
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
  /** What went back of payments, as the provider told it. */
  refunds: {
    /** The provider's. */
    id: string;
    payment_id: string;
    organization_id: string;
    kind: "REFUND" | "REVERSAL";
    amount_minor: number;
    currency: string;
    refunded_at: Date;
  };
  /** Whom an organization's invoices are made out to. */
  billing_addresses: {
    organization_id: string;
    /** JSON, as `Address`. */
    address: unknown;
    updated_at: Date;
  };
  /** What the provider told, each once, and some of what others told in its name. */
  webhook_deliveries: {
    id: string;
    event_type: string;
    /** The provider's id of the subscription it concerns. */
    provider_id: string | null;
    /** Ours; null where it is none of ours. */
    subscription_id: string | null;
    times: number;
    received_at: Date;
    last_received_at: Date | null;
    /** Why it was refused; null for what the provider signed. */
    fault: WebhookFault | null;
    /** When the provider had answered the question that it led to. */
    answered_at: Date | null;
    /** JSON of `Difference[]`: what that answer changed. */
    differences: unknown;
  };
  /** How many were refused in an hour, also those of which nothing else is kept. */
  refused_deliveries: {
    hour: Date;
    fault: WebhookFault;
    count: number;
  };
  /** What each organization's plan was found to be. */
  organization_plans: {
    organization_id: string;
    operates: boolean;
    plan_id: string | null;
    /** JSON: as others were told. */
    standing: unknown;
    /** JSON: limits that are near. */
    near: unknown;
    settle_at: Date | null;
  };
  /** Members who may not sign in: they are not counted. */
  disabled_members: {
    organization_id: string;
    user_id: string;
  };
  monthly_executions: {
    organization_id: string;
    /** As in `2026-04`, in UTC. */
    month: string;
    executions: number;
  };
  /** The same by day, to be shown: no limit goes by it. */
  daily_executions: {
    organization_id: string;
    /** As in `2026-04-30`, in UTC. */
    day: string;
    executions: number;
  };
  /** When scheduled runs were skipped last, since a month's executions did not suffice. */
  skipped_runs: {
    organization_id: string;
    /** As in `2026-04`, in UTC. */
    month: string;
  };
}

/** The service's view of the database: its own tables only. */
export type PortalDatabase = Kysely<PortalTables>;
export type PortalTransaction = Transaction<PortalTables>;
