import type { HumanCheck } from "#contracts/security-service/human-check.ts";
import { readForm } from "~/forms/read-form.server";
import type { VisitorConnection } from "~/session/visitor";

/** What a form open to everybody has its sender do; undefined when security-service is away. */
export async function findHumanCheck({ backend, headers }: VisitorConnection): Promise<HumanCheck | undefined> {
  const answer = await backend.securityService.getHumanCheck({ headers });
  return answer.ok ? answer.value : undefined;
}

/** Reads a form with a human check. A provider's widget names its field itself; here it has ours. */
export async function readVisitorForm(request: Request): Promise<FormData> {
  const form = await readForm(request);
  const answer = form.get("g-recaptcha-response");
  if (answer) form.set("recaptchaToken", answer);
  return form;
}
