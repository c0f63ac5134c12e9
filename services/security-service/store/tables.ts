import type { Generated, Kysely, Transaction } from "kysely";
import type { Scope } from "#contracts/kit/endpoint.ts";
import type { InvitationEventKind, InvitationStatus, OrganizationRole } from "../domain/invitation.ts";
import type { LinkPurpose } from "../domain/mailed-link.ts";
import type { DomainTables } from "./domain-tables.ts";
import type { SingleSignOnTables } from "./single-sign-on-tables.ts";

export const schemaName = "security_service";

export interface SecurityTables extends DomainTables, SingleSignOnTables {
  /** An organization's HashiCorp Vault. */
  vault_connections: {
    organization_id: string;
    address: string;
    namespace: string;
    mount: string;
    authentication: "token" | "appRole";
    role_id: string;
    /** The token or secret id. */
    sealed_secret: string;
    updated_at: Date;
  };
  /** Where tests send a trace context; without a row, the defaults apply. */
  tracing_settings: {
    organization_id: string;
    verified_domains: boolean;
    hosts: string[];
    link_template: string;
    updated_at: Date;
  };
  organizations: {
    id: string;
    kind: "individual" | "organization";
    name: string;
    /** The plan requested at registration. */
    service_id: Generated<string | null>;
    /** Members without a second factor can only set one up. */
    requires_second_factor: Generated<boolean>;
    created_at: Date;
  };
  users: {
    id: string;
    username: string;
    /** The normalized username, see `usernameKey`. */
    username_key: string;
    email: string;
    /** The normalized address, see `emailKey`; empty for none. */
    email_key: Generated<string>;
    full_name: string;
    /** Empty for none: its owner signs in with their organization's OpenID provider. */
    password_hash: string;
    /** IANA name such as `Europe/Berlin`; null: the browser's. */
    time_zone: Generated<string | null>;
    disabled_at: Date | null;
    created_at: Date;
  };
  memberships: {
    user_id: string;
    organization_id: string;
    /** Copied from `users`, so that one index serves an organization's list by name. */
    username_key: string;
    roles: string[];
    created_at: Date;
    /** Search terms, see `word-search.ts`; set by a trigger. */
    terms: Generated<string | null>;
  };
  sessions: {
    id: string;
    user_id: string;
    organization_id: string;
    user_agent: string;
    created_at: Date;
    last_used_at: Date;
    expires_at: Date;
    /** The organization's OpenID provider asked for a second factor. */
    factor_at_provider: Generated<boolean>;
    /** When its owner last signed in at that provider; null when it began with a password. */
    signed_on_at: Generated<Date | null>;
    ended_at: Date | null;
    ended_because:
      | "logout"
      | "ended_by_user"
      | "token_reused"
      | "user_disabled"
      | "ended_by_administrator"
      | "password_reset"
      | "password_changed"
      | "single_sign_on_required"
      | null;
  };
  /** API tokens: programs use them to act as their owner. */
  api_tokens: {
    id: string;
    user_id: string;
    organization_id: string;
    name: string;
    token_hash: string;
    /** The last characters of the token, by which its owner recognizes it. */
    ending: string;
    scopes: Scope[];
    created_at: Date;
    expires_at: Date;
    last_used_at: Date | null;
    ended_at: Date | null;
    /** The last two are written by triggers. */
    ended_because: "revoked" | "roles_changed" | "user_disabled" | null;
  };
  /** The secret of a user's authenticator app; required at sign-in once confirmed. */
  second_factors: {
    user_id: string;
    sealed_secret: string;
    created_at: Date;
    confirmed_at: Date | null;
    /** The newest time step whose code was used. */
    last_step: number | null;
  };
  /** Unused codes only. */
  recovery_codes: { user_id: string; hash: string };
  /** Public keys of authenticators, the second factor after the password. */
  passkeys: {
    id: string;
    user_id: string;
    /** Base64url, like the public key (COSE). */
    credential_id: string;
    public_key: string;
    /** The authenticator's last counter; always 0 if it does not count. */
    sign_count: number;
    transports: string[];
    name: string;
    created_at: Date;
    last_used_at: Date | null;
  };
  /** Challenges issued to a browser for a sign-in or for adding a passkey. */
  passkey_challenges: { hash: string; user_id: string; sign_in_hash: string | null; expires_at: Date };
  /** Sign-ins waiting for the second factor. */
  sign_in_challenges: {
    hash: string;
    user_id: string;
    user_agent: string;
    expires_at: Date;
    /** When a sign-in at the organization's OpenID provider took place; null: with a password. */
    signed_on_at: Generated<Date | null>;
  };
  refresh_tokens: { hash: string; session_id: string; created_at: Date; used_at: Date | null };
  /** See `contracts/kit/settings.ts`; a setting without a row has the product's default. */
  installation_settings: { name: string; value: unknown };
  setting_changes: {
    id: string;
    name: string;
    /** Null before or after: the default. */
    before: unknown;
    after: unknown;
    changed_by_name: string;
    changed_at: Date;
    undoes: string | null;
  };
  login_tries: { key: string; tried_at: Date[] };
  /** Addresses that accounts were signed in to from, as a hash of account and address. */
  known_places: { key: string; last_used_at: Date };
  /** Proofs of work that were accepted, until their expiry. */
  spent_human_checks: { signature: string; expires_at: Date };
  signing_keys: {
    id: string;
    /** JSON; read by `publicKey`. */
    public_jwk: unknown;
    sealed_private_jwk: string;
    state: "active" | "retired";
    created_at: Date;
  };
  /** Registrations without an account yet. The link stores the address. */
  registrations: {
    id: string;
    organization_name: string | null;
    service_id: string | null;
    created_at: Date;
    expires_at: Date;
  };
  invitations: {
    id: string;
    organization_id: string;
    email: string;
    email_key: string;
    roles: OrganizationRole[];
    /** Null for a service, and for a deleted account. */
    invited_by: string | null;
    /** An open one past `expires_at` is expired, whatever this column says. */
    status: InvitationStatus;
    created_at: Date;
    expires_at: Date;
    /** Why its email is not handed over yet. */
    mail_failure: Generated<string | null>;
    /** No further automatic retries. */
    mail_given_up: Generated<boolean>;
    /** Search terms, see `word-search.ts`; set by a trigger. */
    terms: Generated<string | null>;
  };
  /** History of invitations. */
  invitation_events: {
    id: string;
    organization_id: string;
    invitation_id: string;
    kind: InvitationEventKind;
    at: Date;
    by_name: string | null;
    detail: string | null;
  };
  /** Mailed links, and the codes mailed to users who followed one. Only hashes of both are stored. */
  mailed_links: {
    id: string;
    token_hash: string;
    purpose: LinkPurpose;
    /** A registration, an invitation or a user; null: the link leads nowhere. */
    subject_id: string | null;
    email: string;
    created_at: Date;
    expires_at: Date;
    used_at: Date | null;
    /** Tries to use the link with any code, right or wrong. */
    tries: Generated<number>;
    code_hash: Generated<string | null>;
    code_expires_at: Generated<Date | null>;
    /** Wrong tries of the current code. */
    code_tries: Generated<number>;
    /** Of the last hour, oldest first. */
    codes_sent_at: Generated<Date[]>;
  };
}

/** The service's view of the database: its own tables only. */
export type SecurityDatabase = Kysely<SecurityTables>;
export type SecurityTransaction = Transaction<SecurityTables>;
