/** What a try at a webhook came to. */
export interface Outcome {
  delivered: boolean;
  /** Of the answer; null without one. */
  status: number | null;
  detail: string;
  /** Trying again can't help. */
  isFinal: boolean;
}

/** An answer counts when it is a success (RFC 9110, 15.3); 410 says that nobody listens there any more. */
export function judgeAnswer(host: string, status: number): Outcome {
  const delivered = status >= 200 && status < 300;
  const isRedirect = status >= 300 && status < 400;
  const said = `${host} answered ${status}.`;
  const detail = isRedirect ? `${said} Redirects are not followed: enter the address it leads to.` : said;
  return { delivered, status, detail, isFinal: status === 410 };
}

/** Letters are delivered once they wait in the mail's own queue, which tries again by itself. */
export function judgeRecipients(count: number): Outcome {
  const nobody =
    "There is nobody to send to: no member with an e-mail address is enabled, and no other address is confirmed.";
  const detail = count === 0 ? nobody : count === 1 ? "A letter is on its way." : `${count} letters are on their way.`;
  return { delivered: count > 0, status: null, detail, isFinal: true };
}
