import { data } from "@remix-run/node";
import { z } from "zod";
import type { ProblemDetails } from "#contracts/kit/problem.ts";
import type { CreatedTest } from "#contracts/test-registry/test-batches.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import { required } from "~/backend/responses";
import type { OperationKey } from "~/features/operation/operation-key";
import { findGivenValues, mergeValues } from "~/features/runs/given-values.server";
import { readRunKey, startAndShow } from "~/features/runs/start-run.server";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import { requireScope, type Viewer } from "~/session/guards";
import { redirectWithToast, type ToastMessage } from "~/session/toast-message";
import { plural } from "~/ui/count/plural";
import { saveBaseUrl } from "./base-url.server";
import { createFor, createNext } from "./creating.server";
import { type MakeFilters, readMakeFilters } from "./makeable.server";
import { type MakeReply, type Making, operationValue, readOperation, typedValues } from "./making";
import { findReadyTests } from "./ready-tests.server";
import { fillOrTake } from "./taking.server";

interface ActionRequest {
  viewer: Viewer;
  context: PortalContext;
  apiId: string;
  form: FormData;
  filters: MakeFilters;
  runKey: string;
}

const maxSelected = 100;

/** Handles a button of the page. */
export async function handleMakeForm(
  request: Request,
  form: FormData,
  parts: Pick<ActionRequest, "viewer" | "context" | "apiId">,
): Promise<Response | ReturnType<typeof data<MakeReply>>> {
  const intent = String(form.get("intent"));
  if (intent === "save-base-url") return await saveBaseUrl(request, form, parts);
  const requested = {
    ...parts,
    form,
    filters: readMakeFilters(new URL(request.url).searchParams),
    runKey: readRunKey(form),
  };
  if (intent.includes("run")) requireScope(parts.viewer, "tests:run");
  const ticked = tickedIn(form);
  const group = /^(tick|untick):(.*)$/s.exec(intent);
  const typed = typedValues(form);
  if (group) return data<MakeReply>({ ticked, typed, group: { name: group[2]!, on: group[1] === "tick" } });
  const filled = await fillOrTake(parts.viewer, parts.apiId, intent, typed);
  if (filled) return data<MakeReply>({ ticked, ...filled });
  const unsaved = await saveValues(requested);
  if (unsaved) return data<MakeReply>({ ticked, typed, error: unsaved }, { status: 422 });
  if (intent === "save-values") return redirectWithToast(parts.context, getList(parts.apiId), "The values are saved.");
  if (intent === "create-all" || intent === "create-and-run-all") return await createAll(requested, intent);
  const operations = ticked.flatMap((value) => readOperation(value) ?? []);
  if (operations.length === 0) {
    const error = { title: "Tick at least one operation", message: "A test is created for each that is ticked." };
    return data<MakeReply>({ ticked, error }, { status: 422 });
  }
  if (intent === "create-and-run") {
    const unsafe = operations.filter(({ method }) => !isSafe(method));
    if (unsafe.length > 0) return data<MakeReply>({ ticked, asks: askAbout(operations, unsafe) });
  }
  const runs = { create: "none", "create-and-run": "safe", "create-run-safe": "safe", "create-run-ticked": "all" }[
    intent
  ];
  if (!runs) throw new Response("There is no such action.", { status: 400 });
  return await createTicked(requested, operations, runs);
}

/** Keeps the input of the values' fields. */
async function saveValues({ viewer, apiId, form }: ActionRequest): Promise<MakeReply["error"]> {
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
    .parse(parsed(String(form.get("operations") ?? "[]")));
  return [...form.getAll("operation").map(String), ...listed].slice(0, maxSelected);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function askAbout(operations: OperationKey[], unsafe: OperationKey[]): MakeReply["asks"] {
  const methods = [...new Set(unsafe.map(({ method }) => method))].map((method) => {
    const count = unsafe.filter((one) => one.method === method).length;
    return `${count} ${method.toUpperCase()}`;
  });
  return { methods, safe: operations.length - unsafe.length, all: operations.length };
}

async function createTicked(requested: ActionRequest, operations: OperationKey[], runs: string) {
  const { viewer, context, apiId, runKey } = requested;
  const { created, refusal } = await createFor(viewer, apiId, operations, runKey);
  if (refusal) return refused(refusal, created.length, operations);
  const wanted = created.filter(({ method }) => runs === "all" || (runs === "safe" && isSafe(method)));
  const given = wanted.some(({ needs }) => needs.length > 0) ? mergeValues(await findGivenValues(viewer, apiId)) : {};
  const lacks = ({ needs }: (typeof created)[number]) => needs.filter((name) => !Object.hasOwn(given, name));
  const run = wanted.filter((test) => lacks(test).length === 0);
  const left = wanted.filter((test) => lacks(test).length > 0);
  const toast = left.length > 0 ? notRun(apiId, left.length, new Set(left.flatMap(lacks))) : undefined;
  if (run.length === 0 && toast) return redirectWithToast(context, makeAddress(apiId), toast);
  if (toast) context.session.addToast({ id: `${context.requestId}-values`, ...toast });
  if (run.length > 0) return await runThem(requested, runs, run);
  const had = operations.length - created.length;
  return redirectWithToast(context, getList(apiId), createdInWords(created.length, had));
}

const makeAddress = (apiId: string) => href("/test-management/:apiId/tests/make", { apiId });

/** The missing values, and the page for setting them. */
function notRun(apiId: string, count: number, names: Set<string>): Omit<ToastMessage, "id"> {
  return {
    title: `${plural(count, "test")} created, but not run`,
    message: `${new Intl.ListFormat("en").format(names)} ${names.size === 1 ? "has" : "have"} no value.`,
    variant: "warning",
    actions: [{ name: names.size === 1 ? "Give it a value" : "Give them values", href: makeAddress(apiId) }],
  };
}

const getList = (apiId: string) => href("/test-management/:apiId/tests", { apiId });

function createdInWords(count: number, had: number): string {
  const words =
    count === 0 ? "No test was created." : `${plural(count, "test")} ${count === 1 ? "was" : "were"} created.`;
  return had === 0 ? words : `${words} ${plural(had, "operation")} had one already.`;
}

async function runThem({ viewer, context, apiId, runKey }: ActionRequest, runs: string, tests: CreatedTest[]) {
  return await startAndShow({
    ...{
      viewer,
      context,
      runPage: { apiId },
      runKey,
      subject: `created-${runs}`,
      otherwise: getList(apiId),
      anew: true,
    },
    run: { source: { tests: tests.map(({ id }) => id) } },
  });
}

/** All safe tests, except those with missing values, which could only end in errors. */
async function runReady({ viewer, context, apiId, runKey }: ActionRequest) {
  const found = await findReadyTests(viewer, apiId);
  if (found && found.lacking > 0) {
    const { title, ...toast } = notRun(apiId, found.lacking, found.names);
    if (found.ready.length === 0) return redirectWithToast(context, makeAddress(apiId), { title, ...toast });
    const leftOut = `${plural(found.lacking, "test")} left out of the run`;
    context.session.addToast({ id: `${context.requestId}-values`, title: leftOut, ...toast });
  }
  const source = found && found.lacking > 0 ? { tests: found.ready } : { apiId, include: "safe" as const };
  const start = { viewer, context, runPage: { apiId }, runKey, subject: "safe", otherwise: getList(apiId), anew: true };
  return await startAndShow({ ...start, run: { source } });
}

function refused({ status, detail, errors }: ProblemDetails, created: number, operations: OperationKey[]) {
  const title = created === 0 ? "No test was created" : `Only ${plural(created, "test")} of these were created`;
  const message = errors?.map((error) => error.message).join(". ") || detail;
  const problem = { title, message, isPlan: status === 402 };
  return data<MakeReply>({ ticked: operations.map(operationValue), error: problem }, { status });
}

/** In steps: the next form continues work that exceeds the duration of one response. */
async function createAll(requested: ActionRequest, intent: string) {
  const { viewer, context, apiId, form, filters, runKey } = requested;
  const count = (name: string) => Math.max(0, Math.trunc(Number(form.get(name)) || 0));
  const before: Making = {
    intent,
    cursor: String(form.get("from") ?? "") || undefined,
    ...{ looked: count("looked"), made: count("made"), total: count("total") },
  };
  const { making, refusal } = await createNext(viewer, apiId, { filters, formKey: runKey, making: before });
  if (refusal) {
    const title = making.made === 0 ? "No test was created" : `${plural(making.made, "test")} created, then it stopped`;
    return data<MakeReply>(
      { error: { title, message: refusal.detail, isPlan: refusal.status === 402 } },
      { status: refusal.status },
    );
  }
  if (making.cursor) return data<MakeReply>({ making });
  if (intent === "create-and-run-all") return await runReady(requested);
  const left = making.looked - making.made;
  const rest = left === 0 ? "" : ` ${plural(left, "operation")} had one already, or none could be made.`;
  return redirectWithToast(context, getList(apiId), `${createdInWords(making.made, 0)}${rest}`);
}
