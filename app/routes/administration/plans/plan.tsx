import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { limitWords } from "~/features/plans/plan-words";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { Button, LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import { Dialog } from "~/ui/dialog/dialog";
import { Moment } from "~/ui/moment/moment";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { PlanState, PriceTable, planPrice } from "./plan-table";
import { freeWords } from "./price-words";
import { ShortfallNotice } from "./shortfall-notice";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.plan.name ?? "Plan"} · Plans and prices · API Assurance` },
];

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  const serviceId = String(params.serviceId);
  const plan = required(await backend.portalService.getOperatedPlan({ params: { serviceId } }));
  const dialog = new URL(request.url).searchParams.get("dialog");
  return { plan, asksToRetire: dialog === "retire" && !plan.isFree && plan.retiredAt === null };
}

/** Retires the plan, or reinstates it. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const { portalService } = (await requireViewer(request, context)).backend;
  const given = { params: { serviceId: String(params.serviceId) } };
  const page = href("/administration/system/plans/:serviceId", given.params);
  const intent = (await readForm(request)).get("intent");
  if (intent === "retire") {
    const { name } = required(await portalService.retirePlan(given));
    return redirectWithToast(context, page, `${name} is retired and closed to new subscribers.`);
  }
  if (intent !== "offer") throw new Response("No such action.", { status: 400 });
  const { name } = required(await portalService.offerPlan(given));
  return redirectWithToast(context, page, `${name} is offered again.`);
}

export default function PlanPage() {
  const { plan, asksToRetire } = useLoaderData<typeof loader>();
  const { serviceId, name, description, limits, isFree, retiredAt, prices, subscribers } = plan;
  const here = href("/administration/system/plans/:serviceId", { serviceId });
  return (
    <>
      <PageHeading
        title={name}
        mark={<PlanState retiredAt={retiredAt} />}
        description={`${description} ${isFree ? "Default plan for everyone without a paid plan." : `${planPrice(plan)} a month.${freeWords(plan.trialDays)}`}`}
        breadcrumbs={[{ label: "Plans and prices", href: href("/administration/system/plans") }, { label: name }]}
        actions={
          <>
            <LinkButton href={href("/administration/system/plans/:serviceId/edit", { serviceId })}>Edit</LinkButton>
            {!isFree && !retiredAt && <LinkButton href={`${here}?dialog=retire`}>Retire</LinkButton>}
            {retiredAt && (
              <form method="post" action={here}>
                <Button name="intent" value="offer">
                  Offer it again
                </Button>
              </form>
            )}
          </>
        }
      />
      <ShortfallNotice limits={limits} />
      {!isFree && (
        <Card
          title="Prices"
          description={
            retiredAt ? (
              <>
                Retired <Moment value={retiredAt} />. Existing subscribers keep it at their price.
              </>
            ) : (
              "New subscribers pay the latest price. Existing subscribers keep theirs."
            )
          }
          actions={
            !retiredAt && (
              <LinkButton href={href("/administration/system/plans/:serviceId/price", { serviceId })}>
                New price
              </LinkButton>
            )
          }
          flush
        >
          <PriceTable prices={prices} />
        </Card>
      )}
      <Card title="Limits">
        <ul>
          {limitWords(limits).map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      </Card>
      {asksToRetire && (
        <Dialog
          title={`Retire ${name}?`}
          message={`It is removed from the pricing section and closed to new subscribers. ${subscribers === 0 ? "No current subscribers." : `${plural(subscribers, "subscriber keeps", "subscribers keep")} it at the price they have.`} You can offer it again.`}
          cancelHref={here}
          action={here}
          actions={[{ name: "Retire the plan", value: "retire", style: "danger" }]}
        />
      )}
    </>
  );
}
