import type { AuditRecord } from "#contracts/kit/audit-records.ts";
import type { Backend } from "~/backend/backend";
import { available } from "~/backend/responses";

export const periods = { day: 1, week: 7, month: 30, quarter: 90 } as const;
export type Period = keyof typeof periods;

export interface AuditFilters {
  query: string | undefined;
  kind: string | undefined;
  period: Period | undefined;
  everywhere: "true" | undefined;
}

const dayMilliseconds = 86_400_000;

/** Filters from the address; other organizations' records only for operators of the installation. */
export function readFilters(search: URLSearchParams, isOperator: boolean): AuditFilters {
  const period = (Object.keys(periods) as Period[]).find((known) => known === search.get("period"));
  return {
    query: search.get("query")?.trim() || undefined,
    kind: search.get("kind")?.trim() || undefined,
    period,
    everywhere: isOperator && search.get("of") === "all" ? "true" : undefined,
  };
}

/**
 * One page of the services' lists merged: each is ordered by id, and ids grow with time across all
 * of them. A service that is away is left out, which the page reports.
 */
export async function findRecords(
  backend: Backend,
  { period, ...filters }: AuditFilters,
  { beforeId, limit, until }: { beforeId: string | undefined; limit: number; until: Date },
): Promise<{ records: AuditRecord[]; lastId: string | undefined }> {
  const since = period && new Date(until.getTime() - periods[period] * dayMilliseconds).toISOString();
  const query = { ...filters, since, beforeId, limit };
  const { securityService, portalService, apiRegistry, testRegistry, testExecutioner, testAnalyzer } = backend;
  const services = [securityService, portalService, apiRegistry, testRegistry, testExecutioner, testAnalyzer];
  const lists = await Promise.all(services.map((service) => service.listAuditRecords({ query }).then(available)));
  const all = lists.flatMap((list) => list?.items ?? []).sort((one, other) => (one.id < other.id ? 1 : -1));
  const records = all.slice(0, limit);
  const hasMore = all.length > limit || lists.some((list) => list?.nextCursor);
  return { records, lastId: hasMore ? records.at(-1)?.id : undefined };
}
