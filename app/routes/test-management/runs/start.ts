import { createHash } from "node:crypto";
import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { readRunFrom } from "~/features/locations/read-run-from";
import { runFromField } from "~/features/locations/run-from";
import { countUnsafe } from "~/features/runs/count-unsafe";
import { findFailingTests } from "~/features/runs/failing-tests.server";
import { wholeApiRun } from "~/features/runs/run-all.server";
import { readRunKey, startAndShow } from "~/features/runs/start-run.server";
import { readForm } from "~/forms/read-form.server";
import { href } from "~/href";
import { requireViewer } from "~/session/guards";
import { ownPath } from "~/session/redirects";
import { redirectWithToast } from "~/session/toast-message";
import { listAddress } from "~/ui/list-page/list-address";

/** Starts the selection in the menu of an API's header; failed tests that may change data only after confirmation. */
export async function action({ request, params, context }: ActionFunctionArgs) {
  const viewer = await requireViewer(request, context);
  const apiId = params.apiId!;
  const form = await readForm(request);
  const otherwise = ownPath(String(form.get("returnTo") ?? ""), href("/test-management/:apiId/manage", { apiId }));
  const start = { viewer, context, runPage: { apiId }, runKey: readRunKey(form), otherwise };
  const whole = wholeApiRun(form, apiId);
  const runFrom = readRunFrom(form);
  if (whole) return await startAndShow({ ...start, ...whole, run: { ...whole.run, ...runFrom } });
  if (form.get("intent") !== "run-failed") throw new Response("No such action.", { status: 400 });
  const failing = await findFailingTests(viewer, apiId);
  if (failing.length === 0) {
    return redirectWithToast(context, otherwise, { message: "No test failed in its latest run.", variant: "info" });
  }
  if (form.get("confirmed") !== "yes" && countUnsafe(failing).length > 0) {
    const cursor = new URL(otherwise, request.url).searchParams.get("cursor") ?? undefined;
    return redirect(listAddress(otherwise, { cursor, dialog: "run-failed", [runFromField]: runFrom.locationId }), 303);
  }
  const tests = failing.map(({ id }) => id);
  const subject = `failing:${createHash("sha256").update(tests.join()).digest("hex").slice(0, 16)}`;
  return await startAndShow({ ...start, subject, run: { source: { tests }, ...runFrom } });
}

/** A GET of this address leads to the runs. */
export async function loader({ request, params, context }: LoaderFunctionArgs) {
  await requireViewer(request, context);
  return redirect(href("/test-management/:apiId/runs", { apiId: params.apiId! }));
}
