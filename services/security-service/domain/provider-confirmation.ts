import { google } from "./single-sign-on.ts";

/** Long enough to set up an app or a passkey. */
const confirmationMilliseconds = 10 * 60_000;

/**
 * Until when a sign-in at an organization's provider replaces the password that an account does not have.
 * @param signedOnAt null for a session that began with a password
 * @returns undefined when it no longer does
 */
export function confirmedUntil(signedOnAt: Date | null, now: Date): Date | undefined {
  const until = signedOnAt && new Date(signedOnAt.getTime() + confirmationMilliseconds);
  return until && until > now ? until : undefined;
}

/** Parameters that ask a provider to authenticate users again; Google supports only choosing an account. */
export const promptToAskAgain = (issuer: string) => (issuer === google ? "select_account" : "login");

/**
 * When a returning user signed in at the provider. A provider with an existing session reports its start in
 * `auth_time`, if it reports anything; times in the future are attributed to its clock.
 */
export function signedOnAt({ auth_time: reportedSeconds }: Record<string, unknown>, now: Date): Date {
  if (typeof reportedSeconds !== "number" || !Number.isFinite(reportedSeconds)) return now;
  return new Date(Math.max(0, Math.min(now.getTime(), reportedSeconds * 1_000)));
}
