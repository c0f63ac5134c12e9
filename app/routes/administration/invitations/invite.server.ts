import type { SubmissionResult } from "@conform-to/dom";
import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "@remix-run/node";
import { z } from "zod";
import { maxInvitations } from "#contracts/security-service/invitations.ts";
import { givenRoles } from "~/features/people/role-words";
import { readTypedAddresses, type TypedAddress } from "~/features/people/typed-addresses";
import { rejected } from "~/forms/submission.server";
import { href } from "~/href";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { plural } from "~/ui/count/plural";

const inviteForm = z.object({
  emails: z
    .string("Enter at least one email address")
    .transform(readTypedAddresses)
    .pipe(
      z
        .array(z.custom<TypedAddress>())
        .min(1, "Enter at least one email address")
        .max(maxInvitations, `Invite at most ${maxInvitations} at a time`),
    ),
  roles: z.array(z.enum(givenRoles)).min(1, "Choose at least one role"),
});

export interface RefusedEntry {
  typed: string;
  message: string;
}

interface ActionRequest {
  viewer: Viewer;
  context: PortalContext;
  form: FormData;
}

/** Sends the invitations that are possible, and returns the rest of the input with the reasons. */
export async function handleInviteForm({ viewer, context, form }: ActionRequest) {
  const submission = parseWithZod(form, { schema: inviteForm });
  if (submission.status !== "success") return answered(rejected(submission));
  const { emails: typed, roles } = submission.value;
  const emails = typed.map(({ address }) => address);
  const result = await viewer.backend.securityService.invite({ body: { emails, roles } });
  if (!result.ok) {
    const refused = (result.problem.errors ?? []).flatMap(({ path, message }): RefusedEntry[] => {
      const entry = typed[Number(/^emails\[(\d+)\]$/.exec(path)?.[1])];
      return entry ? [{ typed: entry.typed, message }] : [];
    });
    if (refused.length > 0) return again(form, refused, 0, 422);
    return answered(rejected(submission, result.problem), { planLimitReached: result.status === 402 });
  }
  const { items, refused } = result.value;
  if (refused.length > 0) {
    const entries = refused.map(({ index, message }) => ({ typed: typed[index]!.typed, message }));
    return again(form, entries, items.length, 200);
  }
  const replaced = items.filter(({ replaces }) => replaces !== null).length;
  const list = href("/administration/user-management/invites/pending");
  const had = replaced === 0 ? "" : ` ${replaced} of them had an open invitation; its link no longer works.`;
  return redirectWithToast(context, list, `${plural(items.length, "person is", "people are")} invited.${had}`);
}

/** The form with the remaining addresses. */
function again(form: FormData, refused: RefusedEntry[], invited: number, status: number) {
  const left = new FormData();
  left.set("emails", refused.map(({ typed }) => typed).join("\n"));
  for (const role of form.getAll("roles")) left.append("roles", role);
  const message = `${plural(refused.length, "address", "addresses")} can't be invited: correct or remove ${refused.length === 1 ? "it" : "them"}`;
  const reply = parseWithZod(left, { schema: inviteForm }).reply({ fieldErrors: { emails: [message] } });
  return answered(data(reply, { status }), { refused, invited });
}

export interface InviteResult {
  reply: SubmissionResult;
  refused: RefusedEntry[];
  /** Number of submitted addresses that were invited. */
  invited: number;
  planLimitReached: boolean;
}

function answered({ data: reply, init }: ReturnType<typeof rejected>, more: Partial<InviteResult> = {}) {
  const result: InviteResult = { refused: [], invited: 0, planLimitReached: false, ...more, reply };
  return data(result, init ?? undefined);
}
