import { randomUUID } from "node:crypto";
import { connectTo, requireAnswer } from "../../services/kit/client/client.ts";
import { securityServiceContract } from "../../services/security-service/contract/contract.ts";
import { solveProofOfWork } from "../../services/security-service/testing/proof-of-work.ts";
import { mailedCode, mailedLink } from "./mailed.ts";
import type { PortalProcess } from "./portal-process.ts";

export interface RegisteredAccount {
  username: string;
  password: string;
  email: string;
}

/**
 * Registers somebody through the public API with the letters of the local mailbox, because registering is not the
 * subject. They administrate an organization of their own, for which the given plan was chosen.
 */
export async function registerAccount(
  portal: Pick<PortalProcess, "origin">,
  options: { serviceId?: string; organizationName?: string } = {},
): Promise<RegisteredAccount> {
  const { origin } = portal;
  const security = connectTo(securityServiceContract, { baseUrl: `${origin}/api/security-service` })();
  // Solved, since few forms an hour are taken without.
  const recaptchaToken = async () =>
    await solveProofOfWork(requireAnswer(await security.getHumanCheck(), "asking for the human check"));
  const name = `ada-${randomUUID().slice(0, 8)}`;
  const email = `${name}@example.com`;
  requireAnswer(
    await security.createRegistrationRequest({ body: { email, ...options, recaptchaToken: await recaptchaToken() } }),
    "registering",
  );
  const token = new URL(await mailedLink(portal, email, /registration/i)).searchParams.get("token") ?? "";
  requireAnswer(
    await security.sendRegistrationCode({ body: { token, recaptchaToken: await recaptchaToken() } }),
    "asking for the code",
  );
  const code = await mailedCode(portal, email);
  const password = "wooden spoon in the garden";
  requireAnswer(
    await security.createAccount({ body: { token, code, fullName: "Ada Lovelace", username: name, password } }),
    "creating the account",
  );
  return { username: name, password, email };
}
