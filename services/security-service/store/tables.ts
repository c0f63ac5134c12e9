import type { JWK } from "jose";
import type { Kysely } from "kysely";
import type { CredentialSettings, CredentialType } from "../domain/credential.ts";

export const schemaName = "security_service";

export interface SecurityTables {
  organizations: { id: string; kind: "individual" | "organization"; name: string; created_at: Date };
  users: {
    id: string;
    username: string;
    /** What usernames are compared by, see `usernameKey`. */
    username_key: string;
    email: string;
    full_name: string;
    password_hash: string;
    disabled_at: Date | null;
    created_at: Date;
  };
  memberships: { user_id: string; organization_id: string; roles: string[]; created_at: Date };
  sessions: {
    id: string;
    user_id: string;
    organization_id: string;
    user_agent: string;
    created_at: Date;
    last_used_at: Date;
    expires_at: Date;
    ended_at: Date | null;
    ended_because: "logout" | "ended_by_user" | "token_reused" | "user_disabled" | null;
  };
  refresh_tokens: { hash: string; session_id: string; created_at: Date; used_at: Date | null };
  login_tries: { key: string; tried_at: Date[] };
  /** Where an account was signed in from, as a hash of both. */
  known_places: { key: string; last_used_at: Date };
  signing_keys: {
    id: string;
    public_jwk: JWK;
    sealed_private_jwk: string;
    state: "active" | "retired";
    created_at: Date;
  };
  credentials: {
    id: string;
    organization_id: string;
    name: string;
    domain: string;
    type: CredentialType;
    settings: CredentialSettings;
    sealed_secret: string;
    created_at: Date;
    updated_at: Date;
  };
}

/** The service's view of the database: its own tables only. */
export type SecurityDatabase = Kysely<SecurityTables>;
