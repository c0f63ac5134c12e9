import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData, useLocation } from "@remix-run/react";
import { required } from "~/backend/answers";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { Island } from "~/islands/island";
import { RunningNotice } from "~/islands/running-execution/running-notice";
import { RunKey } from "~/runs/run-key";
import { newRunKey, runKeyOf, startAndShow } from "~/runs/start-run.server";
import { requireViewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { Button, LinkButton } from "~/ui/button/button";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Tabs } from "~/ui/tabs/tabs";
import { VerdictBadge } from "~/verdict/verdict-badge";
import { isUnfinished, standingOf } from "~/verdict/verdict-words";
import type { Execution } from "../../../../services/test-executioner/contract/executions.ts";
import { requireExecution } from "./require-execution.server";
import { VerdictStory } from "./verdict-story";

export const handle = {
  crumbs: ({ params, data }: { params: Record<string, string | undefined>; data: unknown }) => {
    const execution = (data as { execution?: Execution } | undefined)?.execution;
    return [
      { label: "Tests", href: href("/test-management/:apiId/tests", { apiId: params.apiId! }) },
      {
        label: execution?.testName ?? "Test",
        href: href("/test-management/:apiId/tests/:testId/executions/list", {
          apiId: params.apiId!,
          testId: params.testId!,
        }),
      },
      { label: "Execution" },
    ];
  },
};

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const execution = await requireExecution(viewer, params);
  return { execution, mayRun: viewer.may("tests:run"), runKey: newRunKey() };
}

/** Runs the test again, or cancels this execution while it waits. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const { apiId, testId, testExecutionId } = params as Record<"apiId" | "testId" | "testExecutionId", string>;
  const { testExecutioner } = viewer.backend;
  const here = href("/test-management/:apiId/tests/:testId/executions/:testExecutionId/results", {
    apiId,
    testId,
    testExecutionId,
  });
  const form = await readForm(request);
  if (form.get("intent") === "cancel") {
    const answer = await testExecutioner.cancelExecution({ params: { executionId: testExecutionId } });
    if (!answer.ok && answer.status === 409) {
      return redirectWithToast(context, here, { message: answer.problem.detail, variant: "warning" });
    }
    required(answer);
    return redirectWithToast(context, here, "The execution was cancelled.");
  }
  return await startAndShow({
    ...{ viewer, context, shownAt: { apiId }, runKey: runKeyOf(form) },
    what: testId,
    run: { source: { tests: [testId] }, trigger: "rerun" },
    otherwise: here,
  });
}

export default function ExecutionLayout() {
  const { execution, mayRun, runKey } = useLoaderData<typeof loader>();
  const { pathname } = useLocation();
  const { id, apiId, testId, state } = execution;
  const unfinished = isUnfinished(execution);
  const place = { apiId, testId, testExecutionId: id };
  const results = href("/test-management/:apiId/tests/:testId/executions/:testExecutionId/results", place);
  const verifications = href("/test-management/:apiId/tests/:testId/executions/:testExecutionId/verifications", place);
  return (
    <>
      <PageHeading
        title={execution.testName}
        mark={<VerdictBadge standing={standingOf(execution)} />}
        description={
          <code>
            {execution.method.toUpperCase()} {execution.path}
          </code>
        }
        actions={
          <>
            <LinkButton href={href("/test-management/:apiId/runs/:runId", { apiId, runId: execution.runId })}>
              See its run
            </LinkButton>
            <LinkButton href={href("/test-management/:apiId/tests/:testId/edit", { apiId, testId })} icon="pencil">
              Edit test
            </LinkButton>
            {mayRun && (
              <form method="post" action={results}>
                <RunKey value={runKey} />
                {state === "queued" ? (
                  <Button name="intent" value="cancel" icon="close">
                    Cancel
                  </Button>
                ) : (
                  <Button name="intent" value="run" variant="primary" icon="play" disabled={unfinished}>
                    Run again
                  </Button>
                )}
              </form>
            )}
          </>
        }
      />
      {unfinished ? (
        <Island
          name="running-execution"
          component={RunningNotice}
          props={{
            eventsHref: href("/test-management/:apiId/tests/:testId/executions/:testExecutionId/events", place),
            refreshHref: pathname,
            sentence:
              state === "queued" ? "It waits for a free worker." : "The request is under way; results follow at once.",
            title: state === "queued" ? "This execution is queued" : "This execution is running",
          }}
        />
      ) : (
        <VerdictStory execution={execution as Execution} />
      )}
      <Tabs
        label="Parts of this execution"
        items={[
          { label: "Verifications", href: verifications, current: pathname === verifications },
          { label: "Results", href: results, current: pathname === results },
          {
            label: "All executions",
            href: href("/test-management/:apiId/tests/:testId/executions/list", { apiId, testId }),
          },
        ]}
      />
      <Outlet />
    </>
  );
}
