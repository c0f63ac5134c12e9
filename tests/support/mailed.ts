import type { RunningPortal } from "./portal-process.ts";
import { findNewestEmail } from "./sandbox-letters.ts";

type Portal = Pick<RunningPortal, "origin">;

/** Address of the button in the newest matching email. */
export async function mailedLink(portal: Portal, address: string, subject: RegExp): Promise<string> {
  const letter = await findNewestEmail(portal, address, subject);
  const link = /href="([^"]*[?&]token=[^"]*)"/.exec(letter)?.[1];
  if (!link) throw new Error(`The letter ${subject} to ${address} has no link:\n${letter}`);
  return link.replaceAll("&amp;", "&");
}

/** The digits of the newest verification code. */
export async function mailedCode(portal: Portal, address: string): Promise<string> {
  const letter = await findNewestEmail(portal, address, /verification code/i);
  return /\b\d{6}\b/.exec(letter.replace(/<[^>]*>/g, " "))?.[0] ?? "";
}
