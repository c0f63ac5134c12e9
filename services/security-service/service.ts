import type { Kysely } from "kysely";
import type { Logger } from "pino";
import type { apiRegistryContract } from "#contracts/api-registry/contract.ts";
import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { SecurityEvent } from "#contracts/security-service/events.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Egress } from "#libraries/egress/egress.ts";
import { createVaultReader } from "#libraries/vault-kv/vault-kv.ts";
import { createAuditHandlers } from "../kit/audit/audit-handlers.ts";
import { startAuditRetention } from "../kit/audit/audit-retention.ts";
import type { Connect } from "../kit/client/client.ts";
import type { Clock } from "../kit/clock/clock.ts";
import type { Database } from "../kit/database/database.ts";
import { migrateSchema } from "../kit/database/migrate.ts";
import { type SharedClock, sharedClockOf } from "../kit/database/shared-clock.ts";
import type { Consumer } from "../kit/events/consumer.ts";
import { createPublisher } from "../kit/events/publisher.ts";
import type { AccessState } from "../kit/identity/access-state.ts";
import { type Authenticate, createServiceTokens } from "../kit/identity/identity.ts";
import { createMail, getEmailQueueName } from "../kit/mail/mail.ts";
import type { Delivery } from "../kit/mail/smtp.ts";
import { createEndedOrganizations } from "../kit/organization/ended-organizations.ts";
import type { Queue } from "../kit/queue/queue.ts";
import { createWaitingWorkHandlers } from "../kit/queue/waiting-work.ts";
import type { RunningService } from "../kit/service/running-service.ts";
import { createService } from "../kit/service/service.ts";
import type { Settings } from "../kit/settings/settings.ts";
import { createVault, type Vault } from "../kit/vault/vault.ts";
import { createFindTexts, type FindTexts } from "./domain-proof/dns-texts.ts";
import { createLookForProof } from "./domain-proof/look-for-proof.ts";
import { createFirstAdministrator, type FirstAdministrator, requireSigningKey } from "./first-start.ts";
import { createApiTokenHandlers } from "./http/api-tokens.ts";
import { createAuthorizationConfigHandlers } from "./http/authorization-configs.ts";
import { createCredentialHandlers } from "./http/credentials.ts";
import { createDomainHandlers } from "./http/domains.ts";
import { FullDisk } from "./http/full-disk.ts";
import { createHostRuleHandlers } from "./http/host-rules.ts";
import { createHumanCheckHandlers } from "./http/human-check.ts";
import { createImportedCredentialHandlers } from "./http/imported-credentials.ts";
import { createInvitationLinkHandlers } from "./http/invitation-links.ts";
import { createInvitationHandlers } from "./http/invitations.ts";
import { createInvitingHandlers } from "./http/inviting.ts";
import { createLoginCompletionHandlers } from "./http/login-completion.ts";
import { createMemberQuota } from "./http/member-quota.ts";
import { createMemberSecondFactorHandlers } from "./http/member-second-factor.ts";
import { createOrganizationEndHandlers } from "./http/organization-end.ts";
import { createOrganizationHandlers } from "./http/organizations.ts";
import { createOwnAccountHandlers } from "./http/own-account.ts";
import { createOwnEmailHandlers } from "./http/own-email.ts";
import { createPasskeyLoginHandlers } from "./http/passkey-login.ts";
import { createPasskeyHandlers } from "./http/passkeys.ts";
import { createPasswordResetHandlers } from "./http/password-resets.ts";
import { createEnterByProvider } from "./http/provider-accounts.ts";
import { createProviderSignInHandlers } from "./http/provider-sign-in.ts";
import { createRegistrationHandlers } from "./http/registrations.ts";
import { createSecondFactorHandlers } from "./http/second-factor.ts";
import { createSessionHandlers } from "./http/sessions.ts";
import { createSettingHandlers } from "./http/settings.ts";
import { createSingleSignOnHandlers } from "./http/single-sign-on.ts";
import { createTracingHandlers } from "./http/tracing.ts";
import { createUserRoleHandlers } from "./http/user-roles.ts";
import { createUserHandlers } from "./http/users.ts";
import { createVaultConnectionHandlers } from "./http/vault-connections.ts";
import { createFormAdmission } from "./human-check/admit-form.ts";
import { createHumanCheck } from "./human-check/check.ts";
import type { HumanCheckProvider } from "./human-check/provider.ts";
import { openIdentity } from "./identity-parts.ts";
import { startDomainChecks } from "./jobs/domain-checks.ts";
import { createEmailNotes } from "./jobs/email-notes.ts";
import { startPurge } from "./jobs/purge.ts";
import { createMailedCodes } from "./secrets/mailed-secrets.ts";
import { createRecoveryCodes } from "./secrets/one-time-codes.ts";
import { createPasswords } from "./secrets/passwords.ts";
import { createRefreshTokens } from "./secrets/refresh-token.ts";
import { createTokenSigner } from "./secrets/signing-key.ts";
import { createOpenIdProvider } from "./single-sign-on/provider.ts";
import { listAccessChanges } from "./store/access-changes.ts";
import { migrations } from "./store/migrations.ts";
import { type SecurityTables, schemaName } from "./store/tables.ts";

export interface SecurityServiceOptions {
  database: Database;
  log: Logger;
  clock: Clock;
  /** Time of what several processes compare, such as the use of a refresh token. Default: the database's. */
  readTime?: SharedClock;
  version: string;
  /** Seals the signing key and every credential. */
  secretsKey: string;
  /** Previous keys, for values not sealed with the current one. */
  previousSecretsKeys?: string[];
  /** Verifies tokens of other services, see `createServiceTokens`. */
  serviceKey: Uint8Array;
  administrator: FirstAdministrator;
  queue: Queue;
  /** Outgoing mail transport; undefined without mail. */
  delivery: Delivery | undefined;
  /** Whether this process delivers mail, or only queues it. */
  work: boolean;
  /** Origin where users reach the portal, such as `https://portal.example.com`: the target of links in emails. */
  portalOrigin(): string;
  /** Checks on visitors' forms; undefined: a proof of work instead. */
  humanCheckProvider: HumanCheckProvider | undefined;
  egress: Egress;
  /** How environment variables begin that credentials may name; undefined where none may. */
  environmentPrefix?: string | undefined;
  /** Reads DNS for domain proofs; defaults to the system's name servers. */
  findTexts?: FindTexts;
  /** Provides the plans. */
  portalService: Connect<typeof portalServiceContract>;
  /** Provide the uses of a credential. */
  apiRegistry: Connect<typeof apiRegistryContract>;
  testRegistry: Connect<typeof testRegistryContract>;
  /** The value of EGRESS_ALLOW, displayed to operators next to their own setting. */
  environmentEgressAllow?: string;
  /** Receivers of user events. */
  consumers: Consumer[];
}

export interface RunningSecurityService extends RunningService {
  /** For the services of this process: verifies against the stored keys without a request. */
  authenticate: Authenticate;
  /** For the portal of this process. */
  accessState: AccessState;
  /** The operators' settings. */
  settings: Settings;
}

function openMail(options: SecurityServiceOptions, db: Kysely<SecurityTables>, vault: Vault) {
  const { database, queue, log, clock, delivery, work } = options;
  return createMail({
    ...{ service: "security-service", schema: schemaName },
    ...{ database, queue, vault, log, delivery, work },
    ...createEmailNotes(db, clock),
  });
}

/** Sign-in, sessions, signing keys and credentials. The first start creates the signing key and the administrator. */
export async function createSecurityService(options: SecurityServiceOptions): Promise<RunningSecurityService> {
  const { database, clock, log } = options;
  await migrateSchema(database, schemaName, migrations, log);
  const db = database.inSchema<SecurityTables>(schemaName);
  const vault = createVault(options.secretsKey, options.previousSecretsKeys);
  const passwords = await createPasswords();
  const signAccessToken = await createTokenSigner(vault, await requireSigningKey(db, vault, clock.now()));
  const serviceToken = createServiceTokens(options.serviceKey, "security-service");
  const publisher = await createPublisher<SecurityEvent>({ ...options, schema: schemaName, serviceToken });
  const isFirst = await createFirstAdministrator({ db, publisher, passwords }, options.administrator, clock.now());
  if (isFirst) log.info({ username: options.administrator.username }, "first administrator created");

  const mail = await openMail(options, db, vault);

  const { egress } = options;
  const check = createHumanCheck({ ...options, db });
  const admitForm = createFormAdmission({ db, clock, check });

  const lookForProof = createLookForProof({ egress, findTexts: options.findTexts ?? createFindTexts() });

  const { accessState, settings, authenticate } = await openIdentity({ ...options, db });
  const { portalOrigin, portalService } = options;
  const quota = createMemberQuota({ db, portalService, serviceToken });
  const refreshTokens = createRefreshTokens(options.secretsKey);
  const fullDisk = new FullDisk(options.secretsKey);
  const codes = createMailedCodes(options.secretsKey);
  const mailParts = { db, clock, publisher, mail, codes, passwords, authenticate, admitForm, portalOrigin };
  /** A change applies in this process before the response is sent. */
  const changing = <H extends (call: never) => unknown>(handle: H) =>
    (async (call: never) => {
      const answered = await handle(call);
      await accessState.refresh();
      return answered;
    }) as unknown as H;
  const { handlers: sessions, beginSession } = createSessionHandlers({
    ...{ db, clock, passwords, signAccessToken, refreshTokens, authenticate, fullDisk },
    readTime: options.readTime ?? sharedClockOf(database),
  });
  const factorParts = { ...mailParts, vault, fullDisk, recoveryCodes: createRecoveryCodes(options.secretsKey) };
  const secondFactor = createSecondFactorHandlers(factorParts);
  const passkeys = createPasskeyHandlers(factorParts);
  const organizations = createOrganizationHandlers(db);
  const users = createUserHandlers({ db, clock, publisher, quota, mail });
  const { listUserPasskeys, resetSecondFactor } = createMemberSecondFactorHandlers(mailParts);
  const roles = createUserRoleHandlers({ db, publisher });
  const ownAccount = createOwnAccountHandlers(mailParts);
  const apiTokens = createApiTokenHandlers({ ...mailParts, signAccessToken });
  const passwordResets = createPasswordResetHandlers(mailParts);
  const ended = await createEndedOrganizations({
    ...{ database, clock, log, work: options.work, schema: schemaName },
    // Processes still need the records of ended sessions for ten minutes.
    except: ["access_changes"],
  });
  const organizationEnd = createOrganizationEndHandlers({ db, publisher, ended });
  const redirectUri = () => new URL("/login/single-sign-on/return", portalOrigin()).href;
  const secretSources = { vaultReader: createVaultReader({ egress }), environmentPrefix: options.environmentPrefix };
  const signOnParts = { db, clock, vault, redirectUri, provider: createOpenIdProvider({ egress, redirectUri }) };
  const enter = createEnterByProvider({ db, publisher, quota });
  const singleSignOn = createSingleSignOnHandlers(signOnParts);
  const providerSignIn = createProviderSignInHandlers({ ...signOnParts, authenticate, enter, beginSession });
  const app = createService({
    name: "security-service",
    clock,
    description:
      "Registration, invitations and users, sign-in and sessions, roles and scopes, domains and the credentials tests send.",
    version: options.version,
    contract: securityServiceContract,
    handlers: {
      ...createAuditHandlers({ database, schema: schemaName, clock }),
      ...sessions,
      logout: changing(sessions.logout),
      endSession: changing(sessions.endSession),
      listAccessChanges: ({ query }) => listAccessChanges(db, query.since),
      ...createCredentialHandlers({ ...options, db, vault, serviceToken, ...secretSources }),
      ...createImportedCredentialHandlers({ db, clock, vault }),
      ...createVaultConnectionHandlers({ db, clock, vault, ...secretSources }),
      ...createDomainHandlers({ db, clock, lookForProof }),
      ...createAuthorizationConfigHandlers({ db, clock }),
      ...createHostRuleHandlers(db),
      ...organizations,
      requireSecondFactors: changing(organizations.requireSecondFactors),
      ...createWaitingWorkHandlers(options.queue, "security-service", {
        [getEmailQueueName("security-service")]: mail.oldestSince,
      }),
      ...createSettingHandlers({ db, clock, settings, environmentEgressAllow: options.environmentEgressAllow }),
      deleteOrganization: changing(organizationEnd.deleteOrganization),
      ...createTracingHandlers({ db, clock }),
      ...singleSignOn,
      setSingleSignOn: changing(singleSignOn.setSingleSignOn),
      ...providerSignIn,
      finishSingleSignOn: changing(providerSignIn.finishSingleSignOn),
      ...createHumanCheckHandlers({ check, admitForm }),
      ...createLoginCompletionHandlers(factorParts, beginSession),
      ...secondFactor,
      confirmSecondFactor: changing(secondFactor.confirmSecondFactor),
      removeSecondFactor: changing(secondFactor.removeSecondFactor),
      ...createPasskeyLoginHandlers(factorParts, beginSession),
      ...passkeys,
      addPasskey: changing(passkeys.addPasskey),
      removePasskey: changing(passkeys.removePasskey),
      ...apiTokens,
      revokeApiToken: changing(apiTokens.revokeApiToken),
      ...ownAccount,
      changeOwnPassword: changing(ownAccount.changeOwnPassword),
      ...createOwnEmailHandlers(mailParts),
      ...users,
      changeUser: changing(users.changeUser),
      endUserSessions: changing(users.endUserSessions),
      listUserPasskeys,
      resetSecondFactor: changing(resetSecondFactor),
      ...roles,
      addUserRoles: changing(roles.addUserRoles),
      removeUserRoles: changing(roles.removeUserRoles),
      ...createRegistrationHandlers({ ...mailParts, portalService, settings }),
      ...createInvitationHandlers({ db, clock }),
      ...createInvitingHandlers({ ...mailParts, quota }),
      async receiveEvent({ caller, body }) {
        await quota.take(caller.organizationId, body.payload);
        return undefined;
      },
      ...createInvitationLinkHandlers({ ...mailParts, quota }),
      ...passwordResets,
      completePasswordReset: changing(passwordResets.completePasswordReset),
    },
    authenticate,
    log,
    checkHealth: database.checkHealth,
    checkCapacity: () => database.checkCapacity(),
  });
  const stopDomainChecks = options.work
    ? await startDomainChecks({ ...mailParts, log, queue: options.queue, lookForProof })
    : undefined;
  const stopPurge = startPurge(db, clock, log);
  const stopAuditRetention = startAuditRetention({ database, schema: schemaName, clock, log });
  return {
    app,
    authenticate,
    accessState,
    settings,
    metrics: publisher.metrics,
    async stop() {
      accessState.stop();
      settings.stop();
      await ended.stop();
      await stopPurge();
      await stopDomainChecks?.();
      await stopAuditRetention();
      await publisher.stop();
      await mail.stop();
    },
  };
}
