import type { UpdateKind } from "#contracts/test-analyzer/status-updates.ts";
import type { EmailState } from "../../kit/mail/email.ts";
import type { OutgoingEmail } from "../../kit/mail/mail.ts";
import type { Update } from "../domain/status-update.ts";

/** Anyone can have this sent to any address, so nothing of the visitor's is in it except the address. */
export function createSubscriptionEmail(
  to: string,
  { pageTitle, href }: { pageTitle: string; href: string },
): OutgoingEmail {
  return {
    to: { address: to },
    subject: "Do you want updates of this status page?",
    blocks: [
      {
        kind: "paragraph",
        text: "This address was entered to receive emails when something changes on a status page:",
      },
      { kind: "quote", text: pageTitle },
      { kind: "button", name: "See the page, and confirm", href },
      { kind: "paragraph", text: "The link is valid for 7 days." },
      { kind: "note", text: "If you did not expect this, ignore this email: nothing is sent unless you confirm." },
    ],
  };
}

/** In response to the form, whose page is the same for every address. */
export function createSubscribedAlreadyEmail(
  to: string,
  { pageTitle, endHref }: { pageTitle: string; endHref: string },
): OutgoingEmail {
  return {
    to: { address: to },
    subject: "You receive updates of this status page already",
    blocks: [
      {
        kind: "paragraph",
        text: "This address was entered to receive updates of a status page, and it does receive them:",
      },
      { kind: "quote", text: pageTitle },
      { kind: "button", name: "End them", href: endHref },
    ],
  };
}

export interface UpdateLinks {
  pageHref: string;
  /** Page that asks. */
  endHref: string;
  /** Ends them by one POST (RFC 8058). */
  oneClickHref: string;
}

const states: Record<UpdateKind, EmailState> = {
  opened: { tone: "danger", word: "Incident" },
  changed: { tone: "danger", word: "Incident, changed" },
  resolved: { tone: "success", word: "Resolved" },
  message: { tone: "neutral", word: "Announcement" },
};

/** What happened on a status page. */
export function createUpdatesEmail(
  to: string,
  {
    pageTitle,
    updates,
    pageHref,
    endHref,
    oneClickHref,
  }: UpdateLinks & { pageTitle: string; updates: readonly Update[] },
): OutgoingEmail {
  const [first, ...others] = updates;
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  return {
    to: { address: to },
    unsubscribeHref: oneClickHref,
    ...(first ? { state: states[first.kind] } : {}),
    subject: `${pageTitle}: ${first?.title ?? ""}${more}`,
    blocks: [
      ...updates.map(({ title, text }) => ({ kind: "quote" as const, text: text ? `${title}\n${text}` : title })),
      { kind: "button", name: "Open the status page", href: pageHref },
      {
        kind: "note",
        text: "You receive this because this address confirmed it. To end these emails, open:",
        href: endHref,
      },
    ],
  };
}
