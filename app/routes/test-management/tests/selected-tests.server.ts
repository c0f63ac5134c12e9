import { createHash } from "node:crypto";
import type { Test } from "#contracts/test-registry/tests.ts";
import { required } from "~/backend/responses";
import { readRunFrom } from "~/features/locations/read-run-from";
import { countUnsafe, type MethodCount } from "~/features/runs/count-unsafe";
import { readRunKey, startAndShow } from "~/features/runs/start-run.server";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { plural } from "~/ui/count/plural";
import { readSelected } from "~/ui/selection/selected-field";
import { addToCircle, listCircleChoices } from "./add-to-circle.server";
import { changeOne, type Toast } from "./list-changes.server";
import { tagAll } from "./tag-tests.server";

interface Selected {
  viewer: Viewer;
  context: PortalContext;
  apiId: string;
  form: FormData;
  /** The list to return to. */
  list: string;
}

/** The confirmation of an action on all chosen tests. */
export interface SelectionRequest {
  intent: "run-selected" | "delete-selected" | "tag-selected" | "circle-selected";
  ids: string[];
  /** Methods that may change data, with the number of tests that send each. */
  unsafe: MethodCount[];
  /** Where they are to be sent from, if the form chose that. */
  runFrom?: string;
  /** The circles they could be added to. */
  circles?: { id: string; name: string }[];
  /** The input, and its errors. */
  typed?: string;
  error?: string;
}

const intents = [
  ...["run-selected", "enable-selected", "disable-selected", "delete-selected"],
  ...["tag-selected", "untag-selected", "circle-selected"],
];

export function isOfSelected(form: FormData): boolean {
  return intents.includes(String(form.get("intent")));
}

/** Applies a button's action to every chosen test; deleting, and running tests that may change data, only after confirmation. */
export async function handleSelected(selected: Selected): Promise<Response | { requested: SelectionRequest }> {
  const { viewer, context, apiId, form, list } = selected;
  const tests = await findSelected(viewer, apiId, form);
  if (tests.length === 0) {
    return redirectWithToast(context, list, { message: "Select tests first.", variant: "warning" });
  }
  const intent = String(form.get("intent"));
  const ids = tests.map(({ id }) => id);
  const isConfirmed = form.get("confirmed") === "yes";
  const unsafe = countUnsafe(tests);
  if (intent === "run-selected") {
    const { locationId: runFrom } = readRunFrom(form);
    if (unsafe.length > 0 && !isConfirmed) return { requested: { intent, ids, unsafe, runFrom } };
    return await startAndShow({
      ...{ viewer, context, runPage: { apiId }, runKey: readRunKey(form), otherwise: list },
      subject: `selected:${createHash("sha256").update(ids.join()).digest("hex").slice(0, 16)}`,
      run: { source: { tests: ids }, ...readRunFrom(form) },
    });
  }
  if (intent === "delete-selected") {
    if (!isConfirmed) return { requested: { intent, ids, unsafe } };
    const body = { testIds: ids };
    const { deleted } = required(await viewer.backend.testRegistry.deleteTests({ params: { apiId }, body }));
    return redirectWithToast(context, list, `${plural(deleted, "test")} deleted.`);
  }
  if (intent === "tag-selected" || intent === "untag-selected") {
    const outcome = isConfirmed
      ? await tagAll(viewer, tests, String(form.get("tags")), intent === "tag-selected")
      : undefined;
    if (outcome && "done" in outcome) return redirectWithToast(context, list, outcome.done);
    return { requested: { intent: "tag-selected", ids, unsafe, ...outcome } };
  }
  if (intent === "circle-selected") {
    const outcome = isConfirmed ? await addToCircle(viewer, apiId, ids, String(form.get("circle"))) : undefined;
    if (outcome && "done" in outcome) return redirectWithToast(context, list, outcome.done);
    return { requested: { intent, ids, unsafe, ...outcome, circles: await listCircleChoices(viewer) } };
  }
  return redirectWithToast(context, list, await changeAll(viewer, tests, intent === "enable-selected"));
}

async function findSelected(viewer: Viewer, apiId: string, form: FormData): Promise<Test[]> {
  const ids = readSelected(form);
  if (ids.length === 0) return [];
  const query = { ids: ids.join(","), limit: 200 };
  return required(await viewer.backend.testRegistry.listTests({ params: { apiId }, query })).items;
}

/** In sequence: tests that can't be changed are skipped and reported with the reason. */
async function changeAll(viewer: Viewer, tests: readonly Test[], enabled: boolean): Promise<Toast> {
  const refused: string[] = [];
  for (const test of tests.filter((one) => one.enabled !== enabled)) {
    const reason = await changeOne(viewer, test, { enabled });
    if (reason !== undefined) refused.push(`${test.name}: ${reason}`);
  }
  const done = `${plural(tests.length - refused.length, "test")} ${enabled ? "enabled" : "disabled"}.`;
  if (refused.length === 0) return done;
  return { title: done, message: refused.slice(0, 3).join(" "), variant: "warning" };
}
