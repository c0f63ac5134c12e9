import { href } from "~/href";
import type { Tab } from "~/ui/tabs/tabs";
import type { ApiContext } from "./find-api-header.server";

/** The tabs of an API: the same at both of its addresses. */
export function apiTabs({ api, testCount, circleCount }: ApiContext, path: string): Tab[] {
  const place = { apiId: api.id };
  const tests = href("/test-management/:apiId/tests", place);
  const base = tests.slice(0, -"tests".length);
  return [
    {
      label: "Overview",
      href: href("/test-management/:apiId/manage", place),
      with: [href("/test-management/:apiId/marks", place), href("/test-management/:apiId/alert-rules", place)],
    },
    { label: "Tests", href: tests, count: testCount },
    { label: "Runs", href: href("/test-management/:apiId/runs", place) },
    {
      label: "Circles",
      href: href("/test-management/:apiId/test-circles/list", place),
      with: [`${base}test-circles`],
      count: circleCount,
    },
    { label: "Reference", href: href("/api-management/:apiId/swagger", place) },
    { label: "Settings", href: href("/api-management/:apiId/details", place) },
  ].map(({ with: others = [], ...tab }) => ({ ...tab, current: standsAt(path, tab.href, others) }));
}

function standsAt(path: string, own: string, others: readonly string[]): Tab["current"] {
  if (path === own) return "page";
  return [own, ...others].some((place) => path.startsWith(`${place}/`) || path === place) && "section";
}
