import type { Invitation, InvitationEvent } from "#contracts/security-service/invitations.ts";
import type { IconName } from "~/ui/icon/icon";
import type { Tone } from "~/ui/tone";

interface StateWords {
  word: string;
  tone: Tone;
  icon: IconName;
  meaning: string;
}

const states: Record<Invitation["status"], StateWords> = {
  PENDING: { word: "Being sent", tone: "neutral", icon: "clock", meaning: "The email is about to be sent." },
  SENT: {
    word: "Not accepted yet",
    tone: "info",
    icon: "mail",
    meaning: "The email was sent. The invitation has not been accepted yet.",
  },
  ACCEPTED: { word: "Accepted", tone: "success", icon: "check", meaning: "The account has been created." },
  CANCELLED: { word: "Cancelled", tone: "neutral", icon: "close", meaning: "Its link no longer works." },
  EXPIRED: { word: "Expired", tone: "warning", icon: "clock", meaning: "Expired" },
};
const failing: StateWords = {
  word: "Email not delivered yet",
  tone: "warning",
  icon: "warning",
  meaning: "The email could not be sent and is retried for an hour and a half.",
};
const failed: StateWords = {
  word: "Email failed",
  tone: "danger",
  icon: "cross",
  meaning: "The email could not be sent and is not retried automatically.",
};

/** The status of an invitation. An undeliverable one says so, since it will never be accepted. */
export function getStatusWords({ status, mailFailure }: Pick<Invitation, "status" | "mailFailure">): StateWords {
  if (status !== "PENDING" || !mailFailure) return states[status];
  return mailFailure.isFinal ? failed : failing;
}

export const isOpen = ({ status }: Pick<Invitation, "status">): boolean => status === "PENDING" || status === "SENT";

const events: Record<InvitationEvent["kind"], string> = {
  invited: "Invited",
  resent: "Sent again, with a new link",
  sent: "Email sent",
  mailFailed: "Email not sent, retrying",
  mailGivenUp: "Email not delivered",
  accepted: "Accepted",
  cancelled: "Cancelled",
  replaced: "Replaced by a new invitation",
};

/** What happened, and who did it. */
export function eventInWords({ kind, by }: Pick<InvitationEvent, "kind" | "by">): string {
  return by ? `${events[kind]} by ${by}` : events[kind];
}

/** The list's filters, and the statuses that each requests. */
export const filters = {
  open: { label: "Open", statuses: "PENDING,SENT" },
  accepted: { label: "Accepted", statuses: "ACCEPTED" },
  expired: { label: "Expired", statuses: "EXPIRED" },
  cancelled: { label: "Cancelled", statuses: "CANCELLED" },
  all: { label: "All", statuses: undefined },
} as const;
export type Filter = keyof typeof filters;
