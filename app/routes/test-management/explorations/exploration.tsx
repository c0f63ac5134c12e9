import { type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { Exploration } from "#contracts/test-executioner/explorations.ts";
import { problemResponse, required } from "~/backend/responses";
import { findingWords, hasEnded } from "~/features/explorations/exploration-words";
import { newRunKey, readRunKey } from "~/features/runs/start-run.server";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { Island } from "~/islands/island";
import { ExplorationProgress } from "~/islands/running-exploration/exploration-progress";
import { requireScope, requireViewer, type Viewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { type ApiPageHandle, titleWithin } from "~/shell/api-header/api-handle";
import { Stack } from "~/ui/layout/layout";
import { ExplorationHeading } from "./exploration-heading";
import { ExploredTable } from "./explored-table";
import { FindingCard, toFindingId } from "./finding-card";
import { NoFindings } from "./no-findings";
import { findSaved, saveFinding } from "./saved-findings.server";

export const meta: MetaFunction<typeof loader> = ({ data, matches }) =>
  titleWithin(matches, data ? `Exploration, ${findingWords(data.exploration.findings)}` : "Exploration");

export const handle: ApiPageHandle = {
  crumbs: ({ params: { apiId = "" } }) => [
    { label: "Explorations", href: href("/test-management/:apiId/explorations", { apiId }) },
  ],
};

async function requireExploration({ backend }: Viewer, params: Record<string, string | undefined>) {
  const { apiId, explorationId = "" } = params;
  const exploration = required(await backend.testExecutioner.getExploration({ params: { explorationId } }));
  if (exploration.apiId === apiId) return exploration;
  throw problemResponse({
    ...{ type: "about:blank", title: "Not found", status: 404, code: "not_found" },
    detail: "This API has no such exploration.",
  });
}

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const exploration = await requireExploration(viewer, params);
  return {
    exploration,
    saved: await findSaved(viewer, exploration.apiId, exploration.found),
    mayRun: viewer.may("tests:run"),
    maySave: viewer.may("tests:write"),
    runKey: newRunKey(),
    now: new Date().toISOString(),
  };
}

/** Cancels it, starts it again with its seed, or saves a finding. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const form = await readForm(request);
  const intent = form.get("intent");
  requireScope(viewer, intent === "save" ? "tests:write" : "tests:run");
  const exploration = await requireExploration(viewer, params);
  const { apiId, id: explorationId } = exploration;
  const here = href("/test-management/:apiId/explorations/:explorationId", { apiId, explorationId });
  const refuse = (message: string) => redirectWithToast(context, here, { message, variant: "warning" });
  const { testExecutioner } = viewer.backend;
  if (intent === "cancel") {
    const result = await testExecutioner.cancelExploration({ params: { explorationId } });
    if (!result.ok && result.status === 409) return refuse(result.problem.detail);
    const { state } = required(result);
    const message =
      state === "cancelled"
        ? "The exploration is cancelled."
        : "The exploration is stopping: it first removes what it created.";
    return redirectWithToast(context, here, { message, variant: "info" });
  }
  if (intent === "again") {
    const started = await testExecutioner.startExploration({ params: { apiId }, body: exploration.input });
    if (started.ok) {
      const next = { apiId, explorationId: started.value.id };
      return redirect(href("/test-management/:apiId/explorations/:explorationId", next), 303);
    }
    const { detail, errors } = started.problem;
    if (started.status === 401 || started.status === 403 || started.status >= 500) required(started);
    return refuse(errors?.map(({ message }) => message).join(". ") || detail);
  }
  const finding = exploration.found.find(({ key }) => key === form.get("finding"));
  if (intent !== "save" || !finding) throw new Response("No such action.", { status: 400 });
  const saved = await saveFinding({ viewer, exploration, finding, formKey: readRunKey(form) });
  if (!saved.ok) {
    if (saved.status === 401 || saved.status === 403 || saved.status >= 500) throw problemResponse(saved.problem);
    const { detail, errors } = saved.problem;
    return refuse(errors?.map(({ message }) => message).join(". ") || detail);
  }
  const number = exploration.found.indexOf(finding) + 1;
  return redirectWithToast(context, `${here}#${toFindingId(number)}`, {
    title: "Saved",
    message: saved.name,
    variant: "success",
    actions: [{ name: "Open it", href: saved.href }],
  });
}

export default function ExplorationPage() {
  const loaded = useLoaderData<typeof loader>();
  const { saved, mayRun, maySave, runKey, now } = loaded;
  const exploration = loaded.exploration as Exploration;
  const { apiId, id: explorationId, found, explored } = exploration;
  const location = { apiId, explorationId };
  return (
    <Stack gap="huge">
      <ExplorationHeading {...{ exploration, mayRun, now }} />
      {!hasEnded(exploration) && (
        <Island
          name="running-exploration"
          component={ExplorationProgress}
          props={{
            exploration: { ...exploration, found: undefined, explored: undefined },
            displayed: found.length,
            eventsHref: href("/test-management/:apiId/explorations/:explorationId/events", location),
            refreshHref: href("/test-management/:apiId/explorations/:explorationId", location),
          }}
        />
      )}
      {found.length > 0 ? (
        <section aria-labelledby="findings">
          <Stack gap="large">
            <h2 id="findings">{findingWords(found.length)}</h2>
            {found.map((finding, index) => (
              <FindingCard
                key={finding.key}
                {...{ finding, maySave, runKey }}
                number={index + 1}
                saved={saved[finding.key]}
              />
            ))}
          </Stack>
        </section>
      ) : (
        <NoFindings exploration={exploration} />
      )}
      {explored.length > 0 && <ExploredTable explored={explored} />}
    </Stack>
  );
}
