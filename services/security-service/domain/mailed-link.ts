export type LinkPurpose = "registration" | "invitation" | "password_reset" | "email_change";

const minute = 60_000;
const hour = 60 * minute;

export const linkMilliseconds: Record<LinkPurpose, number> = {
  registration: 24 * hour,
  invitation: 7 * 24 * hour,
  password_reset: 30 * minute,
  email_change: 24 * hour,
};

/** Fields that determine whether a mailed link is still usable. */
export interface LinkState {
  expiresAt: Date;
  usedAt: Date | null;
  /** Tries to use it with a code, right or wrong. */
  tries: number;
}

/**
 * With the right code, each try reveals whether a username is taken: a link must not become a way to list usernames.
 */
const maxLinkTries = 20;

export function isLive(link: LinkState, now: Date): boolean {
  return link.usedAt === null && link.expiresAt > now && link.tries < maxLinkTries;
}

/** `24 hours`, `7 days`, for emails. */
export function durationInWords(milliseconds: number): string {
  const [count, unit] =
    milliseconds > 24 * hour
      ? [milliseconds / (24 * hour), "days"]
      : milliseconds > hour
        ? [milliseconds / hour, "hours"]
        : [milliseconds / minute, "minutes"];
  return `${count} ${unit}`;
}
