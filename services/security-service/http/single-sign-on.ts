import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { SingleSignOn, SingleSignOnInput } from "#contracts/security-service/single-sign-on.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { isUniqueViolation } from "../../kit/database/database.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import { isMailDomain } from "../domain/single-sign-on.ts";
import { type OpenIdProvider, ProviderRefused, type ProviderSettings } from "../single-sign-on/provider.ts";
import { lockOrganization } from "../store/organizations.ts";
import {
  countMembersWithoutPassword,
  domainTakenConstraint,
  endPasswordSessions,
  findSingleSignOn,
  listSignOnDomains,
  listVerifiedDomains,
  removeSingleSignOn,
  type SingleSignOnRow,
  storeSingleSignOn,
} from "../store/single-sign-on.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { requireInPerson, requirePresentAdministrator } from "./present-administrator.ts";

type SettingHandlers = Pick<
  Handlers<typeof securityServiceContract>,
  "getSingleSignOn" | "setSingleSignOn" | "deleteSingleSignOn"
>;

export interface SingleSignOnParts {
  db: SecurityDatabase;
  clock: Clock;
  vault: Vault;
  provider: OpenIdProvider;
  redirectUri(): string;
}

const secretLocation = (organizationId: string) => ({ organizationId, record: "single_sign_ons" });

/** The parameters of a request to a provider. */
export function providerSettings(vault: Vault, row: SingleSignOnRow): ProviderSettings {
  const { organization_id: organizationId, issuer, client_id: clientId, roles_claim: rolesClaim } = row;
  const clientSecret = vault.open(row.sealed_client_secret, secretLocation(organizationId));
  return { organizationId, issuer, clientId, rolesClaim, clientSecret };
}

const audited = (row: SingleSignOnRow, domains: string[]) => ({
  ...{ issuer: row.issuer, clientId: row.client_id, domains, rolesClaim: row.roles_claim, roles: row.roles },
  ...{ usualRole: row.usual_role, createsAccounts: row.creates_accounts, isRequired: row.is_required },
});

const toSingleSignOn = (row: SingleSignOnRow, domains: string[]): SingleSignOn => ({
  ...audited(row, domains),
  updatedAt: row.updated_at.toISOString(),
});

const refuse = (path: string, message: string) =>
  new Problem("invalid_input", undefined, { errors: [{ path, message }] });

function requireFaultless(body: SingleSignOnInput): void {
  const { rolesClaim, roles, usualRole, createsAccounts } = body;
  if (rolesClaim === "" && roles.length > 0) throw refuse("rolesClaim", "Enter the claim that has these values");
  if (rolesClaim === "" && createsAccounts && !usualRole)
    throw refuse("usualRole", "Choose a role for new accounts, or enter a claim that roles follow from");
  if (rolesClaim !== "" && roles.length === 0 && !usualRole)
    throw refuse("roles", "Enter a value that assigns a role, or choose a role for everyone else");
}

/** Creates the handlers of an organization's own OpenID provider. */
export function createSingleSignOnHandlers({ db, clock, vault, provider, redirectUri }: SingleSignOnParts) {
  const mailDomains = async (organizationId: string, among: Parameters<typeof listVerifiedDomains>[0] = db) =>
    (await listVerifiedDomains(among, organizationId)).filter(({ name }) => isMailDomain(name));

  /** A stored secret is valid only for the provider it was entered for. */
  function secretFor(body: SingleSignOnInput, known: SingleSignOnRow | undefined): string {
    if (body.clientSecret) return body.clientSecret;
    if (known?.issuer === body.issuer) return providerSettings(vault, known).clientSecret;
    throw refuse("clientSecret", known ? "Enter the client secret of the new issuer" : "Enter the client secret");
  }

  const handlers: SettingHandlers = {
    async getSingleSignOn({ caller: { organizationId } }) {
      const row = await findSingleSignOn(db, organizationId);
      return {
        singleSignOn: row ? toSingleSignOn(row, await listSignOnDomains(db, organizationId)) : null,
        redirectUri: redirectUri(),
        verifiedDomains: (await mailDomains(organizationId)).map(({ name }) => name),
        membersWithoutPassword: await countMembersWithoutPassword(db, organizationId),
      };
    },

    async setSingleSignOn({ caller, body, log, record }) {
      requireInPerson(caller);
      requireFaultless(body);
      const { organizationId } = caller;
      const { issuer, clientId, rolesClaim } = body;
      const clientSecret = secretFor(body, await findSingleSignOn(db, organizationId));
      await provider.check({ organizationId, issuer, clientId, clientSecret, rolesClaim }).catch((error: unknown) => {
        if (error instanceof ProviderRefused) throw refuse("issuer", error.message);
        throw error;
      });
      const row: SingleSignOnRow = {
        organization_id: organizationId,
        ...{ issuer, client_id: clientId, roles_claim: rolesClaim },
        sealed_client_secret: vault.seal(clientSecret, secretLocation(organizationId)),
        ...{ roles: body.roles, usual_role: body.usualRole },
        ...{ creates_accounts: body.createsAccounts, is_required: body.isRequired },
        updated_at: clock.now(),
      };
      const stored = db.transaction().execute(async (transaction) => {
        await lockOrganization(transaction, organizationId);
        await requirePresentAdministrator(transaction, caller);
        const verified = await mailDomains(organizationId, transaction);
        const chosen = verified.filter(({ name }) => body.domains.includes(name));
        const unproven = body.domains.find((name) => !chosen.some((one) => one.name === name));
        if (unproven) throw refuse("domains", `${unproven} is not a verified domain of this organization`);
        const before = await findSingleSignOn(transaction, organizationId);
        const domainsBefore = await listSignOnDomains(transaction, organizationId);
        await storeSingleSignOn(transaction, row, chosen);
        await endPasswordSessions(transaction, organizationId, row.updated_at);
        await record(transaction, {
          id: organizationId,
          ...(before ? { before: audited(before, domainsBefore) } : {}),
          after: audited(row, body.domains),
        });
      });
      await stored.catch((error: unknown) => {
        if (!isUniqueViolation(error, domainTakenConstraint)) throw error;
        throw refuse("domains", "Another organization has proved one of these domains and signs people in there");
      });
      log.info({ organizationId, changedBy: caller.userId }, "single sign-on set");
      return toSingleSignOn(row, body.domains);
    },

    async deleteSingleSignOn({ caller, log, record }) {
      requireInPerson(caller);
      const { organizationId } = caller;
      await db.transaction().execute(async (transaction) => {
        await lockOrganization(transaction, organizationId);
        await requirePresentAdministrator(transaction, caller);
        const before = await findSingleSignOn(transaction, organizationId);
        if (!before) throw notFound("single sign-on");
        const domains = await listSignOnDomains(transaction, organizationId);
        await removeSingleSignOn(transaction, organizationId);
        await record(transaction, { id: organizationId, before: audited(before, domains) });
      });
      log.info({ organizationId, deletedBy: caller.userId }, "single sign-on deleted");
      return undefined;
    },
  };
  return handlers;
}
