import type { Generated } from "kysely";

export interface LocationTables {
  locations: {
    organization_id: string;
    id: string;
    name: string;
    description: string;
    version: number;
    created_at: Date;
    updated_at: Date;
    /** Since when it is reported that no agent calls. */
    reported_silent_at: Generated<Date | null>;
  };
  agents: {
    organization_id: string;
    id: string;
    location_id: string;
    name: string;
    /** Raw public keys in base64url: Ed25519 and X25519. */
    signing_key: string;
    sealing_key: string;
    version: string;
    /** As it reported last. */
    concurrency: Generated<number>;
    blocked: Generated<number>;
    waiting_results: Generated<number>;
    /** Results that were not accepted. */
    refused: Generated<number>;
    registered_at: Date;
    last_seen_at: Date | null;
    revoked_at: Date | null;
  };
  /** Codes that register an agent, each once. */
  agent_codes: {
    organization_id: string;
    /** SHA-256 in base64url. */
    code_hash: string;
    location_id: string;
    created_at: Date;
    expires_at: Date;
  };
  /** Ids of signed calls, so that none is accepted twice. */
  agent_calls: {
    organization_id: string;
    agent_id: string;
    call_id: string;
    expires_at: Date;
  };
  /** Due times that an agent starts if the portal is away then, with those that it has not reported. */
  agent_schedules: {
    organization_id: string;
    agent_id: string;
    schedule_id: string;
    /** When it was handed out: a change since then voids it. */
    schedule_version: number;
    schedule_name: string | null;
    test_circle_id: string;
    moments: Date[];
    handed_at: Date;
  };
}
