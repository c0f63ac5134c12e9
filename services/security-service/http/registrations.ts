import { uuidv7 } from "uuidv7";
import { Problem } from "#contracts/kit/problem.ts";
import type { portalServiceContract } from "#contracts/portal-service/contract.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Authenticate } from "../../kit/identity/identity.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { Settings } from "../../kit/settings/settings.ts";
import { emailKey } from "../domain/email.ts";
import { createAccountExistsEmail } from "../emails/account-exists.ts";
import { createRegistrationEmail } from "../emails/registration.ts";
import type { AdmitForm } from "../human-check/admit-form.ts";
import { insertLinks } from "../store/mailed-links.ts";
import { insertOrganization } from "../store/new-accounts.ts";
import { findRegistration, insertRegistration, type RegistrationRow } from "../store/registrations.ts";
import { findAccountByEmail } from "../store/users.ts";
import { readClient } from "./client.ts";
import { admitEmail } from "./email-limits.ts";
import { type CodeParts, mailCode, requireRightCode } from "./mailed-codes.ts";
import { createLink, linkEnded, requireLink } from "./mailed-links.ts";
import { type AccountParts, createMember } from "./new-accounts.ts";

export interface RegistrationParts extends CodeParts, AccountParts {
  clock: Clock;
  authenticate: Authenticate;
  admitForm: AdmitForm;
  portalOrigin(): string;
  portalService: Connect<typeof portalServiceContract>;
  settings: Settings;
}

type RegistrationHandlers = Pick<
  Handlers<typeof securityServiceContract>,
  "createRegistrationRequest" | "getRegistration" | "sendRegistrationCode" | "createAccount"
>;

const getKind = (registration: Pick<RegistrationRow, "organization_name">) =>
  registration.organization_name === null ? "individual" : "organization";

/** Creates the handlers of registration, from the request to the account. */
export function createRegistrationHandlers(parts: RegistrationParts) {
  const { db, clock, mail, authenticate, admitForm } = parts;

  async function requireService(serviceId: string, requestId: string): Promise<void> {
    const result = await parts.portalService({ requestId }).listServices();
    if (!result.ok) throw new Problem("service_unavailable");
    if (result.value.items.some(({ id }) => id === serviceId)) return;
    throw new Problem("invalid_input", undefined, {
      errors: [{ path: "serviceId", message: "No such plan. Choose one of those on offer." }],
    });
  }

  /**
   * Runs the same statements whether or not the address has an account: neither response nor response time may reveal
   * it. If it has one, the token is discarded and the email says so instead.
   */
  async function mailLink(
    email: string,
    requested: Pick<RegistrationRow, "organization_name" | "service_id">,
    now: Date,
  ) {
    const account = await findAccountByEmail(db, emailKey(email));
    const id = uuidv7();
    const { token, link } = createLink("registration", { subjectId: id, email, now });
    const origin = parts.portalOrigin();
    const message = account
      ? createAccountExistsEmail(account.email, origin)
      : createRegistrationEmail(email, `${origin}/complete-${getKind(requested)}-account-registration?token=${token}`);
    await db.transaction().execute(async (transaction) => {
      await insertRegistration(transaction, { id, ...requested, created_at: now, expires_at: link.expiresAt });
      await insertLinks(transaction, [link]);
      await mail.send(transaction, null, [message]);
    });
  }

  /** Links mailed earlier are refused, too: their holders can be invited. */
  function requireOpen(): void {
    if (!parts.settings.current().registrationByInvitation) return;
    const words = "Accounts are by invitation only. Ask an administrator of your organization to invite you.";
    throw new Problem("forbidden", words);
  }

  async function requireRegistration(token: string, now: Date) {
    requireOpen();
    const link = await requireLink(db, "registration", token, now);
    const registration = link.subjectId ? await findRegistration(db, link.subjectId) : undefined;
    if (!registration) throw linkEnded();
    return { link, registration };
  }

  const handlers: RegistrationHandlers = {
    async createRegistrationRequest({ body, request, requestId, log }) {
      requireOpen();
      const { email, serviceId, organizationName, recaptchaToken } = body;
      if (serviceId !== undefined) await requireService(serviceId, requestId);
      await admitForm({ purpose: "registration", client: await readClient(request, authenticate), recaptchaToken });
      const now = clock.now();
      if (await admitEmail(db, email, now)) {
        await mailLink(email, { organization_name: organizationName ?? null, service_id: serviceId ?? null }, now);
      } else log.info("an address was sent no more letters");
      return { email };
    },

    async getRegistration({ body }) {
      const { link, registration } = await requireRegistration(body.token, clock.now());
      return {
        kind: getKind(registration),
        email: link.email,
        serviceId: registration.service_id,
        organizationName: registration.organization_name,
        expiresAt: link.expiresAt.toISOString(),
      };
    },

    async sendRegistrationCode({ body, request }) {
      const { token, recaptchaToken } = body;
      const now = clock.now();
      await requireRegistration(token, now);
      await admitForm({ purpose: "registrationCode", client: await readClient(request, authenticate), recaptchaToken });
      return await mailCode(parts, "registration", token, now);
    },

    async createAccount({ body, log, record }) {
      const now = clock.now();
      const { registration } = await requireRegistration(body.token, now);
      const link = await requireRightCode(parts, "registration", body, now);
      const { id, username, organizationId } = await createMember(
        parts,
        { link, account: body, now, record },
        async (db) => {
          const organizationId = uuidv7();
          await insertOrganization(db, {
            id: organizationId,
            kind: getKind(registration),
            name: registration.organization_name ?? body.fullName,
            serviceId: registration.service_id,
            createdAt: now,
          });
          return { organizationId, roles: ["ADMIN"] };
        },
      );
      log.info({ userId: id, organizationId }, "registered");
      return { id, username, serviceId: registration.service_id };
    },
  };
  return handlers;
}
