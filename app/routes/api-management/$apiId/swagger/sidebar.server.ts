import { required } from "~/backend/answers";
import type { Viewer } from "~/session/guards";
import type { ApiSummary } from "../../../../../services/api-registry/contract/apis.ts";
import type { OperationSummary } from "../../../../../services/api-registry/contract/operations.ts";

/** Documents of at most this many operations are listed whole; of larger ones a page shows one tag or one search. */
export const shownOperations = 40;

export interface Sidebar {
  apiId: string;
  operationCount: number;
  query?: string;
  /** Set when only operations of one tag are listed. */
  tag?: string;
  operations: Pick<OperationSummary, "method" | "path" | "summary" | "tag" | "deprecated">[];
  /** There are more than listed. */
  more: boolean;
}

/** The operations beside a page: never more than fit, whatever the size of the document. */
export async function loadSidebar(
  viewer: Viewer,
  { id: apiId, operationCount }: Pick<ApiSummary, "id" | "operationCount">,
  wanted: { query?: string; tag?: string },
): Promise<Sidebar> {
  const whole = operationCount <= shownOperations && !wanted.query;
  const tag = whole ? undefined : wanted.tag;
  const page = required(
    await viewer.backend.apiRegistry.listOperations({
      params: { apiId },
      query: { limit: shownOperations, tag, query: wanted.query },
    }),
  );
  return {
    apiId,
    operationCount,
    query: wanted.query,
    tag,
    operations: page.items.map(({ method, path, summary, tag, deprecated }) => ({
      method,
      path,
      summary,
      tag,
      deprecated,
    })),
    more: page.nextCursor !== null,
  };
}
