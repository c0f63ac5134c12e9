import { type Kysely, sql, type Transaction } from "kysely";
import type { ChannelKind } from "#contracts/test-analyzer/alert-channels.ts";
import type { AlertKind, DeliveryState } from "#contracts/test-analyzer/alert-deliveries.ts";
import type { AlertScope, Severity } from "#contracts/test-analyzer/alert-rules.ts";
import type { AlertTemplate } from "#contracts/test-analyzer/alert-templates.ts";
import type { EntryKind, IncidentTest } from "#contracts/test-analyzer/incidents.ts";
import type { MarkKind } from "#contracts/test-analyzer/marks.ts";
import type { ServiceLevelInput } from "#contracts/test-analyzer/service-levels.ts";
import type { UpdateKind } from "#contracts/test-analyzer/status-updates.ts";
import type { CodeTables } from "../../kit/code/code-tables.ts";
import type { InboxTables } from "../../kit/events/inbox.ts";

export const schemaName = "test_analyzer";

/** Idempotency keys of calls that created a mark or a channel, or rotated a channel's secret. */
export const keyTable = { schema: schemaName, column: "made_id" };

/** The visible settings of a channel; each kind uses only its own. */
export interface ChannelSettings {
  chatId?: string;
  template?: AlertTemplate;
  headerNames?: string[];
}

export interface AnalyzerTables extends InboxTables, CodeTables {
  alert_channels: {
    id: string;
    organization_id: string;
    name: string;
    kind: ChannelKind;
    enabled: boolean;
    /** Mail only. */
    member_ids: string[];
    addresses: string[];
    /** Webhooks only. */
    url: string | null;
    /** Slack and Teams: anyone with the address can post there. */
    sealed_url: string | null;
    host: string | null;
    /** PagerDuty's routing key, a bot's token, or a webhook's additional headers as JSON. */
    sealed_key: string | null;
    /** What else its kind needs. */
    settings: ChannelSettings;
    /** Webhooks: the current signing secret and, for a time, the previous one. */
    sealed_secret: string | null;
    secret_created_at: Date | null;
    sealed_previous_secret: string | null;
    previous_secret_created_at: Date | null;
    previous_secret_until: Date | null;
    version: number;
    created_at: Date;
    updated_at: Date;
  };
  /** Addresses outside of the organization, deleted with their last channel. */
  alert_addresses: {
    organization_id: string;
    /** The form in which addresses are compared. */
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
    /** Id of the API or circle; the organization's id for its own rule. */
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
    /** Percent. */
    objective: number;
    days: number;
    counts: ServiceLevelInput["counts"];
    /** Start of a fast burn of the budget. */
    burning_since: Date | null;
    /** JSON: the notified channels. */
    burn_told: unknown;
    /** When to check the burn rate; null until a run ends. */
    look_at: Date | null;
    version: number;
    created_at: Date;
    updated_at: Date;
  };
  status_pages: {
    organization_id: string;
    test_circle_id: string;
    /** Unique across organizations. */
    address: string;
    /** Whether the owner chose the address. */
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
  /** The circles of a page; none: the page's own. */
  status_page_components: {
    organization_id: string;
    /** The circle that the page belongs to. */
    page_circle_id: string;
    position: number;
    test_circle_id: string;
    /** Public. */
    name: string;
  };
  /** Open incidents as the updates of a page have reported them. */
  status_page_incidents: {
    organization_id: string;
    page_circle_id: string;
    incident_id: string;
    title: string;
    /** Of the page's circles. */
    circle_ids: string[];
  };
  /** What happened, as the page, its feed and its emails say it: the newest of each page. */
  status_page_updates: {
    id: string;
    organization_id: string;
    page_circle_id: string;
    at: Date;
    kind: UpdateKind;
    title: string;
    text: string;
  };
  /** Email addresses that receive the updates of a page; unconfirmed ones until their link ends. */
  status_subscribers: {
    id: string;
    organization_id: string;
    page_circle_id: string;
    /** The form in which addresses are compared. */
    address_key: string;
    address: string;
    /** Confirms, and unsubscribes. */
    token_hash: string;
    sealed_token: string;
    link_expires_at: Date;
    mailed_at: Date;
    confirmed_at: Date | null;
    created_at: Date;
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
    /** When it was last queued; null when never, or by a version without this column. */
    queued_at: Date | null;
    tried_at: Date | null;
    delivered_at: Date | null;
  };
  incidents: {
    id: string;
    organization_id: string;
    /** Fingerprint of the cause: unique among unresolved incidents. */
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
    /** Null when a user or a deletion resolved it, or a version without this column. */
    resolved_run_id: string | null;
    resolved_api_id: string | null;
    /** JSON; read by `lastFailure`: the newest failure with this cause; null for a document. */
    failure: unknown;
    /** Of a document. */
    reason: string | null;
    api_id: string;
  };
  /** Tests that failed with an incident's cause, each in its circle and environment. */
  incident_tests: TestKey & {
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
    /** The last run in which it passed; counts while it is newer than the failing run. */
    passed_at: Date | null;
    passed_run_id: string | null;
    passed_by_hand: boolean | null;
  };
  /** Channels notified of an incident, and their settings for further messages. */
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
  /** Changes over time, for trends. */
  marks: {
    id: string;
    organization_id: string;
    kind: MarkKind;
    /** Name of a deployment, version of a document, or name of a test. */
    name: string;
    at: Date;
    /** Null when it concerns all APIs. */
    api_id: string | null;
    api_name: string | null;
    test_id: string | null;
    url: string | null;
    /** The user who reported it; null when the portal observed it. */
    created_by: string | null;
  };
  /** Tests that failed recently, with their watch state. */
  watched_tests: TestKey & {
    api_id: string;
    /** JSON; read by `describedTest`. */
    described: unknown;
    /** The run whose result was judged last. */
    judged_up_to: string;
    failures: number;
    since: Date | null;
    is_unsteady: boolean;
    incident_id: string | null;
    /** JSON; read by `lastFailure`. */
    failure: unknown;
    updated_at: Date;
  };
  /** The last certificate of each tested host. */
  certificates: {
    id: string;
    organization_id: string;
    host: string;
    /** API of the test that met it last. */
    api_id: string;
    valid_to: Date;
    subject: string;
    issuer: string;
    seen_at: Date;
    /** The last warning: days before its `warned_valid_to`. It does not apply to another certificate. */
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
    /** API of one of the run's tests. */
    api_id: string | null;
  };
}

/** One test in one circle and environment: results from elsewhere do not count. */
export interface TestKey {
  organization_id: string;
  test_id: string;
  /** `noCircle` for runs outside of circles. */
  test_circle_id: string;
  /** Name or base URL; empty for the API's default. */
  environment: string;
}

export const noCircle = "00000000-0000-0000-0000-000000000000";

export type AnalyzerDatabase = Kysely<AnalyzerTables>;
export type AnalyzerTransaction = Transaction<AnalyzerTables>;

/** For raw SQL, which does not use the service's schema by default. */
export const table = (name: keyof AnalyzerTables) => sql.id(schemaName, name);
