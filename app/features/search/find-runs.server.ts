import { verdicts } from "#contracts/test-executioner/verdicts.ts";
import type { FoundCircles, FoundTests } from "#contracts/test-registry/search.ts";
import { circleRunsAddress } from "~/features/circles/circle-addresses";
import { statusWords } from "~/features/verdict/verdict-words";
import { href, toSearch } from "~/href";
import type { Group } from "./found";
import type { Search } from "./search";

/** Without a verdict in the search they are beside what it is about. */
const maxUnasked = 3;

interface RunsOf {
  tests: FoundTests;
  testCircles: FoundCircles;
  limit: number;
  verdict?: (typeof verdicts)[number];
}

/** The lists of runs of what was found: runs themselves have no names, and are a thousand times as many. */
export function runsOf({ tests, testCircles, limit, verdict }: RunsOf): Group {
  const what = verdict && `Only those with the verdict “${statusWords[verdict].word}”`;
  const search = toSearch({ verdict });
  const hits = [
    ...testCircles.items.map((circle) => ({
      href: circleRunsAddress(circle) + search,
      name: `Runs of ${circle.name}`,
      what,
    })),
    ...tests.items.map(({ id, apiId, name }) => ({
      href: href("/test-management/:apiId/tests/:testId/executions/list", { apiId, testId: id }) + search,
      name: `Executions of ${name}`,
      what,
    })),
  ].slice(0, verdict ? limit : Math.min(limit, maxUnasked));
  return { kind: "runs", hits, total: hits.length, hasMore: false };
}

/** For words such as "checkout failed": the runs with this verdict of what the other words find. */
export async function findRunsWithVerdict({ viewer, query, limit }: Search): Promise<Group[]> {
  const words = query.split(/\s+/);
  const verdict = verdicts.find((one) => words.some((word) => word.toLowerCase() === one));
  const others = words.filter((word) => word.toLowerCase() !== verdict).join(" ");
  if (!verdict || !others || !viewer.may("tests:read")) return [];
  const found = await viewer.backend.testRegistry.searchTests({ query: { query: others, limit } });
  if (!found.ok) return [];
  return [runsOf({ ...found.value, limit, verdict })];
}
