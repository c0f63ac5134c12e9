import { problemTitles } from "#contracts/kit/problem.ts";
import type { PublishedStatus } from "#contracts/test-analyzer/status-pages.ts";
import { problemResponse } from "~/backend/responses";
import type { PortalContext } from "~/session/context";

const refusals = {
  absent: { status: 404, code: "not_found", detail: "There is no status page at this address, or it was closed." },
  away: { status: 503, code: "service_unavailable", detail: "The status is not available right now." },
  "too-many": { status: 429, code: "too_many_requests", detail: "Too many addresses were tried. Wait a minute." },
} as const;

/** The public status at this address; otherwise throws the error view's Response. */
export async function requireStatus(address: string, context: PortalContext): Promise<PublishedStatus> {
  const found = await context.statuses.find(address, context.clientAddress);
  if (found.kind === "found") return found.status;
  const refusal = refusals[found.kind];
  throw problemResponse({ type: "about:blank", title: problemTitles[refusal.code], ...refusal });
}
