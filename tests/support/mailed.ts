import type { RunningPortal } from "./portal-process.ts";
import { findNewestEmail } from "./sandbox-emails.ts";

type Portal = Pick<RunningPortal, "origin">;

/** Address of the button in the newest matching email. */
export async function mailedLink(portal: Portal, address: string, subject: RegExp): Promise<string> {
  const email = await findNewestEmail(portal, address, subject);
  const link = /href="([^"]*[?&]token=[^"]*)"/.exec(email)?.[1];
  if (!link) throw new Error(`The email ${subject} to ${address} has no link:\n${email}`);
  return link.replaceAll("&amp;", "&");
}

/** The digits of the newest verification code. */
export async function mailedCode(portal: Portal, address: string): Promise<string> {
  const email = await findNewestEmail(portal, address, /verification code/i);
  return /\b\d{6}\b/.exec(email.replace(/<[^>]*>/g, " "))?.[0] ?? "";
}
