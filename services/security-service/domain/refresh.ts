/** The family of one sign-in ends with the browser's session cookie. */
export const sessionLifetimeMilliseconds = 10 * 60 * 60 * 1_000;
/** Long enough for the parallel requests of one page, too short for a thief who copied a token. */
export const refreshGraceMilliseconds = 10_000;
/**
 * For the portal, which keeps tokens in a sealed cookie: a browser goes on sending the old cookie until the answer that
 * carries the new one has arrived, and an answer may wait a minute for a run to finish.
 */
export const portalGraceMilliseconds = 2 * 60_000;
export const accessTokenSeconds = 300;

/**
 * What using a refresh token of a living family means. `rotate`: its first use. `repeat`: another request of the same
 * moment used it already, and gets the same successor. `reuse`: somebody kept a spent token, so the family must end.
 */
export function judgeRefresh(usedAt: Date | null, now: Date, graceMilliseconds: number): "rotate" | "repeat" | "reuse" {
  if (!usedAt) return "rotate";
  return now.getTime() - usedAt.getTime() <= graceMilliseconds ? "repeat" : "reuse";
}

/** Whole seconds an access token may live: five minutes, and never longer than its family. */
export function accessSecondsUntil(sessionExpiresAt: Date, now: Date): number {
  return Math.min(accessTokenSeconds, Math.floor((sessionExpiresAt.getTime() - now.getTime()) / 1_000));
}
