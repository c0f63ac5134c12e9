import type { Generated, GeneratedAlways, Kysely, Transaction } from "kysely";
import type { CircleMember, CirclePhase, MemberEffect } from "#contracts/test-registry/circle-members.ts";
import type { Circle } from "#contracts/test-registry/circles.ts";
import type { Schedule } from "#contracts/test-registry/schedules.ts";
import type { CodeTables } from "../../kit/code/code-tables.ts";
import type { InboxTables } from "../../kit/events/inbox.ts";

export const schemaName = "test_registry";

/** Idempotency keys of calls that created a test, a circle, a schedule or a maintenance window, or imported. */
export const keyTable = { schema: schemaName, column: "test_id" };

export interface TestTables extends InboxTables, CodeTables {
  /** Applications of files to an organization. */
  code_operations: {
    id: string;
    organization_id: string;
    state: "applying" | "deleting" | "undoing" | "applied" | "undone";
    /** Steps of the state that are done. */
    steps_done: number;
    /** Failures of the step that is next. */
    tries: number;
    /** JSON of the parts' changes; null once it has ended, as are its secrets. */
    work: unknown;
    /** JSON by name. */
    sealed_secrets: string | null;
    /** JSON, as are `done`, `problem` and `started_by`. */
    counts: unknown;
    done: unknown;
    problem: unknown;
    repository: string;
    commit: string;
    started_by: string;
    started_at: Date;
    ended_at: Date | null;
    /** Only the process that claimed it works on it until then. */
    claimed_until: Date | null;
  };
  tests: {
    id: string;
    organization_id: string;
    api_id: string;
    name: string;
    /** Sort key of lists, set by a trigger. */
    name_key: Generated<string>;
    method: string;
    path: string;
    enabled: boolean;
    /** JSON; read with the definition. */
    tags: unknown;
    /** JSON; read by `parseDefinition`. */
    definition: unknown;
    definition_version: number;
    /** Ids of credentials in `definition`. */
    named_credentials: GeneratedAlways<string[]>;
    named_files: GeneratedAlways<string[]>;
    /** Variables that it references and does not give itself. */
    asked_names: GeneratedAlways<string[]>;
    /** Variables that it gives to later members of its run. */
    captured_names: GeneratedAlways<string[]>;
    /** The document with which its operation moved last; its other events of moves leave the test where it is. */
    moved_by: Generated<string | null>;
    version: number;
    created_at: Date;
    updated_at: Date;
  };
  /** Drafts of tests. */
  test_proposals: {
    id: string;
    organization_id: string;
    api_id: string;
    /** The test to change, and the version that the draft was made for; null for a new test. */
    test_id: string | null;
    test_version: number | null;
    /** JSON, as are `findings` and `proposed_by`; read by `readProposal`. */
    test: unknown;
    definition_version: number;
    reason: string;
    findings: unknown;
    state: "open" | "accepted" | "rejected";
    proposed_by: unknown;
    created_at: Date;
    decided_by: string | null;
    decided_at: Date | null;
    accepted_test_id: string | null;
  };
  imports: {
    id: string;
    organization_id: string;
    /** Of a preview: encrypted. */
    files: string | null;
    /** JSON: what an import returned. */
    result: unknown;
    expires_at: Date;
  };
  /** Imports under way. */
  import_attempts: {
    id: string;
    organization_id: string;
    /**
     * `undoing`: it failed, or its process ended. `undone`: that of a process that ended, which is undone once more in case
     * it was only suspended. `made`: stored, and what its undoing would need is to be forgotten.
     */
    state: "making" | "made" | "undoing" | "undone";
    /** Drawn before they are stored. */
    credential_ids: string[];
    /** Only the process that claimed it works on it until then. */
    claimed_until: Date;
  };
  imported_objects: {
    organization_id: string;
    api_id: string;
    /** Format and name. */
    collection: string;
    kind: "api" | "test" | "circle" | "credential" | "environment";
    /** Within the collection. */
    source_key: string;
    object_id: string;
    source_hash: string;
    object_version: number | null;
    sealed_secret: string | null;
  };
  test_circles: {
    id: string;
    organization_id: string;
    name: string;
    /** Sort key of lists, set by a trigger. */
    name_key: Generated<string>;
    description: string;
    execution_order: Circle["order"];
    concurrency: number;
    stop_on_failure: boolean;
    keeps_cookies: Generated<boolean>;
    /** Whether members may change only what the same run made. */
    only_own: Generated<boolean>;
    /** Where its runs are sent from; null: as the environments of its APIs say. */
    location_id: string | null;
    /** JSON of several places that its runs are sent from; null: one. */
    places: Generated<unknown>;
    /** JSON; read by `parseCircleSettings`. */
    environments: unknown;
    variables: unknown;
    settings_version: Generated<number>;
    version: number;
    created_at: Date;
    updated_at: Date;
  };
  /** What requests of tests send. */
  test_files: {
    organization_id: string;
    /** In hex. */
    sha256: string;
    bytes: Uint8Array;
    size: number;
    /** When it was stored, or last seen in a test. */
    used_at: Date;
  };
  test_circle_members: {
    circle_id: string;
    organization_id: string;
    /** From 0; deleted tests leave gaps. */
    position: number;
    kind: CircleMember["kind"];
    phase: CirclePhase;
    /** None for a selection. */
    test_id: string | null;
    /** The test's API, or the selection's. */
    api_id: string;
    tag: string | null;
    include: "safe" | "all" | null;
    /** Of a named test. */
    effect: MemberEffect | null;
  };
  schedules: {
    id: string;
    organization_id: string;
    circle_id: string;
    name: string | null;
    cron: string | null;
    every_seconds: number | null;
    time_zone: string;
    /** JSON; read by `recurrenceOfRow`. */
    active_hours: unknown;
    is_spread: boolean;
    spread_seconds: number;
    enabled: boolean;
    overlap: Schedule["overlap"];
    catch_up: Schedule["catchUp"];
    version: number;
    /** The first of its times without a record; null while it is paused. */
    next_at: Date | null;
    /** Incremented by every lease; writes under an earlier one are refused. */
    claims: Generated<number>;
    claimed_until: Date | null;
    created_at: Date;
    updated_at: Date;
  };
  /** One per user. */
  calendars: {
    user_id: string;
    organization_id: string;
    token_hash: string;
    created_at: Date;
  };
  maintenance_windows: {
    id: string;
    organization_id: string;
    name: string;
    api_id: string | null;
    circle_id: string | null;
    /** JSON; read by `readWindow`. */
    times: unknown;
    version: number;
    created_at: Date;
    updated_at: Date;
  };
}

export type TestDatabase = Kysely<TestTables>;
export type TestTransaction = Transaction<TestTables>;
