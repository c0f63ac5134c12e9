import type { Attempt } from "#contracts/test-executioner/attempts.ts";

/** Why a response yields no value; undefined where it may. */
export function whyUnreadable({ response, cause }: Pick<Attempt, "response" | "cause">): string | undefined {
  if (!response) return cause?.detail ?? "Nothing came back.";
  const { status, statusText, body, truncated } = response;
  if (status < 200 || status > 299) {
    const said = `It answered ${[status, statusText].filter(Boolean).join(" ")}.`;
    return status === 401 || status === 403 ? `${said} Its host needs a credential that may read this.` : said;
  }
  if (body === null || body === "") return "The answer has no text.";
  return truncated ? "The answer is longer than 1 MiB, so it can't be read whole." : undefined;
}
