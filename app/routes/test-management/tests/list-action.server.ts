import { required } from "~/backend/answers";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { planActions } from "~/plans/plan-actions.server";
import { wholeApiRun } from "~/runs/run-all.server";
import { runKeyOf, startAndShow } from "~/runs/start-run.server";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";
import { redirectWithToast, type ToastMessage } from "~/session/toast-message";
import type { Test, TestInput } from "../../../../services/test-registry/contract/tests.ts";

type Told = string | Omit<ToastMessage, "id">;

interface ListAction {
  viewer: Viewer;
  apiId: string;
  form: FormData;
}

const actions: Record<string, (action: ListAction) => Promise<Told>> = {
  async enable(action) {
    return await changeEnabled(action, true);
  },

  async disable(action) {
    return await changeEnabled(action, false);
  },

  async duplicate(action) {
    const test = await requireTest(action);
    const copy = { ...inputOf(test), name: `${test.name.slice(0, 290)} (copy)` };
    const { createTest } = action.viewer.backend.testRegistry;
    const headers = { "idempotency-key": `${runKeyOf(action.form)}:copy:${test.id}:${test.version}` };
    const answer = await createTest({ params: { apiId: test.apiId }, body: copy, headers });
    if (!answer.ok && answer.status === 402) {
      const actions = planActions(action.viewer);
      return { title: `${test.name} was not copied`, message: answer.problem.detail, variant: "warning", actions };
    }
    const created = required(answer);
    return {
      message: `${created.name} was made.`,
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

/** Does what a button of the list asks for and comes back to the same list. */
export async function answerListAction(request: Request, viewer: Viewer, context: PortalContext, apiId: string) {
  const form = await readForm(request);
  const intent = String(form.get("intent"));
  const url = new URL(request.url);
  url.searchParams.delete("dialog");
  url.searchParams.delete("testId");
  const list = url.pathname + url.search;
  const start = { viewer, context, shownAt: { apiId }, runKey: runKeyOf(form), otherwise: list };
  const whole = wholeApiRun(form, apiId);
  if (whole) return await startAndShow({ ...start, ...whole });
  if (intent === "run") {
    const testId = String(form.get("testId"));
    return await startAndShow({ ...start, what: testId, run: { source: { tests: [testId] } } });
  }
  const action = actions[intent];
  if (!action) throw new Response("There is no such action.", { status: 400 });
  return redirectWithToast(context, list, await action({ viewer, apiId, form }));
}

async function requireTest({ viewer, form }: ListAction): Promise<Test> {
  return required(await viewer.backend.testRegistry.getTest({ params: { testId: String(form.get("testId")) } }));
}

function inputOf({ id, apiId, version, createdAt, updatedAt, ...input }: Test): TestInput {
  return input;
}

async function changeEnabled(action: ListAction, enabled: boolean): Promise<Told> {
  const test = await requireTest(action);
  const answer = await action.viewer.backend.testRegistry.changeTest({
    params: { testId: test.id },
    body: { ...inputOf(test), enabled },
    headers: { "if-match": `"${test.version}"` },
  });
  if (!answer.ok && answer.status === 422) {
    const reasons = answer.problem.errors?.map(({ message }) => message).join(". ") || answer.problem.detail;
    const edit = {
      name: "Edit it",
      href: href("/test-management/:apiId/tests/:testId/edit", { apiId: test.apiId, testId: test.id }),
    };
    return { title: `${test.name} stays as it is`, message: `${reasons}.`, variant: "danger", actions: [edit] };
  }
  required(answer);
  return `${test.name} is ${enabled ? "enabled" : "disabled"}.`;
}
