import { randomUUID } from "node:crypto";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import { connectTo, requireValue } from "../../services/kit/client/client.ts";
import { solveProofOfWork } from "../../services/security-service/testing/proof-of-work.ts";
import { inviteByMail } from "./invited.ts";
import { mailedCode, mailedLink } from "./mailed.ts";
import type { RunningPortal } from "./portal-process.ts";

export interface RegisteredAccount {
  username: string;
  password: string;
  email: string;
}

function createVisitor({ origin }: Pick<RunningPortal, "origin">) {
  const security = connectTo(securityServiceContract, { baseUrl: `${origin}/api/security-service` })();
  const username = `ada-${randomUUID().slice(0, 8)}`;
  return {
    security,
    account: { username, password: "wooden spoon in the garden", email: `${username}@example.com` },
    // Solved, since few forms an hour are accepted without.
    recaptchaToken: async () =>
      await solveProofOfWork(requireValue(await security.getHumanCheck(), "asking for the human check")),
  };
}

const getToken = (link: string) => new URL(link).searchParams.get("token") ?? "";

/**
 * Registers a user through the public API with the emails of the local mailbox, because registering is not the
 * subject. The user administers a new organization, for which the given plan was chosen.
 */
export async function registerAccount(
  portal: Pick<RunningPortal, "origin">,
  options: { serviceId?: string; organizationName?: string } = {},
): Promise<RegisteredAccount> {
  const { security, account, recaptchaToken } = createVisitor(portal);
  const { email, username, password } = account;
  requireValue(
    await security.createRegistrationRequest({ body: { email, ...options, recaptchaToken: await recaptchaToken() } }),
    "registering",
  );
  const token = getToken(await mailedLink(portal, email, /registration/i));
  const sent = await security.sendRegistrationCode({ body: { token, recaptchaToken: await recaptchaToken() } });
  requireValue(sent, "asking for the code");
  const code = await mailedCode(portal, email);
  const body = { token, code, fullName: "Ada Lovelace", username, password };
  requireValue(await security.createAccount({ body }), "creating the account");
  return account;
}

/** A user who accepted an invitation of the administrator's, in the same way. */
export async function joinAs(portal: RunningPortal, role: "EDITOR" | "VIEWER"): Promise<RegisteredAccount> {
  const visitor = createVisitor(portal);
  return await takeUp(portal, visitor, (await inviteByMail(portal, visitor.account.email, role)).link);
}

/** Accepts the invitation of this address. */
export async function acceptInvitation(portal: RunningPortal, email: string): Promise<RegisteredAccount> {
  const { account, ...visitor } = createVisitor(portal);
  const link = await mailedLink(portal, email, /invit/i);
  return await takeUp(portal, { ...visitor, account: { ...account, email } }, link);
}

async function takeUp(
  portal: RunningPortal,
  { security, account, recaptchaToken }: ReturnType<typeof createVisitor>,
  link: string,
): Promise<RegisteredAccount> {
  const { email, username, password } = account;
  const token = getToken(link);
  const sent = await security.sendInvitationCode({ body: { token, recaptchaToken: await recaptchaToken() } });
  requireValue(sent, "asking for the code");
  const code = await mailedCode(portal, email);
  const body = { token, code, fullName: "Ada Lovelace", username, password };
  requireValue(await security.createAccountByInvitation({ body }), "creating the account");
  return account;
}
