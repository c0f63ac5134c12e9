import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { available, required } from "~/backend/responses";
import { readForm } from "~/forms/read-form.server";
import { requireViewer } from "~/session/guards";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { AllowedTargetsCard } from "./allowed-targets-card";
import { ChangeCard } from "./change-card";
import { LimitCard } from "./limit-card";
import { MailCard } from "./mail-card";
import { RegistrationCard } from "./registration-card";
import { RetentionCard } from "./retention-card";
import { ServiceCard } from "./service-card";
import { findServiceStatuses, findWaitingWork } from "./service-statuses.server";
import { handleSettingsForm, isSettingsForm, type SettingsResult, undoChange } from "./settings-action.server";
import { handleSystemForm, type SystemResult } from "./system-action.server";
import { TargetCard } from "./target-card";
import { VerifiedDomainsCard } from "./verified-domains-card";
import { WorkCard } from "./work-card";

export const meta: MetaFunction = () => [{ title: "System configuration · API Assurance" }];

const displayedChanges = 10;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { backend, session } = await requireViewer(request, context);
  const cursor = new URL(request.url).searchParams.get("cursor") || undefined;
  const { getSettings, listSettingChanges } = backend.securityService;
  const [settings, changes, services, work, mail] = await Promise.all([
    getSettings().then(required),
    listSettingChanges({ query: { cursor, limit: displayedChanges } }).then(required),
    findServiceStatuses(context),
    findWaitingWork(backend),
    backend.portalService.getMail().then(available),
  ]);
  return { settings, changes, services, work, mail, ownAddress: session.email, cursor, address: request.url };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const form = await readForm(request);
  const intent = form.get("intent");
  if (intent === "undo") return await undoChange({ viewer, context, form });
  if (isSettingsForm(intent)) return await handleSettingsForm({ viewer, context, form }, intent);
  return await handleSystemForm(viewer.backend, form);
}

export default function SystemConfiguration() {
  const { settings, changes, services, work, mail, ownAddress, cursor, address } = useLoaderData<typeof loader>();
  const result = useActionData<SystemResult | SettingsResult>();
  return (
    <>
      <PageHeading title="System configuration" description="Health and settings of this installation." />
      <ServiceCard services={services} />
      <WorkCard work={work} />
      <LimitCard {...settings} result={result?.form === "saveLimits" ? result : undefined} />
      <AllowedTargetsCard
        targets={settings.values.egressAllow}
        environment={settings.environmentEgressAllow}
        result={result?.form === "saveTargets" ? result : undefined}
      />
      <VerifiedDomainsCard isOn={settings.values.verifiedDomainsOnly} />
      <RetentionCard {...settings} result={result?.form === "saveRetention" ? result : undefined} />
      <RegistrationCard isOn={settings.values.registrationByInvitation} />
      <TargetCard result={result?.form === "target" ? result : undefined} />
      {mail && <MailCard {...{ mail, ownAddress }} result={result?.form === "letter" ? result : undefined} />}
      <ChangeCard changes={changes.items} />
      <CursorPages label="Pages of changes" {...{ address, cursor }} nextCursor={changes.nextCursor} />
    </>
  );
}
