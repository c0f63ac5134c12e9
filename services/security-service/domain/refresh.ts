/** The family of a sign-in ends with the browser's session cookie. */
export const sessionLifetimeMilliseconds = 10 * 60 * 60 * 1_000;
/** Long enough for the parallel requests of one page, too short for a stolen token. */
export const refreshGraceMilliseconds = 10_000;
/**
 * For the portal, which keeps tokens in a sealed cookie: a browser sends the old cookie until the response with the new
 * one has arrived, and a response may wait a minute for a run to finish.
 */
export const portalGraceMilliseconds = 2 * 60_000;
export const accessTokenSeconds = 300;

/**
 * Meaning of a use of a refresh token of a live family. `rotate`: its first use. `repeat`: a parallel request has used
 * it already, and both get the same successor. `reuse`: a spent token was presented later, so the family must end.
 */
export function judgeRefresh(usedAt: Date | null, now: Date, graceMilliseconds: number): "rotate" | "repeat" | "reuse" {
  if (!usedAt) return "rotate";
  return now.getTime() - usedAt.getTime() <= graceMilliseconds ? "repeat" : "reuse";
}

/** Lifetime of an access token in whole seconds: five minutes, and never beyond its family. */
export function accessSecondsUntil(sessionExpiresAt: Date, now: Date): number {
  return Math.min(accessTokenSeconds, Math.floor((sessionExpiresAt.getTime() - now.getTime()) / 1_000));
}
