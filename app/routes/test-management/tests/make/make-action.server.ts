import { data } from "@remix-run/node";
import { z } from "zod";
import type { ProblemDetails } from "#contracts/kit/problem.ts";
import { required } from "~/backend/responses";
import { circleListAddress, circleRunAddress } from "~/features/circles/circle-addresses";
import { readRunKey, startAndShow, startCircles } from "~/features/runs/start-run.server";
import { href } from "~/href";
import { requireScope } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { plural } from "~/ui/count/plural";
import { saveBaseUrl } from "./base-url.server";
import { type CreatedCircle, type Creation, createCircles } from "./creating.server";
import { addToast, lackingInWords, toLacking } from "./lacking-toast.server";
import type { MakeRequest, MakeResponse } from "./make-request";
import { invalidField, type MakeReply, toOwnPath, typedValues } from "./making";
import { createAll } from "./making-all.server";
import { createOne } from "./one-operation.server";
import { displayCircles, findPlan, readMakeFilters } from "./plan.server";
import { chooseCircles, isRefusals } from "./refusals";

const maxTicked = 1_000;

/** Handles a button of the page. */
export async function handleMakeForm(
  request: Request,
  form: FormData,
  parts: Pick<MakeRequest, "viewer" | "context" | "apiId">,
): Promise<MakeResponse> {
  const intent = String(form.get("intent"));
  if (intent === "save-base-url") return await saveBaseUrl(request, form, parts);
  const filters = readMakeFilters(new URL(request.url).searchParams);
  const requested = { ...parts, form, filters, runKey: readRunKey(form) };
  if (intent.includes("run")) requireScope(parts.viewer, "tests:run");
  const [ticked, typed, invalid] = [tickedIn(form), typedValues(form), form.has(invalidField)];
  if (intent === "tick-safe" || intent === "tick-none") {
    return data<MakeReply>({ ticked, typed, invalid, tick: intent === "tick-safe" ? "safe" : "none" });
  }
  const unsaved = await saveValues(requested);
  if (unsaved) return data<MakeReply>({ ticked, typed, invalid, error: unsaved }, { status: 422 });
  switch (intent) {
    case "save-values":
      return redirectWithToast(parts.context, toOwnPath(request.url), "The values are saved.");
    case "create-all":
    case "create-and-run-all":
      return await createAll(requested, intent);
    case "create-one":
    case "create-and-run-one":
    case "create-and-run-one-confirmed":
      return await createOne(requested, intent);
  }
  const runs = { create: "none", "create-and-run": "ask", "create-run-safe": "safe", "create-run-ticked": "all" }[
    intent
  ];
  if (!runs) throw new Response("No such action.", { status: 400 });
  return await createTicked(requested, ticked, runs);
}

/** Keeps the input of the values' fields. */
async function saveValues({ viewer, apiId, form }: MakeRequest): Promise<MakeReply["error"]> {
  const variables = typedValues(form);
  if (Object.keys(variables).length === 0) return undefined;
  const body = { variables };
  const result = await viewer.backend.apiRegistry.setVariables({ params: { apiId }, body });
  if (result.ok) return undefined;
  if (result.status !== 422) required(result);
  const message = result.problem.errors?.map((error) => error.message).join(". ") || result.problem.detail;
  return { title: "The values were not saved", message };
}

/** The dialog sends in one field what the form sent in many. */
function tickedIn(form: FormData): string[] {
  const listed = z
    .array(z.string())
    .catch([])
    .parse(parsed(String(form.get("circles") ?? "[]")));
  return [...form.getAll("circle").map(String), ...listed].slice(0, maxTicked);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function createTicked(requested: MakeRequest, ticked: string[], runs: string): Promise<MakeResponse> {
  const { viewer, apiId, filters, runKey } = requested;
  const keys = new Set(ticked);
  const invalid = requested.form.has(invalidField);
  const found = await findPlan(viewer, apiId, filters);
  const chosen = chooseCircles(found.plan, keys, found.existing, invalid);
  if (chosen.length === 0) {
    const error = { title: "Select at least one circle", message: "Selected circles are created with their tests." };
    return data<MakeReply>({ ticked, invalid, error }, { status: 422 });
  }
  if (runs === "ask" && chosen.some(({ isSafe }) => !isSafe)) {
    const changing = displayCircles(apiId, found)
      .filter(({ key, isSafe }) => keys.has(key) && !isSafe)
      .map(({ name, effect }) => ({ name, effect }));
    return data<MakeReply>({ ticked, invalid, asks: { changing, all: chosen.length } });
  }
  const creation = await createCircles({ ...found, viewer, apiId, formKey: runKey }, chosen);
  const { circles, lacking, refusal } = creation;
  if (refusal) return refused(refusal, circles.filter(({ existed }) => !existed).length, { ticked, invalid });
  if (circles.length === 0) {
    const message = lackingInWords(lacking.names);
    return data<MakeReply>({ ticked, invalid, error: { title: "Nothing was created", message } }, { status: 422 });
  }
  const refusals = new Set(chosen.filter(isRefusals).map(({ name }) => name));
  return await runAndShow(requested, creation, runs, refusals);
}

/** @param refusals names of circles of invalid requests, which run beside the others */
async function runAndShow(
  requested: MakeRequest,
  { circles, lacking }: Creation,
  runs: string,
  refusals: ReadonlySet<string>,
): Promise<Response> {
  const { viewer, context, apiId, runKey } = requested;
  if (lacking.names.size > 0) addToast(context, "values", toLacking(apiId, lacking));
  const run = circles.filter(({ isSafe }) => runs === "all" || (runs !== "none" && isSafe));
  if (run.length === 0) return redirectWithToast(context, circleListAddress(apiId), createdInWords(circles));
  const own = run.filter(({ name }) => !refusals.has(name));
  const [only] = own.length > 0 ? own : run;
  if (only && (own.length === 1 || run.length === 1)) {
    const beside = run.filter((one) => one !== only);
    const { refusal } = beside.length > 0 ? await startCircles(viewer, beside, runKey) : {};
    if (refusal) addToast(context, "refused", refusal);
    return await startAndShow({
      ...{ viewer, context, runKey, otherwise: circleListAddress(apiId) },
      runPage: (runId) => circleRunAddress(only, runId, apiId),
      subject: `circle:${only.id}`,
      run: { source: { testCircleId: only.id } },
    });
  }
  const { started, refusal } = await startCircles(viewer, run, runKey);
  if (refusal) addToast(context, "refused", refusal);
  const runsPage = href("/test-management/:apiId/runs", { apiId });
  return started === 0
    ? showToasts(circleListAddress(apiId))
    : redirectWithToast(context, runsPage, `${plural(started, "circle")} ${started === 1 ? "is" : "are"} running.`);
}

/** The toasts that wait are displayed there. */
function showToasts(address: string): Response {
  return new Response(null, { status: 303, headers: { location: address } });
}

function createdInWords(circles: CreatedCircle[]): string {
  const had = circles.filter(({ existed }) => existed).length;
  const count = circles.length - had;
  const words =
    count === 0 ? "No circle was created." : `${plural(count, "circle")} ${count === 1 ? "was" : "were"} created.`;
  return had === 0 ? words : `${words} ${plural(had, "circle")} existed already.`;
}

function refused(
  { status, detail, errors }: ProblemDetails,
  created: number,
  selection: Pick<MakeReply, "ticked" | "invalid">,
) {
  const title =
    created === 0
      ? "No circle was created"
      : `Only ${plural(created, "circle")} of these ${created === 1 ? "was" : "were"} created`;
  const message = errors?.map((error) => error.message).join(". ") || detail;
  return data<MakeReply>({ ...selection, error: { title, message, isPlan: status === 402 } }, { status });
}
