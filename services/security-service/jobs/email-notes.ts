import type { Clock } from "../../kit/clock/clock.ts";
import type { MailOptions } from "../../kit/mail/mail.ts";
import type { InvitationEventKind } from "../domain/invitation.ts";
import { invitationOfReference } from "../emails/invitation.ts";
import { insertEvents } from "../store/invitation-events.ts";
import { noteEmail } from "../store/invitations.ts";
import type { SecurityDatabase } from "../store/tables.ts";

/** Records the delivery of an email on its invitation. */
export function createEmailNotes(
  db: SecurityDatabase,
  clock: Clock,
): Required<Pick<MailOptions, "onHandedOver" | "onFailed">> {
  async function note(
    reference: string,
    change: Parameters<typeof noteEmail>[2],
    kind: InvitationEventKind,
    detail?: string,
  ): Promise<void> {
    const invitationId = invitationOfReference(reference);
    if (!invitationId) return;
    await db.transaction().execute(async (transaction) => {
      const noted = await noteEmail(transaction, invitationId, change);
      if (!noted) return;
      const { organizationId } = noted;
      await insertEvents(transaction, [
        { organizationId, invitationId, kind, at: clock.now(), ...(detail ? { detail } : {}) },
      ]);
    });
  }
  return {
    onHandedOver: (reference) => note(reference, { status: "SENT" }, "sent"),
    onFailed: (reference, { message, isFinal }) =>
      note(
        reference,
        { mail_failure: message, mail_given_up: isFinal },
        isFinal ? "mailGivenUp" : "mailFailed",
        message,
      ),
  };
}
