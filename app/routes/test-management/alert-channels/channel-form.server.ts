import type { SubmissionResult } from "@conform-to/dom";
import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "@remix-run/node";
import { z } from "zod";
import type { AlertChannel, AlertChannelInput } from "#contracts/test-analyzer/alert-channels.ts";
import { templateMediaTypes, templateValueNames, templateValues } from "#contracts/test-analyzer/template-values.ts";
import { checkTemplate, writeTemplate } from "#libraries/template/body-template.ts";
import { available } from "~/backend/responses";
import { asTyped } from "~/forms/as-typed";
import { rejected } from "~/forms/submission.server";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";
import type { CallResult } from "../../../../services/kit/client/client.ts";
import { channelForm, findField, toFieldError, toInput } from "./channel-form";

const foundOnPage = 25;
const chosenField = "memberIds";

/** Members of the organization to choose from: those that are chosen, and those that a search found. */
export async function findMembers({ backend }: Viewer, { chosen, query }: { chosen: string[]; query: string }) {
  const { listRecipients } = backend.testAnalyzer;
  const ids = chosen.slice(0, 100);
  const [known, found] = await Promise.all([
    ids.length > 0 ? listRecipients({ query: { ids: ids.join(",") } }).then(available) : { items: [] },
    listRecipients({ query: { query: query || undefined, limit: foundOnPage } }).then(available),
  ]);
  const isKnown = new Set(ids);
  return {
    chosen: ids,
    query,
    /** Undefined where unknown. */
    people: known && found && [...known.items, ...found.items.filter(({ id }) => !isKnown.has(id))],
    more: Boolean(found?.nextCursor),
  };
}
export type FoundMembers = Awaited<ReturnType<typeof findMembers>>;

const getMembers = (viewer: Viewer, form: FormData) =>
  findMembers(viewer, {
    chosen: form.getAll(chosenField).map(String),
    query: String(form.get(findField) ?? "")
      .trim()
      .slice(0, 200),
  });

/** Initial values of a page's form: the input from before a sign-in, else these. */
export async function firstMembers(viewer: Viewer, { kept }: PortalContext, memberIds: string[]) {
  if (typeof kept !== "object" || kept.entries.length === 0) {
    return await findMembers(viewer, { chosen: memberIds, query: "" });
  }
  const form = new FormData();
  for (const [name, value] of kept.entries) form.append(name, value);
  return await getMembers(viewer, form);
}

export interface ChannelResult {
  result?: SubmissionResult;
  members?: FoundMembers;
  /** A signing secret that was just generated, with the channel's id and name. */
  made?: { id: string; name: string; secret: string };
  /** The typed body with examples for its values. */
  preview?: string;
}

interface ChannelAction<Saved> {
  viewer: Viewer;
  save: (input: AlertChannelInput) => Promise<CallResult<AlertChannel>>;
  saved: (channel: AlertChannel) => Saved;
}

/** Handles the form of a channel: searches members, or saves it. */
export async function handleChannelForm<Saved>(form: FormData, { viewer, save, saved }: ChannelAction<Saved>) {
  const outcome = async (result: SubmissionResult, status: number) =>
    data<ChannelResult>({ result, members: await getMembers(viewer, form) }, status);
  if (form.get("intent") === "find") return await outcome(asTyped(form), 200);
  if (form.get("intent") === "preview") {
    const shown = previewTemplate(form);
    return data<ChannelResult>(
      { ...shown, members: await getMembers(viewer, form) },
      shown.preview === undefined ? 422 : 200,
    );
  }
  const submission = parseWithZod(form, { schema: channelForm });
  if (submission.status !== "success") return await outcome(submission.reply(), 422);
  const stored = await save(toInput(submission.value));
  if (stored.ok) return saved(stored.value);
  const errors = stored.problem.errors?.map(({ path, message }) => {
    const placed = toFieldError(submission.value, path, message);
    return { path: placed.path.join("."), message: placed.message };
  });
  return await outcome(rejected(submission, { ...stored.problem, errors }).data, stored.status);
}

const template = z.object({ body: z.string().default(""), mediaType: z.enum(templateMediaTypes) });

function previewTemplate(form: FormData): ChannelResult {
  const typed = asTyped(form);
  const { data: read } = template.safeParse({ body: form.get("body"), mediaType: form.get("mediaType") });
  const error = read?.body ? checkTemplate(read, templateValueNames) : "Write the body";
  if (!read || error) return { result: { ...typed, error: { body: [error ?? "Write the body"] } } };
  const examples = Object.fromEntries(templateValueNames.map((name) => [name, templateValues[name].example]));
  return { result: typed, preview: writeTemplate(read, examples) };
}

/** What a channel's addresses still require after saving. */
export function savedWords({ name, ...channel }: AlertChannel): string {
  const requested = channel.kind === "mail" && channel.addresses.some(({ confirmedAt }) => confirmedAt === null);
  return requested
    ? `${name} is saved. Addresses receive alerts after confirming the link emailed to them.`
    : `${name} is saved.`;
}
