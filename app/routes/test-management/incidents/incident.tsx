import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { available, required } from "~/backend/responses";
import { IncidentStateBadge, SeverityBadge } from "~/features/incidents/incident-badges";
import { causeWords, unsteadyWords } from "~/features/incidents/incident-words";
import { newRunKey } from "~/features/runs/start-run.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { getTimeZone } from "~/session/time-zone";
import { Page } from "~/shell/page/page";
import { Card } from "~/ui/card/card";
import { Dialog } from "~/ui/dialog/dialog";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { CommentEditor } from "./comment-editor";
import { handleIncidentAction } from "./incident-action.server";
import { IncidentActions } from "./incident-actions";
import { IncidentDetails } from "./incident-details";
import { IncidentEntries } from "./incident-entries";
import { IncidentTests } from "./incident-tests";
import { MuteUntil } from "./mute-until";
import { NotifiedNotice } from "./notified-notice";
import { WhatChanged } from "./what-changed";

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.incident.title ?? "Incident"} · API Assurance` },
];

const dayMilliseconds = 86_400_000;
const maxMarks = 10;

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const incidentId = params.incidentId!;
  const search = new URL(request.url).searchParams;
  const cursor = search.get("cursor") || undefined;
  const { getIncident, listIncidentEntries, listMarks } = viewer.backend.testAnalyzer;
  const [incident, entries] = await Promise.all([
    getIncident({ params: { incidentId } }).then(required),
    listIncidentEntries({ params: { incidentId }, query: { cursor } }).then(required),
  ]);
  const { cause, since, apiId } = incident;
  const began = Date.parse(since);
  const day = { from: new Date(began - dayMilliseconds).toISOString(), to: new Date(began + 1).toISOString() };
  const testId = cause.kind === "test" ? cause.testId : undefined;
  const marks = await listMarks({ query: { apiId, testId, ...day, limit: maxMarks } }).then(available);
  return {
    incident,
    marks: marks?.items,
    commentId: search.get("commentId"),
    runKey: newRunKey(),
    entries: { ...entries, onLaterPage: Boolean(cursor) },
    here: href("/test-management/incidents/:incidentId", { incidentId }),
    dialog: search.get("dialog"),
    timeZone: getTimeZone(request, viewer.session),
    now: new Date().toISOString(),
    mayWrite: viewer.may("tests:write"),
    maySeeCredentials: viewer.may("credentials:manage"),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  return await handleIncidentAction(request, { viewer, context, incidentId: params.incidentId! });
}

export default function IncidentPage() {
  const { incident, entries, marks, here, dialog, commentId, runKey, ...shown } = useLoaderData<typeof loader>();
  const { timeZone, now, mayWrite, maySeeCredentials } = shown;
  const { title, cause, unsteady, state, severity } = incident;
  const result = useActionData<typeof action>();
  const mayAct = mayWrite && state !== "resolved";
  return (
    <Page>
      <PageHeading
        title={title}
        mark={
          <>
            <IncidentStateBadge state={state} /> <SeverityBadge severity={severity} />
          </>
        }
        description={unsteady ? `${causeWords(cause)} ${unsteadyWords}` : causeWords(cause)}
        actions={mayAct && <IncidentActions {...{ incident, here }} />}
      />
      {mayAct && dialog === "mute" && <MuteUntil {...{ timeZone, now, here }} result={result} />}
      <NotifiedNotice {...{ incident, mayWrite }} />
      <Card title="What broke">
        <IncidentDetails {...{ incident, now, maySeeCredentials }} />
      </Card>
      {cause.kind !== "document" && cause.kind !== "location" && <IncidentTests {...{ incident, now }} />}
      <WhatChanged apiId={incident.apiId} marks={marks} />
      <IncidentEntries
        {...{ entries, here, mayWrite }}
        editor={mayWrite && <CommentEditor {...{ here, runKey }} result={dialog === "mute" ? undefined : result} />}
      />
      {mayWrite && dialog === "deleteComment" && commentId && (
        <Dialog
          title="Delete this comment?"
          message="It is removed from the timeline. The audit log keeps that it was written and deleted."
          cancelHref={`${here}#timeline`}
          action={here}
          actions={[{ name: "Delete comment", value: "deleteComment", style: "danger", icon: "trash" }]}
          fields={{ commentId }}
        />
      )}
      {mayAct && dialog === "resolve" && (
        <Dialog
          title={`Resolve “${title}”?`}
          message="Everyone who was alerted is notified that it is resolved. Later failures open a new incident. It resolves automatically once what caused it is over."
          cancelHref={here}
          action={here}
          actions={[{ name: "Resolve incident", value: "resolve", icon: "check" }]}
        />
      )}
    </Page>
  );
}
