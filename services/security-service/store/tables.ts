import type { Generated, Kysely, Transaction } from "kysely";
import type { Scope } from "#contracts/kit/endpoint.ts";
import type { InvitationEventKind, InvitationStatus, OrganizationRole } from "../domain/invitation.ts";
import type { LinkPurpose } from "../domain/mailed-link.ts";
import type { DomainTables } from "./domain-tables.ts";
import type { SingleSignOnTables } from "./single-sign-on-tables.ts";

export const schemaName = "security_service";

export interface SecurityTables extends DomainTables, SingleSignOnTables {
  organizations: {
    id: string;
    kind: "individual" | "organization";
    name: string;
    /** The plan named at registration. */
    service_id: Generated<string | null>;
    /** Nobody without one does anything in it but set one up. */
    requires_second_factor: Generated<boolean>;
    created_at: Date;
  };
  users: {
    id: string;
    username: string;
    /** What usernames are compared by, see `usernameKey`. */
    username_key: string;
    email: string;
    /** What addresses are compared by, see `emailKey`; empty for none. */
    email_key: Generated<string>;
    full_name: string;
    /** Empty where there is none: its owner signs in with their organization's OpenID provider. */
    password_hash: string;
    /** As in `Europe/Berlin`; null: as the browser says. */
    time_zone: Generated<string | null>;
    disabled_at: Date | null;
    created_at: Date;
  };
  memberships: {
    user_id: string;
    organization_id: string;
    /** As in `users`, so that an index carries the list of an organization by name. */
    username_key: string;
    roles: string[];
    created_at: Date;
    /** What it is found by, see `word-search.ts`; set by a trigger. */
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
    /** When its owner last signed in at that provider; null where it began with a password. */
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
  /** What programs sign in with, in somebody's name. */
  api_tokens: {
    id: string;
    user_id: string;
    organization_id: string;
    name: string;
    token_hash: string;
    /** The last signs of the token, by which its owner knows it. */
    ending: string;
    scopes: Scope[];
    created_at: Date;
    expires_at: Date;
    last_used_at: Date | null;
    ended_at: Date | null;
    /** The last two are written by triggers. */
    ended_because: "revoked" | "roles_changed" | "user_disabled" | null;
  };
  /** The secret of somebody's app; asked for once it is confirmed. */
  second_factors: {
    user_id: string;
    sealed_secret: string;
    created_at: Date;
    confirmed_at: Date | null;
    /** The newest time step whose code was used. */
    last_step: number | null;
  };
  /** Those that were not used yet. */
  recovery_codes: { user_id: string; hash: string };
  /** Keys that authenticators hold, by which accounts are signed in to after the password. */
  passkeys: {
    id: string;
    user_id: string;
    /** Base64url, as the public key is (COSE). */
    credential_id: string;
    public_key: string;
    /** What the authenticator last said; always 0 where it does not count. */
    sign_count: number;
    transports: string[];
    name: string;
    created_at: Date;
    last_used_at: Date | null;
  };
  /** What a browser was asked to sign; of a sign-in, or of adding a passkey. */
  passkey_challenges: { hash: string; user_id: string; sign_in_hash: string | null; expires_at: Date };
  /** Sign-ins that wait for the code after the password. */
  sign_in_challenges: {
    hash: string;
    user_id: string;
    user_agent: string;
    expires_at: Date;
    /** Of a sign-in at the organization's OpenID provider; null: with a password. */
    signed_on_at: Generated<Date | null>;
  };
  refresh_tokens: { hash: string; session_id: string; created_at: Date; used_at: Date | null };
  /** See `contracts/kit/settings.ts`; what has no row is as the product has it. */
  installation_settings: { name: string; value: unknown };
  setting_changes: {
    id: string;
    name: string;
    /** Null, before or after: the default. */
    before: unknown;
    after: unknown;
    changed_by_name: string;
    changed_at: Date;
    undoes: string | null;
  };
  login_tries: { key: string; tried_at: Date[] };
  /** Where an account was signed in from, as a hash of both. */
  known_places: { key: string; last_used_at: Date };
  /** Proofs of work that were accepted once, until they would have expired anyway. */
  spent_human_checks: { signature: string; expires_at: Date };
  signing_keys: {
    id: string;
    /** JSON; read by `publicKey`. */
    public_jwk: unknown;
    sealed_private_jwk: string;
    state: "active" | "retired";
    created_at: Date;
  };
  /** What somebody asked for who has no account yet. Its link knows the address. */
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
    /** Null for a service, or somebody whose account is gone. */
    invited_by: string | null;
    /** An open one that has passed `expires_at` is expired whatever stands here. */
    status: InvitationStatus;
    created_at: Date;
    expires_at: Date;
    /** Why its letter is not handed over yet. */
    mail_failure: Generated<string | null>;
    /** Nothing more is tried by itself. */
    mail_given_up: Generated<boolean>;
    /** What it is found by, see `word-search.ts`; set by a trigger. */
    terms: Generated<string | null>;
  };
  /** What became of invitations. */
  invitation_events: {
    id: string;
    organization_id: string;
    invitation_id: string;
    kind: InvitationEventKind;
    at: Date;
    by_name: string | null;
    detail: string | null;
  };
  /** Links that were mailed, and the code mailed to whoever followed one. Of both only hashes are kept. */
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
    /** Wrong tries of the present code. */
    code_tries: Generated<number>;
    /** Of the last hour, oldest first. */
    codes_sent_at: Generated<Date[]>;
  };
}

/** The service's view of the database: its own tables only. */
export type SecurityDatabase = Kysely<SecurityTables>;
export type SecurityTransaction = Transaction<SecurityTables>;
