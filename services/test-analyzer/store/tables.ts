import { type Kysely, sql, type Transaction } from "kysely";
import type { ChannelKind } from "#contracts/test-analyzer/alert-channels.ts";
import type { AlertKind, DeliveryState } from "#contracts/test-analyzer/alert-deliveries.ts";
import type { AlertScope, Severity } from "#contracts/test-analyzer/alert-rules.ts";
import type { EntryKind, IncidentTest } from "#contracts/test-analyzer/incidents.ts";
import type { MarkKind } from "#contracts/test-analyzer/marks.ts";
import type { ServiceLevelInput } from "#contracts/test-analyzer/service-levels.ts";
import type { InboxTables } from "../../kit/events/inbox.ts";

export const schemaName = "test_analyzer";

/** Keys of calls that made a mark or a channel, or changed a channel's secret. */
export const keyTable = { schema: schemaName, column: "made_id" };

export interface AnalyzerTables extends InboxTables {
  alert_channels: {
    id: string;
    organization_id: string;
    name: string;
    kind: ChannelKind;
    enabled: boolean;
    /** Of mail. */
    member_ids: string[];
    addresses: string[];
    /** Of a webhook. */
    url: string | null;
    /** Of Slack and Teams: whoever knows the address may write there. */
    sealed_url: string | null;
    host: string | null;
    /** Of a webhook: what its deliveries are signed with, and what they were signed with until lately. */
    sealed_secret: string | null;
    secret_created_at: Date | null;
    sealed_previous_secret: string | null;
    previous_secret_created_at: Date | null;
    previous_secret_until: Date | null;
    version: number;
    created_at: Date;
    updated_at: Date;
  };
  /** Addresses outside of the organization, as long as a channel has them. */
  alert_addresses: {
    organization_id: string;
    /** What addresses are compared by. */
    address_key: string;
    address: string;
    token_hash: string;
    link_expires_at: Date;
    mailed_at: Date;
    confirmed_at: Date | null;
  };
  alert_rules: {
    id: string;
    organization_id: string;
    scope_kind: AlertScope["kind"];
    /** Of the API or the circle; the organization's own for its rule. */
    scope_id: string;
    /** JSON; read by `alertPolicy`. */
    policy: unknown;
    channel_ids: string[];
    version: number;
    created_at: Date;
    updated_at: Date;
  };
  service_levels: {
    organization_id: string;
    test_circle_id: string;
    /** Per cent. */
    objective: number;
    days: number;
    counts: ServiceLevelInput["counts"];
    /** Since when its budget burns fast. */
    burning_since: Date | null;
    /** JSON: who was told of it. */
    burn_told: unknown;
    /** When to look how fast it burns; null until something runs. */
    look_at: Date | null;
    version: number;
    created_at: Date;
    updated_at: Date;
  };
  status_pages: {
    organization_id: string;
    test_circle_id: string;
    /** Among all organizations'. */
    address: string;
    /** Its owner chose the address. */
    is_named: boolean;
    title: string;
    text: string;
    message: string;
    message_at: Date | null;
    shows_incidents: boolean;
    version: number;
    created_at: Date;
    updated_at: Date;
  };
  alert_deliveries: {
    id: string;
    organization_id: string;
    channel_id: string;
    kind: AlertKind;
    title: string;
    /** JSON; read by `alertMessage`. */
    message: unknown;
    incident_ids: string[];
    state: DeliveryState;
    not_before: Date | null;
    tries: number;
    status: number | null;
    detail: string | null;
    created_at: Date;
    /** When it was last given to the queue; null: never, or by a version that did not tell. */
    queued_at: Date | null;
    tried_at: Date | null;
    delivered_at: Date | null;
  };
  incidents: {
    id: string;
    organization_id: string;
    /** Of its cause: only one that is not resolved has it. */
    fingerprint: string;
    /** JSON; read by `incidentCause`. */
    cause: unknown;
    title: string;
    is_unsteady: boolean;
    severity: Severity;
    since: Date;
    opened_at: Date;
    acknowledged_at: Date | null;
    acknowledged_by: string | null;
    acknowledged_name: string | null;
    muted_until: Date | null;
    resolved_at: Date | null;
    resolved_by: string | null;
    resolved_name: string | null;
    /** JSON; read by `lastFailure`: the newest by it. */
    failure: unknown;
    api_id: string;
  };
  /** Tests that failed by an incident's cause, each in the circle and environment it failed in. */
  incident_tests: TestPlace & {
    incident_id: string;
    /** JSON; read by `describedTest`. */
    described: unknown;
    api_id: string;
    test_name: string;
    state: IncidentTest["state"];
    since: Date;
    reason: string | null;
    run_id: string;
    execution_id: string;
  };
  /** Who was told of an incident, and how they are told of what comes. */
  incident_channels: {
    incident_id: string;
    channel_id: string;
    organization_id: string;
    delivery_id: string;
    tells_recovery: boolean;
    /** JSON; read by `quietHours`. */
    quiet_hours: unknown;
    remind_hours: number | null;
    remind_at: Date | null;
  };
  /** What changed and when, for trends. */
  marks: {
    id: string;
    organization_id: string;
    kind: MarkKind;
    /** Of a deployment; the document's version; the test's name. */
    name: string;
    at: Date;
    /** Null: it concerns all APIs. */
    api_id: string | null;
    api_name: string | null;
    test_id: string | null;
    url: string | null;
    /** Who told of it; null where the portal saw it. */
    created_by: string | null;
  };
  /** Tests that failed lately: how they fare, and what was judged. */
  watched_tests: TestPlace & {
    api_id: string;
    /** JSON; read by `describedTest`. */
    described: unknown;
    /** Run whose result was judged last. */
    judged_up_to: string;
    failures: number;
    since: Date | null;
    is_unsteady: boolean;
    incident_id: string | null;
    /** JSON; read by `lastFailure`. */
    failure: unknown;
    updated_at: Date;
  };
  /** What a tested host proved itself by last. */
  certificates: {
    id: string;
    organization_id: string;
    host: string;
    /** Of the test that met it last. */
    api_id: string;
    valid_to: Date;
    subject: string;
    issuer: string;
    seen_at: Date;
    /** The last warning: how many days before which end. Of another certificate it says nothing. */
    warned_days: number | null;
    warned_valid_to: Date | null;
    /** When the next warning is due. */
    warn_at: Date | null;
  };
  incident_entries: {
    id: string;
    organization_id: string;
    incident_id: string;
    at: Date;
    kind: EntryKind;
    text: string;
    lasts_until: Date | null;
    actor_id: string | null;
    actor_name: string | null;
    run_id: string | null;
    /** Of one of the run's tests. */
    api_id: string | null;
  };
}

/** One test as it is run in one place: results from elsewhere say nothing of it. */
export interface TestPlace {
  organization_id: string;
  test_id: string;
  /** `noCircle` for what is run outside of circles. */
  test_circle_id: string;
  /** Name or base URL; empty for the API's own. */
  environment: string;
}

export const noCircle = "00000000-0000-0000-0000-000000000000";

export type AnalyzerDatabase = Kysely<AnalyzerTables>;
export type AnalyzerTransaction = Transaction<AnalyzerTables>;

/** For statements written by hand, which do not resolve to the service's schema by themselves. */
export const table = (name: keyof AnalyzerTables) => sql.id(schemaName, name);
