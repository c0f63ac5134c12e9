import type { Generated } from "kysely";
import type { CredentialType } from "#contracts/security-service/credential-types/settings.ts";
import type { ProofMethod } from "../domain/domain-proof.ts";
import type { UnsafeMethods } from "../domain/host-rules.ts";

export interface DomainTables {
  credentials: {
    id: string;
    organization_id: string;
    name: string;
    domain: string;
    type: CredentialType;
    /** JSON; read by `credentialSettings`. */
    settings: unknown;
    sealed_secret: string;
    secret_set_at: Date;
    created_at: Date;
    updated_at: Date;
    /** What the list is sorted by; set by a trigger, as `terms` are. */
    sort_name: Generated<string>;
    /** What it is found by, see `word-search.ts`; set by a trigger. */
    terms: Generated<string | null>;
  };
  /** Hosts that an organization gives credentials to, and may prove to be its own. */
  domains: {
    id: string;
    organization_id: string;
    name: string;
    description: string;
    method: ProofMethod;
    token: string;
    state: "unverified" | "verified";
    /** When the proof was found last. */
    proven_at: Date | null;
    checked_at: Date | null;
    /** See `ProofStanding`. */
    missed_checks: Generated<number>;
    failure: Generated<string | null>;
    unsafe_methods: Generated<UnsafeMethods>;
    /** Null while there is no proof to look for again. */
    next_check_at: Date | null;
    created_at: Date;
    updated_at: Date;
    /** What it is found by, see `word-search.ts`; set by a trigger. */
    terms: Generated<string | null>;
  };
  /** Which credential answers a security scheme at a domain. */
  authorization_configs: {
    id: string;
    organization_id: string;
    domain_id: string;
    scheme_name: string;
    credential_id: string;
    created_at: Date;
    updated_at: Date;
  };
}
