import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { LinkButton } from "~/ui/button/button";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { PlanTable } from "./plan-table";

export const meta: MetaFunction = () => [{ title: "Plans and prices · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  return required(await backend.portalService.listOperatedPlans());
}

export default function Plans() {
  const { items } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeading
        title="Plans and prices"
        description="Plans people can subscribe to. New prices apply to new subscribers; existing subscribers keep theirs."
        actions={
          <LinkButton href={href("/administration/system/plans/create")} variant="primary" icon="plus">
            Create a plan
          </LinkButton>
        }
      />
      <PlanTable plans={items} />
    </>
  );
}
