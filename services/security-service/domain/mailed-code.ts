export const codeMilliseconds = 10 * 60_000;
/** Five of a million: with four new codes an hour, a day's guessing succeeds once in 2,000. */
const maxWrongTries = 5;

export const codePauseMilliseconds = 30_000;
export const codeWindowMilliseconds = 60 * 60_000;
const maxCodesInWindow = 5;

export interface MailedCode {
  hash: string | null;
  expiresAt: Date | null;
  wrongTries: number;
}

/** Result of a try with a code. Only `wrong` counts against the code. */
export function judgeCode(code: MailedCode, triedHash: string, now: Date): "right" | "wrong" | "ended" {
  if (!code.hash || !code.expiresAt || code.expiresAt <= now || code.wrongTries >= maxWrongTries) return "ended";
  return code.hash === triedHash ? "right" : "wrong";
}

/**
 * Whole seconds until another code may be sent, 0 for now.
 * @param sentAt when codes were sent, oldest first; entries older than an hour may be omitted
 */
export function secondsUntilNextCode(sentAt: Date[], now: Date): number {
  const newest = sentAt.at(-1);
  const oldestCounted = sentAt.at(-maxCodesInWindow);
  const waits = [
    newest ? newest.getTime() + codePauseMilliseconds : 0,
    sentAt.length >= maxCodesInWindow && oldestCounted ? oldestCounted.getTime() + codeWindowMilliseconds : 0,
  ];
  return Math.max(0, Math.ceil((Math.max(...waits) - now.getTime()) / 1_000));
}
