import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData, useLocation } from "@remix-run/react";
import type { Verification } from "#contracts/test-analyzer/verifications.ts";
import type { Execution } from "#contracts/test-executioner/executions.ts";
import { available, required } from "~/backend/responses";
import { findNeedOfRefusal, isRefusal } from "~/features/authentication/find-need-of-refusal.server";
import { NeedNotice } from "~/features/authentication/need-notice";
import { IncidentsOfRun } from "~/features/incidents/incidents-of-run";
import { findIncidentsOfRun } from "~/features/incidents/incidents-of-run.server";
import { findAgentName } from "~/features/locations/agent-name.server";
import { NotRunNotice } from "~/features/locations/sent-from";
import { findSentFrom } from "~/features/locations/sent-from.server";
import { findNotices } from "~/features/notices/find-notices.server";
import { missedId, TestNotices } from "~/features/notices/test-notices";
import { isFailing } from "~/features/runs/run-words";
import { newRunKey, readRunKey, startAndShow } from "~/features/runs/start-run.server";
import { getStatus, isUnfinished, statusWords } from "~/features/verdict/verdict-words";
import { whyInWords } from "~/features/verdict/why-in-words";
import { readForm } from "~/forms/read-form.server";
import { href, toSearch } from "~/href";
import { Island } from "~/islands/island";
import { RunningNotice } from "~/islands/running-execution/running-notice";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { type ApiPageHandle, titleWithin } from "~/shell/api-header/api-handle";
import { Grid } from "~/ui/layout/layout";
import { acceptAsExpected, findAcceptance } from "./accept.server";
import { AcceptDialog } from "./accept-dialog";
import { getDocumentedLocations } from "./documented-locations";
import { ExecutionHeading } from "./execution-heading";
import { ExecutionResults } from "./execution-results";
import { findDocumented } from "./find-documented.server";
import { requireExecution } from "./require-execution.server";
import { VerdictStory } from "./verdict-story";
import { VerificationList } from "./verification-list";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  titleWithin(
    matches,
    data ? `${data.execution.testName}, ${statusWords[getStatus(data.execution)].word.toLowerCase()}` : "Execution",
  );

export const handle: ApiPageHandle = {
  crumbs({ data, params }) {
    const { testName } = (data as { execution?: Execution } | undefined)?.execution ?? {};
    const { apiId = "", testId = "" } = params;
    return [
      {
        label: testName ?? "Test",
        href: href("/test-management/:apiId/tests/:testId/executions/list", { apiId, testId }),
      },
    ];
  },
};

/** `…/verifications` and `…/results` are two addresses of this page. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const executionId = params.testExecutionId!;
  const search = new URL(request.url).searchParams;
  const [execution, verifications] = await Promise.all([
    requireExecution(viewer, params),
    viewer.backend.testAnalyzer.listVerifications({ params: { executionId } }).then(available),
  ]);
  const { runId, apiId } = execution;
  const { testExecutioner } = viewer.backend;
  const run = required(await testExecutioner.getRun({ params: { runId }, query: { limit: 1 } }));
  const environment = run.apis.find((api) => api.apiId === apiId)?.environment ?? null;
  const { testId } = execution;
  const { agentId } = execution;
  const [since, incidents, need, noticed, tracing, sentFrom, agentName] = await Promise.all([
    isFailing(execution) ? testExecutioner.compareExecution({ params: { executionId } }).then(required) : undefined,
    isFailing(execution)
      ? findIncidentsOfRun(viewer.backend, { finishedAt: execution.finishedAt, testIds: [execution.testId] })
      : [],
    isRefusal(execution) ? findNeedOfRefusal(viewer, { ...execution, environment }) : undefined,
    execution.verdict === "passed" ? findNotices(viewer, testId) : undefined,
    execution.attempts.some(({ trace }) => trace)
      ? viewer.backend.securityService.getTracing().then(available)
      : undefined,
    findSentFrom(viewer, [execution.locationId]),
    findAgentName(viewer, agentId),
  ]);
  const { source, counts } = run;
  const documentId = run.apis.find((api) => api.apiId === apiId)?.documentId;
  const documented = await findDocumented(viewer, { ...execution, documentId }, verifications?.items);
  return {
    execution,
    verifications: verifications?.items,
    places: verifications?.items.map((verification) => getDocumentedLocations(verification, documented)) ?? [],
    since,
    noticed,
    incidents,
    traceLink: tracing?.linkTemplate,
    acceptance:
      search.get("dialog") === "accept" && verifications && !need
        ? await findAcceptance(viewer, execution.testId, Number(search.get("assertion")), verifications.items)
        : undefined,
    sentFrom,
    agentName,
    run: { id: runId, source, counts, environment },
    need,
    mayStore: viewer.may("credentials:manage"),
    mayChangeApi: viewer.may("apis:write"),
    mayRun: viewer.may("tests:run"),
    mayWrite: viewer.may("tests:write"),
    runKey: newRunKey(),
    now: new Date().toISOString(),
  };
}

/** Runs the test again, cancels this execution while it waits, or makes the actual value the expected one. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { apiId, testId, testExecutionId } = params as Record<"apiId" | "testId" | "testExecutionId", string>;
  const here = new URL(request.url).pathname;
  const form = await readForm(request);
  if (form.get("intent") === "cancel") {
    const result = await viewer.backend.testExecutioner.cancelExecution({ params: { executionId: testExecutionId } });
    if (!result.ok && result.status === 409) {
      return redirectWithToast(context, here, { message: result.problem.detail, variant: "warning" });
    }
    required(result);
    return redirectWithToast(context, here, "The execution was cancelled.");
  }
  if (form.get("intent") === "accept") {
    const execution = await requireExecution(viewer, params);
    if (isRefusal(execution) && (await findNeedOfRefusal(viewer, execution))) {
      const message = "Store the required credential, then run it again.";
      return redirectWithToast(context, here, { title: "This can't be accepted", message, variant: "warning" });
    }
    const judged = await viewer.backend.testAnalyzer.listVerifications({ params: { executionId: testExecutionId } });
    return await acceptAsExpected(viewer, context, form, { here, testId, verifications: required(judged).items });
  }
  return await startAndShow({
    ...{ viewer, context, runPage: { apiId }, runKey: readRunKey(form) },
    subject: testId,
    run: { source: { tests: [testId] }, trigger: "rerun" },
    otherwise: here,
  });
}

export default function ExecutionPage() {
  const {
    execution: loaded,
    verifications: judged,
    places,
    since,
    noticed,
    incidents,
    traceLink,
    acceptance,
    sentFrom,
    agentName,
    run,
    need,
    now,
    ...may
  } = useLoaderData<typeof loader>();
  const { pathname } = useLocation();
  const execution = loaded as Execution;
  const verifications = judged as Verification[] | undefined;
  const { id, apiId, testId } = execution;
  const location = { apiId, testId, testExecutionId: id };
  const unfinished = isUnfinished(execution);
  const isWaiting = execution.state === "queued";
  const [place] = sentFrom;
  return (
    <>
      <ExecutionHeading execution={execution} {...may} />
      {(isWaiting || execution.cause?.code === "location_silent") && <NotRunNotice locations={sentFrom} />}
      {unfinished ? (
        <Island
          name="running-execution"
          component={RunningNotice}
          props={{
            eventsHref: href("/test-management/:apiId/tests/:testId/executions/:testExecutionId/events", location),
            refreshHref: pathname,
            sentence: isWaiting && place?.name ? `Waiting for an agent of ${place.name}.` : whyInWords(execution),
            title: isWaiting ? "This execution is queued" : "This execution is running",
          }}
        />
      ) : (
        <>
          <VerdictStory {...{ execution, run, agentName, since, now }} sentFrom={place} />
          <NeedNotice
            {...{ apiId, need }}
            returnTo={pathname}
            mayStore={may.mayStore}
            mayChangeApi={may.mayChangeApi}
          />
          <IncidentsOfRun incidents={incidents} />
          {noticed && (
            <TestNotices {...{ apiId, ...noticed }} mayWrite={may.mayWrite} returnTo={`${pathname}#${missedId}`} />
          )}
          <Grid cell="large" gap="huge">
            <VerificationList
              verifications={verifications}
              locations={places}
              reference={execution}
              getAcceptHref={
                may.mayWrite && !need ? (assertion) => pathname + toSearch({ dialog: "accept", assertion }) : undefined
              }
            />
            <ExecutionResults
              execution={execution}
              {...{ traceLink }}
              verifications={verifications ?? []}
              isRequested={pathname.endsWith("/results") && !acceptance}
            />
          </Grid>
          {acceptance && <AcceptDialog acceptance={acceptance} cancelHref={pathname} />}
        </>
      )}
    </>
  );
}
