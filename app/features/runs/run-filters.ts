import { type OutcomeSort, outcomeSorts } from "#contracts/test-executioner/executions.ts";
import { runTrigger, verdicts } from "#contracts/test-executioner/verdicts.ts";

/** Filters of a list of runs, parsed from its address; invalid ones are ignored. */
export function readRunFilters(request: Request) {
  const search = new URL(request.url).searchParams;
  return {
    verdict: verdicts.find((known) => known === search.get("verdict")),
    trigger: runTrigger.options.find((known) => known === search.get("trigger")),
    sort: readOutcomeSort(search),
    cursor: search.get("cursor") || undefined,
    ...readTimeFilter(search),
  };
}

/** Undefined: the newest first. */
export function readOutcomeSort(search: URLSearchParams): OutcomeSort | undefined {
  const sort = outcomeSorts.find((known) => known === search.get("sort"));
  return sort === "-started" ? undefined : sort;
}

export interface TimeFilter {
  from?: string;
  to?: string;
}

/** The time range in an address, such as that of a bar in a plot. */
export function readTimeFilter(search: URLSearchParams): TimeFilter {
  return { from: readMoment(search.get("from")), to: readMoment(search.get("to")) };
}

/** Includes what ended after its start and began before its end. */
export const whatRan = ({ from, to }: TimeFilter) => ({ from, to, active: from ? ("true" as const) : undefined });

function readMoment(text: string | null): string | undefined {
  const moment = text ? Date.parse(text) : Number.NaN;
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString();
}
