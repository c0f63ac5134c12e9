import type { SubmissionResult } from "@conform-to/dom";
import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "@remix-run/node";
import type { CircleInspection } from "#contracts/test-registry/circle-inspection.ts";
import type { CircleMember } from "#contracts/test-registry/circle-members.ts";
import type { Circle, CircleInput } from "#contracts/test-registry/circles.ts";
import { generatesUuid } from "#libraries/running/generated-once.ts";
import { available, required } from "~/backend/responses";
import { findDeletedPlaces } from "~/features/locations/deleted-places.server";
import { findLocationChoices } from "~/features/locations/location-choices.server";
import { asTyped } from "~/forms/as-typed";
import { readForm } from "~/forms/read-form.server";
import { rejected } from "~/forms/submission.server";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import type { CallResult } from "../../../../services/kit/client/client.ts";
import { changeMembers, finderFields, inOrderOfPhases, readMembers } from "./circle-draft";
import { circleForm, environmentField, toField, toInput } from "./circle-form";

/** Form fields that conform does not manage. */
export interface CircleDraft {
  members: CircleMember[];
  /** Name of the environment by API. */
  environments: Record<string, string>;
  order: "sequential" | "parallel";
  onlyOwn: boolean;
  /** Its variables; `value` of those that are generated, shortened, and of secret ones only that they are. */
  variables: { name: string; value?: string }[];
  finder: { apiId: string; query: string; tag: string; method: string };
}

const foundOnPage = 50;
const listedApis = 200;

/** A draft with everything its form shows: the members, the values they pass on, and the tests that could be added. */
export async function describeDraft(viewer: Viewer, draft: CircleDraft, testCircleId?: string) {
  const { backend } = viewer;
  const { members, environments, order, onlyOwn, variables, finder } = draft;
  const { apiId, ...filter } = finder;
  const query = { ...Object.fromEntries(Object.entries(filter).filter(([, value]) => value)), limit: foundOnPage };
  const [inspection, apis, found, locations] = await Promise.all([
    inspect(backend, { members, environments, order, onlyOwn, variables, testCircleId }),
    backend.apiRegistry.listApis({ query: { limit: listedApis } }).then(required),
    (apiId
      ? backend.testRegistry.listTests({ params: { apiId }, query })
      : backend.testRegistry.listAllTests({ query })
    ).then(available),
    findLocationChoices(viewer),
  ]);
  const known = new Map(apis.items.map((api) => [api.id, api.name]));
  const involved = [
    ...new Set([
      ...members.flatMap((member) => (member.kind === "selection" ? [member.apiId] : [])),
      ...[...inspection.members, ...inspection.notRun].map((member) => member.apiId),
    ]),
  ];
  const [listed] = await Promise.all([
    Promise.all(
      involved.map(async (id) => ({
        apiId: id,
        environments: available(await backend.apiRegistry.listEnvironments({ params: { apiId: id } })),
      })),
    ),
    ...[...involved, apiId]
      .filter((id) => id && !known.has(id))
      .map(async (id) => {
        const result = await backend.apiRegistry.summarizeApi({ params: { apiId: id } });
        if (result.ok) known.set(id, result.value.name);
      }),
  ]);
  return {
    draft,
    inspection,
    apis: [...known].map(([id, name]) => ({ id, name })),
    moreApis: Boolean(apis.nextCursor),
    locations,
    environments: listed.map(({ apiId, environments: named }) => ({
      apiId,
      names: (named?.items ?? chosenIn(environments, apiId)).map(({ name }) => name),
      isListed: named !== undefined,
    })),
    found: found && {
      tests: found.items.map(({ id, apiId, name, method, path, enabled, tags }) => ({
        id,
        apiId,
        name,
        method,
        path,
        enabled,
        tags,
      })),
      total: found.total,
      more: Boolean(found.nextCursor),
    },
  };
}

/** The current choice can be saved even when the other choices are unknown. */
function chosenIn(environments: CircleDraft["environments"], apiId: string): { name: string }[] {
  const name = environments[apiId];
  return name ? [{ name }] : [];
}

export type DescribedDraft = Awaited<ReturnType<typeof describeDraft>>;

interface Inspected extends Pick<CircleDraft, "members" | "environments" | "order" | "onlyOwn" | "variables"> {
  testCircleId: string | undefined;
}

async function inspect(backend: Viewer["backend"], draft: Inspected): Promise<CircleInspection> {
  if (draft.members.length === 0) return { members: [], notRun: [], absent: [], missing: [] };
  const { members, environments, order, onlyOwn, variables, testCircleId } = draft;
  const body = { members, environments, order, onlyOwn, variables, testCircleId };
  return required(await backend.testRegistry.inspectCircle({ body }));
}

export interface CircleResult {
  result: SubmissionResult;
  described: DescribedDraft;
  /** Saving was requested while some variables have no source. */
  asksAnyway: boolean;
}

/** Initial draft of a page: the input from before a sign-in, else this one. */
export function firstDraft({ kept }: PortalContext, otherwise: CircleDraft): CircleDraft {
  if (typeof kept !== "object" || kept.entries.length === 0) return otherwise;
  const form = new FormData();
  for (const [name, value] of kept.entries) form.append(name, value);
  return getDraft(form, readMembers(form));
}

export function draftOfCircle(
  { members, environments, order, onlyOwn, variables }: Circle,
  apiId: string,
): CircleDraft {
  const finder = { apiId, query: "", tag: "", method: "" };
  return { members, environments, order, onlyOwn, variables: variables.map(toDraft), finder };
}

type DraftVariable = CircleDraft["variables"][number];

interface CircleAction {
  viewer: Viewer;
  context: PortalContext;
  /** The saved circle; absent for a new one. */
  testCircleId?: string;
  /** Saves it; a service's refusal is reported in the form. */
  save: (input: CircleInput, form: FormData) => Promise<CallResult<Circle>>;
  /** Redirect and message after saving. */
  saved: (circle: Circle) => { address: string; message: string };
}

/** Handles every button of a circle's form. */
export async function handleCircleForm(request: Request, { viewer, context, testCircleId, save, saved }: CircleAction) {
  const form = await readForm(request);
  const intent = String(form.get("intent") ?? "save");
  const before = readMembers(form);
  const changed = changeMembers(before, intent, form);
  const submission = parseWithZod(form, { schema: circleForm });
  const draft = getDraft(form, changed ?? before);
  const outcome = async (result: SubmissionResult, status: number, asksAnyway = false) =>
    data<CircleResult>({ result, described: await describeDraft(viewer, draft, testCircleId), asksAnyway }, status);
  if (changed) return await outcome(asTyped(form), 200);
  // Adding or removing a variable is no submission: the form is rendered with the change.
  if (submission.status === undefined) return await outcome(submission.reply(), 200);
  if (draft.members.length === 0) {
    return await outcome(submission.reply({ fieldErrors: { members: ["Choose at least one test"] } }), 422);
  }
  if (submission.status !== "success") return await outcome(submission.reply(), 422);
  if (intent !== "save-anyway") {
    const { missing } = await inspect(viewer.backend, { ...draft, testCircleId });
    if (missing.length > 0) return await outcome(asTyped(form), 422, true);
  }
  const input = toInput(submission.value, draft);
  const deleted = await findDeletedPlaces(viewer, input);
  if (deleted.length > 0) {
    const fieldErrors = Object.fromEntries(deleted.map(({ path, message }) => [path, [message]]));
    return await outcome(submission.reply({ fieldErrors }), 422);
  }
  const stored = await save(input, form);
  if (!stored.ok) {
    const errors = stored.problem.errors?.map((error) => ({ ...error, path: toField(error.path, submission.value) }));
    const refusal = rejected(submission, { ...stored.problem, errors });
    return await outcome(refusal.data, stored.status);
  }
  const { address, message } = saved(stored.value);
  return redirectWithToast(context, address, message);
}

function toDraft({ name, value, secret }: { name: string; value: unknown; secret?: boolean }): DraftVariable {
  if (secret) return typeof value === "string" && generatesUuid(value) ? { name, value: "{{$uuid}}" } : { name };
  return typeof value === "string" && value.includes("{{") ? { name, value: value.slice(0, 1_000) } : { name };
}

function getDraft(form: FormData, members: CircleMember[]): CircleDraft {
  const environments: Record<string, string> = {};
  for (const [name, value] of form) {
    const apiId = name.startsWith(environmentField("")) ? name.slice(environmentField("").length) : "";
    if (apiId && value) environments[apiId] = String(value);
  }
  const text = (field: string) =>
    String(form.get(field) ?? "")
      .trim()
      .slice(0, 200);
  const variables = [...form].flatMap(([field, name]) =>
    /^(variables|secrets)\[\d+\]\.name$/.test(field)
      ? [
          toDraft({
            name: String(name).slice(0, 100),
            value: form.get(field.replace(/name$/, field.startsWith("secrets") ? "secret" : "value")),
            secret: field.startsWith("secrets"),
          }),
        ]
      : [],
  );
  return {
    members: inOrderOfPhases(members),
    environments,
    order: form.get("order") === "parallel" ? "parallel" : "sequential",
    onlyOwn: form.get("onlyOwn") === "on",
    variables: variables.filter(({ name }) => name !== "").slice(0, 200),
    finder: {
      apiId: text(finderFields.apiId),
      query: text(finderFields.query),
      tag: text(finderFields.tag),
      method: text(finderFields.method),
    },
  };
}
