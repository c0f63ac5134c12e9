import type { AlertMessage } from "#contracts/test-analyzer/alert-messages.ts";
import type { OutgoingEmail } from "../../kit/mail/mail.ts";
import { writeSubject } from "../domain/alert/words.ts";
import { writeBlocks } from "../domain/alert/written.ts";

/** One recipient of a mail channel. */
export interface Recipient {
  address: string;
  /** Chosen by the member with this address; unknown for other addresses. */
  timeZone?: string | undefined;
}

/** @param channelName where to change the subscription: alerts of a team are forwarded, and their readers ask */
export function createAlertEmail(
  { address, timeZone }: Recipient,
  message: AlertMessage,
  from: { channelName: string; origin: string },
): OutgoingEmail {
  return {
    to: { address },
    subject: writeSubject(message),
    blocks: [
      ...writeBlocks(message, from.origin, timeZone),
      { kind: "note", text: `You receive this email through the alert channel “${from.channelName}”.` },
    ],
  };
}
