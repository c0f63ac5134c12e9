import { useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData } from "@remix-run/react";
import { planCurrencies } from "#contracts/portal-service/operated-plans.ts";
import { fieldProps } from "~/forms/field-props";
import { PageForm } from "~/forms/page-form";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Select } from "~/ui/select/select";
import { PlanFields } from "./plan-fields";
import { type NewPlan, newPlanForm } from "./plan-form";
import { AmountField, TrialField } from "./price-field";
import { offeredToast } from "./price-words";

export const meta: MetaFunction = () => [{ title: "Create a plan · API Assurance" }];

const list = href("/administration/system/plans");
const currencyNames = new Intl.DisplayNames("en", { type: "currency" });

export async function loader({ request, context }: LoaderFunctionArgs) {
  await requireViewer(request, context);
  return null;
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const submission = await parseSubmission(request, newPlanForm);
  if (submission.status !== "success") return rejected(submission);
  const created = await backend.portalService.createPlan({ body: submission.value });
  if (!created.ok) return rejected(submission, created.problem);
  const { serviceId } = created.value;
  return redirectWithToast(
    context,
    href("/administration/system/plans/:serviceId", { serviceId }),
    offeredToast(created.value),
  );
}

export default function CreatePlan() {
  const stored = useSavedResult();
  const [form, fields] = useForm<NewPlan>({
    id: "plan",
    lastResult: useActionData<typeof action>() ?? stored,
    defaultValue: { price: { currency: "USD", trialDays: "0" } },
  });
  const price = fields.price.getFieldset();
  return (
    <>
      <PageHeading
        title="Create a plan"
        breadcrumbs={[{ label: "Plans and prices", href: list }, { label: "Create" }]}
        description="It is offered as soon as it is created."
      />
      <PageForm form={form} submitLabel="Create and offer plan" cancelHref={list}>
        <Stack gap="huge">
          <PlanFields fields={fields} />
          <AmountField field={price.amount} />
          <Select
            label="Currency"
            hint="It remains as long as the plan exists."
            options={planCurrencies.map((value) => ({ value, label: `${value}, ${currencyNames.of(value)}` }))}
            {...fieldProps(price.currency)}
          />
          <TrialField field={price.trialDays} />
        </Stack>
      </PageForm>
    </>
  );
}
