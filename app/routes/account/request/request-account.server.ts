import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { organizationName, type Registration, registrationRequest } from "#contracts/security-service/registration.ts";
import { listPlans } from "~/features/plans/list-plans.server";
import { pickedIn } from "~/features/plans/picked-plan";
import { rejected } from "~/forms/submission.server";
import { findHumanCheck, readVisitorForm } from "~/forms/visitor-form.server";
import { href } from "~/href";
import { requireVisitor } from "~/session/guards";
import { connectForVisitor } from "~/session/visitor";

const forms = {
  individual: registrationRequest.omit({ organizationName: true }),
  organization: registrationRequest.extend({ organizationName }),
};

export async function loadRequestForm({ request, context }: LoaderFunctionArgs) {
  const serviceId = pickedIn(new URL(request.url).search);
  requireVisitor(context, serviceId);
  if (context.registersByInvitation) throw redirect(href("/registration-type-selection", { serviceId }));
  const [plans, check] = await Promise.all([listPlans(context), connectForVisitor(context).then(findHumanCheck)]);
  return { plans, check, serviceId: serviceId ?? "" };
}

/** Requests the mail with the link. The response does not depend on whether the address has an account. */
export async function requestAccount({ request, context }: ActionFunctionArgs, kind: Registration["kind"]) {
  requireVisitor(context);
  const submission = parseWithZod(await readVisitorForm(request), { schema: forms[kind] });
  if (submission.status !== "success") return rejected(submission);
  const { backend, headers } = await connectForVisitor(context);
  const result = await backend.securityService.createRegistrationRequest({ headers, body: submission.value });
  if (!result.ok) return rejected(submission, result.problem);
  return redirect(href(`/create-account-${kind}-success`), 303);
}
