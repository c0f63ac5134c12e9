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
    /** JSON; read by `secretReference`. Null if the secret is stored; otherwise `sealed_secret` is that of nothing. */
    reference: unknown;
    created_at: Date;
    updated_at: Date;
    /** The sort key of the list; set by a trigger, like `terms`. */
    sort_name: Generated<string>;
    /** Search terms, see `word-search.ts`; set by a trigger. */
    terms: Generated<string | null>;
  };
  /** Hosts that an organization has credentials for, and may prove to own. */
  domains: {
    id: string;
    organization_id: string;
    name: string;
    description: string;
    method: ProofMethod;
    token: string;
    state: "unverified" | "verified";
    /** When the proof was last found. */
    proven_at: Date | null;
    checked_at: Date | null;
    /** See `ProofStanding`. */
    missed_checks: Generated<number>;
    failure: Generated<string | null>;
    unsafe_methods: Generated<UnsafeMethods>;
    /** Null while no proof has to be checked again. */
    next_check_at: Date | null;
    created_at: Date;
    updated_at: Date;
    /** Search terms, see `word-search.ts`; set by a trigger. */
    terms: Generated<string | null>;
  };
  /** The credential for a security scheme at a domain. */
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
