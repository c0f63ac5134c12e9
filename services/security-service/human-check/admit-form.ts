import { Problem } from "#contracts/kit/problem.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { clientGroup, type TryLimit } from "../domain/try-limit.ts";
import type { SigningInClient } from "../http/client.ts";
import { tooManyTries } from "../http/too-many-tries.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { countTry, tryKey } from "../store/tries.ts";
import type { VisitorCheck } from "./visitor-check.ts";

export type FormPurpose = "registration" | "registrationCode" | "invitationCode" | "passwordReset" | "contact";

/**
 * Lets a form through that anybody can send. With a right token it counts against a generous limit, without one (no
 * script, or a provider that is away) against a tight one, each for one client's address and one purpose.
 * @throws Problem invalid_input at `recaptchaToken` when the check failed, too_many_requests with the seconds to wait
 */
export type AdmitForm = (form: {
  purpose: FormPurpose;
  client: SigningInClient;
  recaptchaToken: string | undefined;
}) => Promise<void>;

const windowMilliseconds = 60 * 60 * 1_000;
/** A class or an office behind one address. Wrong tokens count, too, so that nobody can have a provider asked without end. */
const checkedLimit: TryLimit = { tries: 100, windowMilliseconds };
const uncheckedLimit: TryLimit = { tries: 20, windowMilliseconds };
/** Only who holds a mailed link can ask for a code, and may want another one. */
const uncheckedCodeLimit: TryLimit = { tries: 40, windowMilliseconds };

const uncheckedLimits: Record<FormPurpose, TryLimit> = {
  registration: uncheckedLimit,
  registrationCode: uncheckedCodeLimit,
  invitationCode: uncheckedCodeLimit,
  passwordReset: uncheckedLimit,
  contact: uncheckedLimit,
};

export function createFormAdmission(options: { db: SecurityDatabase; clock: Clock; check: VisitorCheck }): AdmitForm {
  const { db, clock, check } = options;
  return async ({ purpose, client, recaptchaToken }) => {
    const now = clock.now();
    const requireWithin = async (kind: string, limit: TryLimit) => {
      const oldest = await countTry(db, tryKey(kind, purpose, clientGroup(client.address)), limit, now);
      if (oldest) throw tooManyTries("Too many forms came from your network.", oldest, limit, now);
    };
    // A form without script may send the field empty.
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
