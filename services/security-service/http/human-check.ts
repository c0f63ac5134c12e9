import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { AdmitForm } from "../human-check/admit-form.ts";
import type { VisitorCheck } from "../human-check/visitor-check.ts";

/** Creates the handlers of the check at public forms. */
export function createHumanCheckHandlers({ check, admitForm }: { check: VisitorCheck; admitForm: AdmitForm }) {
  const handlers: Pick<Handlers<typeof securityServiceContract>, "getHumanCheck" | "admitVisitor"> = {
    getHumanCheck: () => check.ask(),
    async admitVisitor({ body }) {
      const { purpose, clientAddress, recaptchaToken } = body;
      await admitForm({ purpose, client: { address: clientAddress, userAgent: "" }, recaptchaToken });
      return undefined;
    },
  };
  return handlers;
}
