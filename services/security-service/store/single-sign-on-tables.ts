import type { OrganizationRole } from "../domain/invitation.ts";

export interface SingleSignOnTables {
  /** An organization's OpenID provider. */
  single_sign_ons: {
    organization_id: string;
    issuer: string;
    client_id: string;
    sealed_client_secret: string;
    roles_claim: string;
    /** JSON; read by `readSingleSignOn`. */
    roles: unknown;
    usual_role: OrganizationRole | null;
    creates_accounts: boolean;
    is_required: boolean;
    updated_at: Date;
  };
  /** Domains of users' addresses; each leads to one organization. */
  single_sign_on_domains: { name: string; domain_id: string; organization_id: string };
  /** Accounts by their subject at the provider. */
  provider_subjects: { organization_id: string; issuer: string; subject: string; user_id: string };
}
