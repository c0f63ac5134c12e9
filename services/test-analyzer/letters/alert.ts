import type { PostedLetter } from "../../kit/mail/mail.ts";
import type { AlertMessage } from "../contract/alert-messages.ts";
import { writeBlocks } from "../domain/alert/written.ts";

/** @param channelName where to have it changed: letters of a team are forwarded, and their readers ask */
export function alertLetter(
  to: string,
  message: AlertMessage,
  from: { channelName: string; origin: string },
): PostedLetter {
  return {
    to: { address: to },
    subject: message.title,
    blocks: [
      ...writeBlocks(message, from.origin),
      { kind: "note", text: `You receive this email through the alert channel “${from.channelName}”.` },
    ],
  };
}
