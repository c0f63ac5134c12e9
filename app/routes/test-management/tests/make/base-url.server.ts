import { parseWithZod } from "@conform-to/zod/v4";
import { data } from "@remix-run/node";
import { z } from "zod";
import { baseUrl } from "#contracts/api-registry/environments.ts";
import { required } from "~/backend/responses";
import { rejected } from "~/forms/submission.server";
import type { PortalContext } from "~/session/context";
import { requireScope, type Viewer } from "~/session/guards";
import { redirectWithToast } from "~/session/toast-message";
import { listAddress } from "~/ui/list-page/list-address";
import type { MakeReply } from "./making";

const baseUrlInput = z.object({ baseUrl });

/** Saves the requested base URL, and returns to the same page. */
export async function saveBaseUrl(
  request: Request,
  form: FormData,
  { viewer, context, apiId }: { viewer: Viewer; context: PortalContext; apiId: string },
) {
  requireScope(viewer, "apis:write");
  const submission = parseWithZod(form, { schema: baseUrlInput });
  if (submission.status !== "success") return refusedWith(rejected(submission));
  const { summarizeApi, changeApi } = viewer.backend.apiRegistry;
  const { name, tags } = required(await summarizeApi({ params: { apiId } }));
  const changed = await changeApi({ params: { apiId }, body: { name, tags, baseUrl: submission.value.baseUrl } });
  if (!changed.ok) return refusedWith(rejected(submission, changed.problem));
  return redirectWithToast(context, listAddress(request.url, {}), "The base URL is saved.");
}

function refusedWith(result: ReturnType<typeof rejected>) {
  return data<MakeReply>({ baseUrl: result.data }, result.init ?? undefined);
}
