import { parseWithZod } from "@conform-to/zod/v4";
import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { required } from "~/backend/responses";
import { findEnvironmentInUse } from "~/features/runs/environment-in-use.server";
import { readForm } from "~/forms/read-form.server";
import { rejected } from "~/forms/submission.server";
import { href } from "~/href";
import { requireScope, requireViewer } from "~/session/guards";
import { titleWithin } from "~/shell/api-header/api-handle";
import { EmptyState } from "~/ui/empty-state/empty-state";
import { CursorPages } from "~/ui/list-page/cursor-pages";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { explorationForm } from "./exploration-form";
import { ExplorationTable } from "./exploration-table";
import { StartForm } from "./start-form";

export const meta: MetaFunction = ({ matches }) => titleWithin(matches, "Explorations");

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const cursor = new URL(request.url).searchParams.get("cursor") || undefined;
  const { apiRegistry, testExecutioner } = viewer.backend;
  const [page, { isDisposable }, environments, chosen] = await Promise.all([
    testExecutioner.listExplorations({ params: { apiId }, query: { cursor } }).then(required),
    apiRegistry.summarizeApi({ params: { apiId } }).then(required),
    apiRegistry.listEnvironments({ params: { apiId } }).then(required),
    findEnvironmentInUse(viewer, apiId),
  ]);
  return {
    ...{ apiId, cursor, isDisposable },
    explorations: page.items,
    nextCursor: page.nextCursor,
    environments: environments.items.map(({ name }) => name),
    chosen: chosen?.name,
    mayRun: viewer.may("tests:run"),
    mayChangeApi: viewer.may("apis:write"),
    address: request.url,
    now: new Date().toISOString(),
  };
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  requireScope(viewer, "tests:run");
  const apiId = params.apiId!;
  const submission = parseWithZod(await readForm(request), { schema: explorationForm });
  if (submission.status !== "success") return rejected(submission);
  const { environment = null, ...input } = submission.value;
  const started = await viewer.backend.testExecutioner.startExploration({
    params: { apiId },
    body: { ...input, environment },
  });
  if (!started.ok) return rejected(submission, started.problem);
  const { id: explorationId } = started.value;
  return redirect(href("/test-management/:apiId/explorations/:explorationId", { apiId, explorationId }), 303);
}

export default function Explorations() {
  const { apiId, explorations, nextCursor, cursor, address, now, mayRun, ...given } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  return (
    <>
      <PageHeading
        title="Explorations"
        description="We generate requests from the document to find problems: valid requests with boundary and random values, requests that each break one rule, and chains of requests. Each problem is reported once, with the shortest chain that reproduces it."
      />
      {mayRun && <StartForm apiId={apiId} {...given} result={result} />}
      {explorations.length === 0 && !cursor ? (
        <EmptyState illustration="search" title="No explorations yet">
          {mayRun ? "Start one above." : "Users with permission to run tests can start one."} Its requests are not
          counted as executions.
        </EmptyState>
      ) : (
        <ExplorationTable {...{ apiId, explorations, now }} />
      )}
      <CursorPages label="Pages of explorations" {...{ address, cursor, nextCursor }} />
    </>
  );
}
