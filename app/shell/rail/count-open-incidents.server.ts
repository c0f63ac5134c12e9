import type { PortalContext } from "~/session/context";
import { findViewer } from "~/session/guards";

/** For viewers who may see incidents. Not among the page's own calls: the page lacks nothing without it. */
export async function countOpenIncidents(context: PortalContext): Promise<number | undefined> {
  const viewer = findViewer(context);
  if (!viewer?.may("tests:read") || viewer.session.needsSecondFactor) return undefined;
  const backend = context.connectForStream({ token: viewer.session.accessToken, requestId: context.requestId });
  return await context.incidentCounts.count(viewer.session.id, backend);
}
