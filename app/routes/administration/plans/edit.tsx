import { useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { PageForm } from "~/forms/page-form";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { PlanFields } from "./plan-fields";
import { type NewPlan, planContentForm } from "./plan-form";
import { ShortfallNotice } from "./shortfall-notice";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `Edit ${data?.plan.name ?? "a plan"} · API Assurance` },
];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const serviceId = String(params.serviceId);
  return { plan: required(await backend.portalService.getOperatedPlan({ params: { serviceId } })) };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const serviceId = String(params.serviceId);
  const submission = await parseSubmission(request, planContentForm);
  if (submission.status !== "success") return rejected(submission);
  const changed = await backend.portalService.changePlan({ params: { serviceId }, body: submission.value });
  if (!changed.ok) return rejected(submission, changed.problem);
  const page = href("/administration/system/plans/:serviceId", { serviceId });
  return redirectWithToast(context, page, `${changed.value.name} is saved. It applies to everyone on the plan.`);
}

const typed = (limit: number | null) => (limit === null ? undefined : String(limit));

export default function EditPlan() {
  const { plan } = useLoaderData<typeof loader>();
  const { serviceId, name, description, limits } = plan;
  const stored = useSavedResult();
  const [form, fields] = useForm<Pick<NewPlan, "name" | "description" | "limits">>({
    id: "plan",
    lastResult: useActionData<typeof action>() ?? stored,
    defaultValue: {
      ...{ name, description },
      limits: {
        apis: typed(limits.apis),
        tests: typed(limits.tests),
        executionsPerMonth: typed(limits.executionsPerMonth),
        members: typed(limits.members),
        shortestIntervalSeconds: typed(limits.shortestIntervalSeconds),
        retentionDays: typed(limits.retentionDays),
      },
    },
  });
  const page = href("/administration/system/plans/:serviceId", { serviceId });
  return (
    <>
      <PageHeading
        title={`Edit ${name}`}
        description="Takes effect immediately for everyone on the plan. Anything above a lowered limit stays readable, and its schedules pause."
        breadcrumbs={[
          { label: "Plans and prices", href: href("/administration/system/plans") },
          { label: name, href: page },
          { label: "Edit" },
        ]}
      />
      <ShortfallNotice limits={limits} />
      <PageForm form={form} submitLabel="Save" cancelHref={page}>
        <PlanFields fields={fields} />
      </PageForm>
    </>
  );
}
