import { google } from "./single-sign-on.ts";

/** Long enough to set up an app or a passkey. */
const confirmationMilliseconds = 10 * 60_000;

/**
 * Until when a sign-in at an organization's provider stands in for the password that an account does not have.
 * @param signedOnAt null for a session that began with a password
 * @returns undefined where it does not any more
 */
export function confirmedUntil(signedOnAt: Date | null, now: Date): Date | undefined {
  const until = signedOnAt && new Date(signedOnAt.getTime() + confirmationMilliseconds);
  return until && until > now ? until : undefined;
}

/** How a provider is told to ask also those whom it has signed in; Google asks for the account at most. */
export const promptToAskAgain = (issuer: string) => (issuer === google ? "select_account" : "login");

/**
 * When somebody who comes back from a provider signed in there. One that remembers them from this morning says so in
 * `auth_time`, if it says anything; what it says of the future is its clock's fault.
 */
export function signedOnAt({ auth_time: toldSeconds }: Record<string, unknown>, now: Date): Date {
  if (typeof toldSeconds !== "number" || !Number.isFinite(toldSeconds)) return now;
  return new Date(Math.max(0, Math.min(now.getTime(), toldSeconds * 1_000)));
}
