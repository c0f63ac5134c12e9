import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { uuidv7 } from "uuidv7";
import type { RenderedEmail } from "../../kit/mail/email.ts";
import type { OrganizationRole } from "../domain/invitation.ts";
import type { SecurityWorld } from "./world.ts";

export const goodPassword = "marmalade quorum tidepool ferry";

export const subjects = {
  registration: /^Complete your registration$/,
  accountExists: /^You have an account already$/,
  code: /^Your verification code$/,
  invitation: /^You are invited/,
  passwordReset: /^Choose a new password$/,
  passwordChanged: /^Your password was changed$/,
};

/** The token of the link in an email. */
export function tokenIn(email: RenderedEmail): string {
  const token = /[?&]token=([\w-]+)/.exec(email.text)?.[1];
  if (!token) throw new Error(`There is no link with a token in “${email.subject}”.`);
  return token;
}

/** The six digits in an email. */
export function codeIn(email: RenderedEmail): string {
  const code = /^ {4}(\d{6})$/m.exec(email.text)?.[1];
  if (!code) throw new Error(`There is no code in “${email.subject}”.`);
  return code;
}

/** A code other than this one. */
export const wrongCode = (code: string, step = 1) => String((Number(code) + step) % 1_000_000).padStart(6, "0");

/** Visitors of the portal's forms, each with their own address, so that no limit per network is reached. */
export async function createVisitors(world: SecurityWorld) {
  const client = world.connect({ token: await world.serviceToken("portal") });
  let visitors = 0;
  const fromElsewhere = () => {
    visitors += 1;
    return { "x-client-address": `198.51.${visitors >> 8}.${visitors & 255}` };
  };

  /** The email to an address, with a matching subject, that `cause` triggers. */
  async function getEmailAfter(
    address: string,
    subject: RegExp,
    cause: () => Promise<{ ok: boolean }>,
  ): Promise<RenderedEmail> {
    const before = world.mail.emails.length;
    const result = await cause();
    if (!result.ok) throw new Error(`Refused: ${JSON.stringify(result)}`);
    for (;;) {
      const emails = world.mail.emails.slice(before);
      const email = emails.find((one) => one.to.address === address && subject.test(one.subject));
      if (email) return email;
      await pause(10);
    }
  }

  /** Waits until every email sent so far has been handed over. */
  async function emailsAreSent(): Promise<void> {
    const waiting = sql<{ count: number }>`select count(*)::int as count from security_service.letters`;
    while ((await waiting.execute(world.db)).rows[0]?.count !== 0) await pause(10);
  }

  const register = (body: Parameters<typeof client.createRegistrationRequest>[0]["body"]) =>
    client.createRegistrationRequest({ body, headers: fromElsewhere() });
  const askForCode = (token: string) => client.sendRegistrationCode({ body: { token }, headers: fromElsewhere() });
  const askForInvitationCode = (token: string) =>
    client.sendInvitationCode({ body: { token }, headers: fromElsewhere() });
  const askForReset = (email: string) => client.requestPasswordReset({ body: { email }, headers: fromElsewhere() });

  /** A registration with its mailed token and code, one step before the account. */
  async function requireRegistration(email: string, requested: { organizationName?: string; serviceId?: string } = {}) {
    const token = tokenIn(await getEmailAfter(email, subjects.registration, () => register({ email, ...requested })));
    const code = codeIn(await getEmailAfter(email, subjects.code, () => askForCode(token)));
    return { token, code };
  }

  async function signIn(username: string) {
    const signedIn = await world.logIn(username, goodPassword);
    if (!signedIn.ok) throw new Error(`Refused: ${JSON.stringify(signedIn.problem)}`);
    const { accessToken, refreshToken } = signedIn.value;
    const caller = await world.service.authenticate(accessToken);
    return { accessToken, refreshToken, caller, client: world.connect({ token: accessToken }) };
  }

  /** A signed-in user with an account, the administrator of their own organization. */
  async function requireMember(username: string, requested: { organizationName?: string; serviceId?: string } = {}) {
    const email = `${username}@example.com`;
    const registration = await requireRegistration(email, requested);
    const account = { ...registration, username, fullName: `Full ${username}`, password: goodPassword };
    const created = await client.createAccount({ body: account });
    if (!created.ok) throw new Error(`Refused: ${JSON.stringify(created.problem)}`);
    return { email, ...(await signIn(username)) };
  }

  /** The token of an invitation that an administrator sends. */
  async function requireInvitationToken(
    administrator: { client: typeof client },
    email: string,
    roles: OrganizationRole[] = ["EDITOR"],
  ) {
    return tokenIn(
      await getEmailAfter(email, subjects.invitation, () =>
        administrator.client.invite({ body: { emails: [email], roles } }),
      ),
    );
  }

  /** A signed-in user who accepted an invitation. */
  async function requireMemberByInvitation(username: string, token: string) {
    const offer = await client.getInvitationOffer({ params: { token } });
    if (!offer.ok) throw new Error(`Refused: ${JSON.stringify(offer.problem)}`);
    const code = codeIn(await getEmailAfter(offer.value.email, subjects.code, () => askForInvitationCode(token)));
    const account = { token, code, username, fullName: `Full ${username}`, password: goodPassword };
    const created = await client.createAccountByInvitation({ body: account });
    if (!created.ok) throw new Error(`Refused: ${JSON.stringify(created.problem)}`);
    return { email: offer.value.email, ...(await signIn(username)) };
  }

  return {
    client,
    fromElsewhere,
    getEmailAfter,
    emailsAreSent,
    register,
    askForCode,
    askForInvitationCode,
    askForReset,
    requireRegistration,
    requireMember,
    requireInvitationToken,
    requireMemberByInvitation,
    /** An unused address. */
    freshEmail: () => `somebody-${uuidv7().slice(-12)}@example.com`,
  };
}

export type Visitors = Awaited<ReturnType<typeof createVisitors>>;
