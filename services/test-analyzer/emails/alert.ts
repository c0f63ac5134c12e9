import type { AlertMessage } from "#contracts/test-analyzer/alert-messages.ts";
import type { EmailState } from "../../kit/mail/email.ts";
import type { OutgoingEmail } from "../../kit/mail/mail.ts";
import { writeSubject } from "../domain/alert/words.ts";
import { writeBlocks } from "../domain/alert/written.ts";

/** One recipient of a mail channel. */
export interface Recipient {
  address: string;
  /** Chosen by the member with this address; unknown for other addresses. */
  timeZone?: string | undefined;
}

const states: Record<AlertMessage["kind"], EmailState> = {
  opened: { tone: "danger", word: "Incident" },
  reminder: { tone: "danger", word: "Still open" },
  recovered: { tone: "success", word: "Resolved" },
  burning: { tone: "warning", word: "Error budget" },
  steady: { tone: "success", word: "Error budget" },
  certificate: { tone: "warning", word: "Certificate" },
  test: { tone: "neutral", word: "Test" },
};

/** State, cause and what it is of, in one line. Titles of other kinds begin with their state. */
function toSubject(message: AlertMessage): string {
  const subject = writeSubject(message, { withCircles: true });
  return message.kind === "opened" ? `Incident: ${subject}` : subject;
}

/** @param channelName where to change the subscription: alerts of a team are forwarded, and their readers ask */
export function createAlertEmail(
  { address, timeZone }: Recipient,
  message: AlertMessage,
  from: { channelName: string; origin: string },
): OutgoingEmail {
  // Its short name behind each is used in other zones, too.
  const zone = timeZone && timeZone !== "UTC" && message.kind !== "test" ? ` Times are those of ${timeZone}.` : "";
  return {
    to: { address },
    state: states[message.kind],
    subject: toSubject(message),
    blocks: [
      ...writeBlocks(message, from.origin, timeZone),
      { kind: "note", text: `You receive this email through the alert channel “${from.channelName}”.${zone}` },
    ],
  };
}
