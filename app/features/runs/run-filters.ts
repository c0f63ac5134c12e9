import { runTrigger, verdicts } from "#contracts/test-executioner/verdicts.ts";

/** Filters of a list of runs, parsed from its address; invalid ones are ignored. */
export function readRunFilters(request: Request) {
  const search = new URL(request.url).searchParams;
  return {
    verdict: verdicts.find((known) => known === search.get("verdict")),
    trigger: runTrigger.options.find((known) => known === search.get("trigger")),
    cursor: search.get("cursor") || undefined,
  };
}
