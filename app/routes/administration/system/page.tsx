import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { available, required } from "~/backend/responses";
import { readForm } from "~/forms/read-form.server";
import { requireViewer } from "~/session/guards";
import { Stack } from "~/ui/layout/layout";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { Notice } from "~/ui/notice/notice";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { ChangeCard } from "./change-card";
import { FullDiskNotice } from "./full-disk-notice";
import { LimitForm } from "./limit-form";
import { MailCard } from "./mail-card";
import { NetworkForm } from "./network-form";
import { RegistrationForm } from "./registration-form";
import { RetentionForm } from "./retention-form";
import { SectionTabs } from "./section-tabs";
import { readSection } from "./sections";
import { ServiceCard } from "./service-card";
import { findServiceStatuses, findWaitingWork } from "./service-statuses.server";
import { handleSettingsForm, isSettingsForm, type SettingsResult, undoChange } from "./settings-action.server";
import { handleSystemForm, type SystemResult } from "./system-action.server";
import { TargetCard } from "./target-card";
import { WorkCard } from "./work-card";

export const meta: MetaFunction = () => [{ title: "System configuration · API Assurance" }];

const displayedChanges = 10;

/** Only what the section shows, so that a service that is away delays no other section. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { backend, session } = await requireViewer(request, context);
  const search = new URL(request.url).searchParams;
  const section = readSection(search);
  const page = { section, address: request.url };
  switch (section) {
    case "services": {
      const [services, work] = await Promise.all([findServiceStatuses(context), findWaitingWork(backend)]);
      return { ...page, section, services, work };
    }
    case "mail": {
      const mail = available(await backend.portalService.getMail());
      return { ...page, section, mail, ownAddress: session.email };
    }
    case "changes": {
      const cursor = search.get("cursor") || undefined;
      const query = { cursor, limit: displayedChanges };
      const changes = required(await backend.securityService.listSettingChanges({ query }));
      return { ...page, section, changes, cursor };
    }
    default:
      return { ...page, section, settings: required(await backend.securityService.getSettings()) };
  }
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
  const { section } = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeading title="System configuration" description="Health and settings of this installation." />
      <SectionTabs current={section}>
        <Stack gap="huge">
          <CurrentSection />
        </Stack>
      </SectionTabs>
    </>
  );
}

function CurrentSection() {
  const page = useLoaderData<typeof loader>();
  const result = useActionData<SystemResult | SettingsResult>();
  switch (page.section) {
    case "services":
      return (
        <>
          {page.services.some(({ away }) => away.includes("storage")) && <FullDiskNotice />}
          <ServiceCard services={page.services} />
          <WorkCard work={page.work} />
        </>
      );
    case "limits":
      return <LimitForm {...page.settings} result={result?.form === "saveLimits" ? result : undefined} />;
    case "network":
      return (
        <>
          <NetworkForm
            values={page.settings.values}
            environment={page.settings.environmentEgressAllow}
            result={result?.form === "saveNetwork" ? result : undefined}
          />
          <TargetCard result={result?.form === "target" ? result : undefined} />
        </>
      );
    case "retention":
      return <RetentionForm {...page.settings} result={result?.form === "saveRetention" ? result : undefined} />;
    case "registration":
      return (
        <RegistrationForm
          isOn={page.settings.values.registrationByInvitation}
          result={result?.form === "saveRegistration" ? result : undefined}
        />
      );
    case "mail":
      if (!page.mail) return <Notice tone="warning" title="The email settings can't be shown at the moment" />;
      return (
        <MailCard
          mail={page.mail}
          ownAddress={page.ownAddress}
          result={result?.form === "letter" ? result : undefined}
        />
      );
    case "changes":
      return (
        <>
          <ChangeCard changes={page.changes.items} />
          <CursorPages
            label="Pages of changes"
            {...{ address: page.address, cursor: page.cursor }}
            nextCursor={page.changes.nextCursor}
          />
        </>
      );
  }
}
