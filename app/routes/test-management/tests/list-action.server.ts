import type { Test } from "#contracts/test-registry/tests.ts";
import { required } from "~/backend/responses";
import { copyName, shortenedWords } from "~/features/copies/copy-name";
import { planActions } from "~/features/plans/plan-actions.server";
import { readRunKey, startAndShow } from "~/features/runs/start-run.server";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { changeOne, type Toast, toInput } from "./list-changes.server";
import { handleSelected, isOfSelected } from "./selected-tests.server";

interface ListAction {
  viewer: Viewer;
  apiId: string;
  form: FormData;
}

const actions: Record<string, (action: ListAction) => Promise<Toast>> = {
  async enable(action) {
    return await toggle(action, true);
  },

  async disable(action) {
    return await toggle(action, false);
  },

  async duplicate(action) {
    const test = await requireTest(action);
    const copy = { ...toInput(test), name: copyName(test.name) };
    const { createTest } = action.viewer.backend.testRegistry;
    const headers = { "idempotency-key": `${readRunKey(action.form)}:copy:${test.id}:${test.version}` };
    const result = await createTest({ params: { apiId: test.apiId }, body: copy, headers });
    if (!result.ok && result.status === 402) {
      const actions = planActions(action.viewer);
      return { title: `${test.name} was not copied`, message: result.problem.detail, variant: "warning", actions };
    }
    const created = required(result);
    return {
      message: `${created.name} was made.${shortenedWords(test.name)}`,
      variant: "success",
      actions: [
        {
          name: "Edit it",
          href: href("/test-management/:apiId/tests/:testId/edit", { apiId: created.apiId, testId: created.id }),
        },
      ],
    };
  },

  async delete(action) {
    const test = await requireTest(action);
    required(await action.viewer.backend.testRegistry.deleteTest({ params: { testId: test.id } }));
    return `${test.name} was deleted.`;
  },
};

/** Handles a button of the list and returns to the same list. */
export async function handleListAction(request: Request, viewer: Viewer, context: PortalContext, apiId: string) {
  const form = await readForm(request);
  const intent = String(form.get("intent"));
  const url = new URL(request.url);
  for (const name of ["dialog", "testId", "ticked"]) url.searchParams.delete(name);
  const list = url.pathname + url.search;
  if (isOfSelected(form)) return await handleSelected({ viewer, context, apiId, form, list });
  if (intent === "run") {
    const testId = String(form.get("testId"));
    return await startAndShow({
      ...{ viewer, context, runPage: { apiId }, runKey: readRunKey(form), otherwise: list },
      subject: testId,
      run: { source: { tests: [testId] } },
    });
  }
  const action = actions[intent];
  if (!action) throw new Response("No such action.", { status: 400 });
  return redirectWithToast(context, list, await action({ viewer, apiId, form }));
}

async function requireTest({ viewer, form }: ListAction): Promise<Test> {
  return required(await viewer.backend.testRegistry.getTest({ params: { testId: String(form.get("testId")) } }));
}

async function toggle(action: ListAction, enabled: boolean): Promise<Toast> {
  const test = await requireTest(action);
  const reason = await changeOne(action.viewer, test, { enabled });
  if (reason === undefined) return `${test.name} is ${enabled ? "enabled" : "disabled"}.`;
  const edit = {
    name: "Edit it",
    href: href("/test-management/:apiId/tests/:testId/edit", { apiId: test.apiId, testId: test.id }),
  };
  return { title: `${test.name} stays as it is`, message: reason, variant: "danger", actions: [edit] };
}
