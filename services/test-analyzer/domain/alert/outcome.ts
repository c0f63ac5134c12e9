/** The result of one delivery attempt to a webhook. */
export interface Outcome {
  delivered: boolean;
  /** HTTP status; null without a response. */
  status: number | null;
  detail: string;
  /** A retry can't help. */
  isFinal: boolean;
}

/**
 * A success status means delivered (RFC 9110, 15.3); 410 means that the endpoint was removed.
 * @param final further statuses after which a retry can't help
 */
export function judgeResponse(host: string, status: number, final: readonly number[] = []): Outcome {
  const delivered = status >= 200 && status < 300;
  const isRedirect = status >= 300 && status < 400;
  const said = `${host} returned ${status}.`;
  const detail = isRedirect ? `${said} Redirects are not followed: enter the address it leads to.` : said;
  return { delivered, status, detail, isFinal: status === 410 || final.includes(status) };
}

/** Emails count as delivered once they are in the mail queue, which has its own retries. */
export function judgeRecipients(count: number): Outcome {
  const noRecipients =
    "There are no recipients: no member with an email address is enabled, and no other address is confirmed.";
  const detail = count === 0 ? noRecipients : count === 1 ? "An email was sent." : `${count} emails were sent.`;
  return { delivered: count > 0, status: null, detail, isFinal: true };
}
