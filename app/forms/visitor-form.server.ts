import type { HumanCheck } from "#contracts/security-service/human-check.ts";
import { readForm } from "~/forms/read-form.server";
import type { VisitorConnection } from "~/session/visitor";

/** The human check of a public form; undefined when security-service is unavailable. */
export async function findHumanCheck({ backend, headers }: VisitorConnection): Promise<HumanCheck | undefined> {
  const result = await backend.securityService.getHumanCheck({ headers });
  return result.ok ? result.value : undefined;
}

/** Parses a form with a human check. A provider's widget sets its own field name, which is mapped to ours. */
export async function readVisitorForm(request: Request): Promise<FormData> {
  const form = await readForm(request);
  const result = form.get("g-recaptcha-response");
  if (result) form.set("recaptchaToken", result);
  return form;
}
