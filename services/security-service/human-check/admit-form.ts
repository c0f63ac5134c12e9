import { Problem } from "#contracts/kit/problem.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { clientGroup, type TryLimit } from "../domain/try-limit.ts";
import type { SigningInClient } from "../http/client.ts";
import { tooManyTries } from "../http/too-many-tries.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { countTry, tryKey } from "../store/tries.ts";
import type { VisitorCheck } from "./visitor-check.ts";

export type FormPurpose =
  | "registration"
  | "registrationCode"
  | "invitationCode"
  | "passwordReset"
  | "contact"
  | "statusUpdates";

/**
 * Admits a public form. With a valid token it counts against a generous limit, without one (no scripts, or the provider
 * is unavailable) against a tight one, each per client address and purpose.
 * @throws Problem invalid_input at `recaptchaToken` when the check failed, too_many_requests with the seconds to wait
 */
export type AdmitForm = (form: {
  purpose: FormPurpose;
  client: SigningInClient;
  recaptchaToken: string | undefined;
}) => Promise<void>;

const windowMilliseconds = 60 * 60 * 1_000;
/** Allows for a class or an office behind one address. Wrong tokens count, too, to limit the calls to the provider. */
const checkedLimit: TryLimit = { tries: 100, windowMilliseconds };
const uncheckedLimit: TryLimit = { tries: 20, windowMilliseconds };
/** Only the holder of a mailed link can request a code, and may need another one. */
const uncheckedCodeLimit: TryLimit = { tries: 40, windowMilliseconds };

const uncheckedLimits: Record<FormPurpose, TryLimit> = {
  registration: uncheckedLimit,
  registrationCode: uncheckedCodeLimit,
  invitationCode: uncheckedCodeLimit,
  passwordReset: uncheckedLimit,
  contact: uncheckedLimit,
  statusUpdates: uncheckedLimit,
};

export function createFormAdmission(options: { db: SecurityDatabase; clock: Clock; check: VisitorCheck }): AdmitForm {
  const { db, clock, check } = options;
  return async ({ purpose, client, recaptchaToken }) => {
    const now = clock.now();
    const requireWithin = async (kind: string, limit: TryLimit) => {
      const oldest = await countTry(db, tryKey(kind, purpose, clientGroup(client.address)), limit, now);
      if (oldest) throw tooManyTries("Too many forms came from your network.", oldest, limit, now);
    };
    // A form without scripts may send an empty field.
    if (recaptchaToken) {
      await requireWithin("checked-form", checkedLimit);
      const verdict = await check.judge(recaptchaToken, client.address);
      if (verdict === "right") return;
      if (verdict === "wrong") {
        const message = "The human check failed or has expired. Send the form again.";
        throw new Problem("invalid_input", message, { errors: [{ path: "recaptchaToken", message }] });
      }
    }
    await requireWithin("unchecked-form", uncheckedLimits[purpose]);
  };
}
