import { available } from "~/backend/answers";
import type { PlanLimits } from "~/plans/plan-words";
import type { Viewer } from "~/session/guards";

export interface Usage {
  label: string;
  used: number;
  /** null means without limit; undefined where no plan says one. */
  limit: number | null | undefined;
}

/** Enough to count the tests of every API of a plan that limits them. */
const mostApis = 200;

/**
 * What the organization uses, as far as its services can tell at once. What none can tell, or the viewer may not know,
 * is left out.
 */
export async function measureUsage({ backend, may }: Viewer, limits: PlanLimits | undefined): Promise<Usage[]> {
  const [apis, members] = await Promise.all([
    may("apis:read") ? backend.apiRegistry.listApis({ query: { limit: mostApis } }).then(available) : undefined,
    may("users:manage") ? backend.securityService.listUsers({ query: { limit: 200 } }).then(available) : undefined,
  ]);
  const apiIds = apis && apis.nextCursor === null ? apis.items.map(({ id }) => id).join(",") : "";
  const tests =
    apiIds && may("tests:read")
      ? await backend.testRegistry.countTests({ query: { apiIds } }).then(available)
      : undefined;
  const counted: [string, number | undefined, number | null | undefined][] = [
    ["APIs", apis?.total, limits?.apis],
    ["Tests", apis?.items.length === 0 ? 0 : tests?.byApi.reduce((sum, { total }) => sum + total, 0), limits?.tests],
    ["Members", members && countOf(members), limits?.members],
  ];
  return counted.flatMap(([label, used, limit]) => (used === undefined ? [] : [{ label, used, limit }]));
}

function countOf(page: { items: unknown[]; nextCursor: string | null; total?: number | undefined }) {
  return page.total ?? (page.nextCursor === null ? page.items.length : undefined);
}
