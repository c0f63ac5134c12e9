import { data, redirect } from "@remix-run/node";
import type { AlertChannel } from "#contracts/test-analyzer/alert-channels.ts";
import { type AlertRule, type AlertScope, alertPolicy } from "#contracts/test-analyzer/alert-rules.ts";
import { problemResponse, required } from "~/backend/responses";
import { madeChannel } from "~/features/alerts/made-channel";
import { findManaged } from "~/features/code/find-managed.server";
import { readForm } from "~/forms/read-form.server";
import { parseSubmission, rejected } from "~/forms/submission.server";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";
import { getTimeZone } from "~/session/time-zone";
import { redirectWithToast } from "~/session/toast-message";
import { createsChannel, ruleForm, toField, toForm, toInput } from "./rule-form";

/** Page size; an organization has few. */
const allChannels = 200;

/** The rule that applies in a scope, and the channels that rules may notify. */
export async function loadRule(viewer: Viewer, request: Request, scope: AlertScope, apiId?: string) {
  const { backend, session, may } = viewer;
  const testCircleId = scope.kind === "circle" ? scope.testCircleId : undefined;
  const { listRules, listChannels } = backend.testAnalyzer;
  const query =
    scope.kind === "organization"
      ? { kind: "organization" as const }
      : { apiId, testCircleId, orOrganization: "true" as const };
  const [rules, channels] = await Promise.all([
    listRules({ query }).then(required),
    listChannels({ query: { limit: allChannels } }).then(required),
  ]);
  const of = (kind: AlertScope["kind"]) => rules.items.find((rule) => rule.scope.kind === kind);
  const own = of(scope.kind);
  const wider =
    scope.kind === "organization" ? undefined : (scope.kind === "circle" && of("api")) || of("organization");
  const search = new URL(request.url).searchParams;
  const displayed = own ?? wider ?? { ...alertPolicy.parse({ afterRuns: 1 }), channelIds: [] };
  return {
    own: own && { id: own.id, version: own.version },
    managed: own && (await findManaged(viewer, "alertRule", own.id)),
    /** The rule that applies without an own one. */
    wider: wider && { ...wider, channelNames: getNames(wider, channels.items) },
    first: toForm(displayed, getTimeZone(request, session)),
    channels: channels.items.map(({ id, name, kind, enabled }) => ({ id, name, kind, enabled })),
    madeId: channels.items.find(({ id }) => id === search.get(madeChannel))?.id,
    asksToDelete: search.get("dialog") === "delete",
    mayWrite: may("tests:write"),
  };
}
export type LoadedRule = Awaited<ReturnType<typeof loadRule>>;

/** Names of the channels that a rule alerts. */
export function getNames({ channelIds }: AlertRule, channels: readonly AlertChannel[]): string[] {
  return channels
    .filter(({ id }) => channelIds.includes(id))
    .map(({ name, enabled }) => (enabled ? name : `${name} (switched off)`));
}

interface RuleAction {
  viewer: Viewer;
  context: PortalContext;
  scope: AlertScope;
  /** The rule's page. */
  here: string;
}

/** Creates, changes or deletes the rule of a scope. */
export async function handleRuleForm(request: Request, { viewer, context, scope, here }: RuleAction) {
  const { createRule, changeRule, deleteRule } = viewer.backend.testAnalyzer;
  const form = await readForm(request.clone());
  const ruleId = String(form.get("ruleId") ?? "");
  const headers = { "if-match": `"${Number(form.get("version"))}"` };
  if (form.get("intent") === "delete") {
    const deleted = await deleteRule({ params: { ruleId }, headers });
    if (deleted.ok || deleted.status === 404) return redirectWithToast(context, here, "The rule was deleted.");
    if (deleted.status !== 412) throw problemResponse(deleted.problem);
    return redirectWithToast(context, here, { message: deleted.problem.detail, variant: "warning" });
  }
  if (form.get("intent") === createsChannel) {
    const returnTo = await context.keepAside(request);
    return redirect(href("/test-management/alert-channels/create", { returnTo }), 303);
  }
  const submission = await parseSubmission(request, ruleForm);
  // Adding or removing a row is no submission: the form is rendered with the change.
  if (submission.status === undefined) return data(submission.reply());
  if (submission.status !== "success") return rejected(submission);
  const body = toInput(submission.value, scope);
  const saved = ruleId ? await changeRule({ params: { ruleId }, body, headers }) : await createRule({ body });
  if (saved.ok) return redirectWithToast(context, here, "The rule is saved. It takes effect with the next result.");
  const errors = saved.problem.errors?.map((error) => ({ ...error, path: toField(error.path) }));
  return rejected(submission, { ...saved.problem, errors });
}
