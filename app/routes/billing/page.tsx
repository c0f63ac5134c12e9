import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { available, required } from "~/backend/answers";
import { href } from "~/href";
import { PlanCard, PlanCards } from "~/plans/plan-card";
import { priceWords } from "~/plans/plan-words";
import { requireViewer } from "~/session/guards";
import { Page } from "~/shell/page/page";
import { WorkspaceNav } from "~/shell/workspace-nav/workspace-nav";
import { LinkButton } from "~/ui/button/button";
import { Card } from "~/ui/card/card";
import { Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { UsageList } from "./usage-list";

export const meta: MetaFunction = () => [{ title: "Billing · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { portalService } = viewer.backend;
  const [organization, { items: plans }, usage] = await Promise.all([
    portalService.getCurrentOrganization().then(required),
    portalService.listPricing().then(required),
    portalService.getUsage().then(available),
  ]);
  const plan = plans.find(({ serviceId }) => serviceId === organization.serviceId);
  return { organizationName: organization.name, plan, plans, usage: usage?.items ?? [] };
}

/** Until plans are paid for here, those who run the portal arrange it on request. */
const contactAbout = (subject: string) => href("/contact", { subject });

export default function Billing() {
  const { organizationName, plan, plans, usage } = useLoaderData<typeof loader>();
  return (
    <>
      <WorkspaceNav path={href("/billing")} />
      <Page>
        <PageHeading title="Billing" description={`The plan of ${organizationName}, and what is used of it.`} />
        <Card
          title={plan ? plan.name : "No plan chosen yet"}
          description={
            plan ? priceWords(plan.price) : "Choose one below: it says how much you can register, test and keep."
          }
          actions={
            plan &&
            Number(plan.price.amount) > 0 && (
              <LinkButton href={contactAbout(`Subscribe to the plan ${plan.name}`)}>Subscribe by mail</LinkButton>
            )
          }
        >
          <UsageList usage={usage} />
        </Card>
        <section aria-labelledby="plans">
          <Stack>
            <div>
              <h2 id="plans">Plans</h2>
              <p>
                To change the plan, write to us which one you want. Nothing is charged before you have agreed to it.
              </p>
            </div>
            <PlanCards>
              {plans.map((one) => {
                const current = one.serviceId === plan?.serviceId;
                return (
                  <PlanCard
                    key={one.serviceId}
                    plan={one}
                    mark={current ? "Your plan" : undefined}
                    action={
                      !current && (
                        <LinkButton href={contactAbout(`Change to the plan ${one.name}`)} fullWidth>
                          Request {one.name}
                        </LinkButton>
                      )
                    }
                  />
                );
              })}
            </PlanCards>
          </Stack>
        </section>
      </Page>
    </>
  );
}
