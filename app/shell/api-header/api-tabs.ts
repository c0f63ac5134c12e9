import { href } from "~/href";
import type { Tab } from "~/ui/tabs/tabs";
import type { ApiContext } from "./find-api-header.server";

/** The tabs of an API: the same at both of its addresses. */
export function apiTabs({ api, testCount, circleCount }: ApiContext, path: string): Tab[] {
  const location = { apiId: api.id };
  const tests = href("/test-management/:apiId/tests", location);
  const base = tests.slice(0, -"tests".length);
  return [
    {
      label: "Overview",
      href: href("/test-management/:apiId/manage", location),
      with: [href("/test-management/:apiId/marks", location), href("/test-management/:apiId/alert-rules", location)],
    },
    {
      label: "Tests",
      href: tests,
      with: [href("/test-management/:apiId/explorations", location)],
      count: testCount,
    },
    { label: "Runs", href: href("/test-management/:apiId/runs", location) },
    {
      label: "Circles",
      href: href("/test-management/:apiId/test-circles/list", location),
      with: [`${base}test-circles`],
      count: circleCount,
    },
    { label: "Reference", href: href("/api-management/:apiId/swagger", location) },
    {
      label: "Settings",
      href: href("/api-management/:apiId/details", location),
      with: [href("/api-management/:apiId/dependencies", location)],
    },
  ].map(({ with: others = [], ...tab }) => ({ ...tab, current: standsAt(path, tab.href, others) }));
}

function standsAt(path: string, own: string, others: readonly string[]): Tab["current"] {
  if (path === own) return "page";
  return [own, ...others].some((location) => path.startsWith(`${location}/`) || path === location) && "section";
}
