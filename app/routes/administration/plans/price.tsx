import { useForm } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { moneyWords, toDecimal } from "~/features/plans/plan-words";
import { PageForm } from "~/forms/page-form";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { useSavedResult } from "~/forms/use-saved-form";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { plural } from "~/ui/count/plural";
import { Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { type NewPrice as Price, priceForm } from "./plan-form";
import { AmountField, TrialField } from "./price-field";
import { freeWords, offeredToast } from "./price-words";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `New price of ${data?.plan.name ?? "a plan"} · API Assurance` },
];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const serviceId = String(params.serviceId);
  const plan = required(await backend.portalService.getOperatedPlan({ params: { serviceId } }));
  if (plan.isFree) throw new Response("The free plan has no price.", { status: 404 });
  return { plan };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const serviceId = String(params.serviceId);
  const submission = await parseSubmission(request, priceForm);
  if (submission.status !== "success") return rejected(submission);
  const priced = await backend.portalService.offerPlanPrice({ params: { serviceId }, body: submission.value });
  if (!priced.ok) return rejected(submission, priced.problem);
  const page = href("/administration/system/plans/:serviceId", { serviceId });
  return redirectWithToast(context, page, offeredToast(priced.value));
}

export default function NewPrice() {
  const { plan } = useLoaderData<typeof loader>();
  const { serviceId, name, price, trialDays, subscribers } = plan;
  const stored = useSavedResult();
  const [form, fields] = useForm<Price>({
    id: "price",
    lastResult: useActionData<typeof action>() ?? stored,
    defaultValue: { amount: String(toDecimal(price)), trialDays: String(trialDays) },
  });
  const page = href("/administration/system/plans/:serviceId", { serviceId });
  const stays =
    subscribers > 0
      ? `${plural(subscribers, "subscriber keeps", "subscribers keep")} the price they have, as long as they keep the plan.`
      : "No subscribers yet.";
  return (
    <>
      <PageHeading
        title={`New price of ${name}`}
        description={`It costs ${moneyWords(price)} a month.${freeWords(trialDays)} New prices apply to new subscribers. ${stays}`}
        breadcrumbs={[
          { label: "Plans and prices", href: href("/administration/system/plans") },
          { label: name, href: page },
          { label: "New price" },
        ]}
      />
      <PageForm form={form} submitLabel="Offer this price" cancelHref={page}>
        <Stack gap="huge">
          <AmountField field={fields.amount} currency={price.currency} />
          <TrialField field={fields.trialDays} />
        </Stack>
      </PageForm>
    </>
  );
}
