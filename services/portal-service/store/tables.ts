import type { Kysely, Transaction } from "kysely";
import type { NotificationState, UserNotification } from "#contracts/portal-service/notifications.ts";
import type { InboxTables } from "../../kit/events/inbox.ts";
import type { OpenAction } from "../domain/operator-action.ts";
import type { SubscriptionState } from "../domain/subscription.ts";
import type { Template } from "../domain/welcome-notifications.ts";
import type { WebhookRejection } from "../payment/provider.ts";
import type { MonthCountTables } from "./month-count-tables.ts";
import type { ReconciliationTables } from "./reconciliation-tables.ts";

export const schemaName = "portal_service";

export interface PortalTables extends InboxTables, MonthCountTables, ReconciliationTables {
  services: {
    id: string;
    name: string;
    description: string;
    /** numeric(12,2); read as text, since a float can't represent a price exactly. */
    price_amount: string;
    price_currency: string;
    price_interval: "month";
    /** JSON; read by `planLimits`. */
    limits: unknown;
    /** Free days before the first payment; 0 for none. */
    trial_days: number;
    /** Since when it is closed to new subscribers; null while it is offered. */
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
    /** The subject, when the template alone does not identify it: one notification per subject. */
    about: string;
    /** When a skipped one is new again; null for never. */
    returns_at: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  /** An organization's usage at this moment. */
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
  /** A plan at the provider: one for each price it ever had, with or without a trial of so many days. */
  provider_plans: {
    service_id: string;
    price_minor: number;
    price_currency: string;
    trial_days: number;
    /** The request id for creating it, the same for every try. */
    request_id: string;
    /** Null until the provider has created it. */
    provider_id: string | null;
    /** Since when it is the price for new subscribers; null for from the beginning. */
    offered_at: Date | null;
  };
  subscriptions: {
    id: string;
    organization_id: string;
    /** The subscriber. */
    user_id: string;
    service_id: string;
    /** Monthly price at the time of subscribing. */
    price_minor: number;
    price_currency: string;
    state: SubscriptionState;
    state_changed_at: Date;
    /** Null until the provider has created it; requested under `id`. */
    provider_id: string | null;
    /** The plan requested from the provider; null until known. */
    provider_plan_id: string | null;
    /** Sealed: the approval address, for it or for a change to another plan. */
    approve_url: string | null;
    /** SHA-256 of the token in that address, which identifies a return without an id. */
    approval_hash: string | null;
    superseded: boolean;
    /** When it was first seen active; null before. */
    began_at: Date | null;
    next_billing_at: Date | null;
    paid_until: Date | null;
    /** Trial days at its start, 0 for none; the trial's end, and when its subscriber was notified of it. */
    trial_days: number;
    trial_ends_at: Date | null;
    trial_told_at: Date | null;
    failed_payments: number;
    /** The approved plan that takes effect at `next_plan_at`; null when none is planned. */
    next_service_id: string | null;
    next_price_minor: number | null;
    next_price_currency: string | null;
    next_plan_at: Date | null;
    /** The number of calls to the provider, and the last one whose response was applied. */
    asked: number;
    answered: number;
    hinted_at: Date | null;
    /** Its cancellation was requested: sent to the provider as soon as it responds. */
    cancel_asked_at: Date | null;
    cancel_asked_by: string | null;
    /** When to check it next; null for never. */
    ask_at: Date | null;
    /** When the provider's last response arrived; null before the first. */
    answered_at: Date | null;
    /** JSON of `Difference[]`: the changes made by that response. */
    answer_differences: unknown;
    /** The operator's reason for suspending it; null for any other subscription. */
    held_because: string | null;
    /** The operator's action in progress at the provider, until its result is known; all null for none. */
    deed_state: OpenAction["state"] | null;
    deed_because: string | null;
    deed_by: string | null;
    deed_ends_at: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  /** A requested change to another plan; a subscription has one pending at a time. */
  plan_changes: {
    /** The request id at the provider, the same for every try. */
    id: string;
    subscription_id: string;
    organization_id: string;
    user_id: string;
    service_id: string;
    price_minor: number;
    price_currency: string;
    state: "PENDING_APPROVAL" | "APPROVED" | "WITHDRAWN";
    /** Null until the provider has accepted it. */
    provider_plan_id: string | null;
    /** Sealed: its approval address. */
    approve_url: string | null;
    /** As for a subscription. */
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
    /** Null without an actor. */
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
  /** Refunds of payments, as reported by the provider. */
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
  /** The invoice address of an organization. */
  billing_addresses: {
    organization_id: string;
    /** JSON, as `Address`. */
    address: unknown;
    updated_at: Date;
  };
  /** Deliveries from the provider, each once, and some of those forged in its name. */
  webhook_deliveries: {
    id: string;
    event_type: string;
    /** The provider's id of its subscription. */
    provider_id: string | null;
    /** Ours; null for an unknown one. */
    subscription_id: string | null;
    times: number;
    received_at: Date;
    last_received_at: Date | null;
    /** Why it was refused; null for one that the provider signed. */
    fault: WebhookRejection | null;
    /** When the provider had responded to the call it led to. */
    answered_at: Date | null;
    /** JSON of `Difference[]`: the changes made by that response. */
    differences: unknown;
  };
  /** Refused deliveries per hour, including those not stored individually. */
  refused_deliveries: {
    hour: Date;
    fault: WebhookRejection;
    count: number;
  };
  /** Each organization's plan. */
  organization_plans: {
    organization_id: string;
    operates: boolean;
    plan_id: string | null;
    /** JSON: as last sent to other services. */
    standing: unknown;
    /** JSON: the limits that are near. */
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
    /** e.g. `2026-04`, in UTC. */
    month: string;
    executions: number;
  };
  /** The same by day, for display: no limit uses it. */
  daily_executions: {
    organization_id: string;
    /** e.g. `2026-04-30`, in UTC. */
    day: string;
    executions: number;
  };
  /** When scheduled runs were last skipped because the month's executions were used up. */
  skipped_runs: {
    organization_id: string;
    /** e.g. `2026-04`, in UTC. */
    month: string;
  };
}

/** The service's view of the database: its own tables only. */
export type PortalDatabase = Kysely<PortalTables>;
export type PortalTransaction = Transaction<PortalTables>;
