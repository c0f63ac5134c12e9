import { randomUUID } from "node:crypto";
import { requireValue } from "../../services/kit/client/client.ts";
import type { FormPage } from "./form-page.ts";
import type { HandledPortal, Visitor } from "./handled-portal.ts";

export const newPassword = "wooden spoon in the garden";

/** Address of the button in the newest matching email. */
export async function mailedLink({ mail }: HandledPortal, address: string, subject: RegExp): Promise<string> {
  const { html = "" } = await mail.newest(address, subject);
  const link = /href="([^"]*[?&]token=[^"]*)"/.exec(html)?.[1];
  if (!link) throw new Error(`The email ${subject} to ${address} has no link.`);
  return link.replaceAll("&amp;", "&");
}

export function newcomer() {
  const username = `ada-${randomUUID().slice(0, 8)}`;
  return { username, email: `${username}@example.com` };
}

/** From a mailed link's page to the login page, without script. */
export async function completeAccount(
  page: FormPage,
  portal: HandledPortal,
  { email, username }: ReturnType<typeof newcomer>,
): Promise<FormPage> {
  const form = await page.submit("Send the code");
  const message = await portal.mail.newest(email, /verification code/i);
  const code = /\b\d{6}\b/.exec(message.text ?? "")?.[0] ?? "";
  return await form.submit("Create account", { fullName: "Ada Lovelace", username, code, password: newPassword });
}

/** A user who accepted an invitation of the administrator's and signed in. */
export async function joinAs(
  portal: HandledPortal,
  role: "ADMIN" | "EDITOR" | "VIEWER",
  person = newcomer(),
): Promise<Visitor> {
  const body = { emails: [person.email], roles: [role] };
  requireValue(await portal.backend.securityService.invite({ body }), "inviting");
  const visitor = portal.visit();
  const invitation = await visitor.open(await mailedLink(portal, person.email, /invit/i));
  const login = await completeAccount(invitation, portal, person);
  await login.submit("log in", { password: newPassword });
  return visitor;
}
