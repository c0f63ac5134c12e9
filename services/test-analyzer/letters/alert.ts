import type { AlertMessage } from "#contracts/test-analyzer/alert-messages.ts";
import type { OutgoingEmail } from "../../kit/mail/mail.ts";
import { writeBlocks } from "../domain/alert/written.ts";

/** One that a mail channel reaches. */
export interface Recipient {
  address: string;
  /** Chosen by the member who has the address; nothing is known of other addresses' readers. */
  timeZone?: string | undefined;
}

/** @param channelName where to have it changed: letters of a team are forwarded, and their readers ask */
export function alertLetter(
  { address, timeZone }: Recipient,
  message: AlertMessage,
  from: { channelName: string; origin: string },
): OutgoingEmail {
  return {
    to: { address },
    subject: message.title,
    blocks: [
      ...writeBlocks(message, from.origin, timeZone),
      { kind: "note", text: `You receive this email through the alert channel “${from.channelName}”.` },
    ],
  };
}
