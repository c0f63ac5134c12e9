import { required } from "~/backend/answers";
import type { PortalContext } from "~/session/context";
import type { Viewer } from "~/session/guards";
import type { ApiSummary } from "../../../../services/api-registry/contract/apis.ts";

/** Layout and page load side by side and both need it: one call a request. Keyed by the request's own session. */
const underWay = new WeakMap<object, Promise<ApiSummary>>();

/** Name and figures of an API; costs one row however large its document. */
export function requireApiSummary(context: PortalContext, viewer: Viewer, apiId: string): Promise<ApiSummary> {
  const known = underWay.get(context.session);
  if (known) return known;
  const asked = viewer.backend.apiRegistry.summarizeApi({ params: { apiId } }).then(required);
  underWay.set(context.session, asked);
  return asked;
}
