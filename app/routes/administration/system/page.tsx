import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { available } from "~/backend/answers";
import { readForm } from "~/forms/read-form.server";
import { requireViewer } from "~/session/guards";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { MailCard } from "./mail-card";
import { ServiceCard } from "./service-card";
import { findStandings, findWaitingWork } from "./standings.server";
import { answerSystemForm, type SystemAnswer } from "./system-action.server";
import { TargetCard } from "./target-card";
import { WorkCard } from "./work-card";

export const meta: MetaFunction = () => [{ title: "System configuration · API Assurance" }];

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { backend, session } = await requireViewer(request, context);
  const [services, work, mail] = await Promise.all([
    findStandings(context),
    findWaitingWork(backend),
    backend.portalService.getMail().then(available),
  ]);
  return { services, work, mail, ownAddress: session.email };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const { backend } = await requireViewer(request, context);
  return await answerSystemForm(backend, await readForm(request));
}

export default function SystemConfiguration() {
  const { services, work, mail, ownAddress } = useLoaderData<typeof loader>();
  const answer = useActionData<SystemAnswer>();
  return (
    <>
      <PageHeading title="System configuration" description="How this installation stands, and what it may do." />
      <ServiceCard services={services} />
      <WorkCard work={work} />
      <TargetCard answer={answer?.form === "target" ? answer : undefined} />
      {mail && <MailCard {...{ mail, ownAddress }} answer={answer?.form === "letter" ? answer : undefined} />}
    </>
  );
}
