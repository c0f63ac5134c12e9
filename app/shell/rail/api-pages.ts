import { href } from "~/href";
import type { ApiContext } from "~/shell/api-header/find-api-header.server";

export interface ApiPage {
  label: string;
  href: string;
  /** Beginnings of other addresses that belong to it. */
  with?: readonly string[];
  count?: number | undefined;
}

/** The pages of an API: the same at both of its addresses. */
export function getApiPages({ api, testCount, circleCount }: ApiContext): ApiPage[] {
  const location = { apiId: api.id };
  const tests = href("/test-management/:apiId/tests", location);
  const base = tests.slice(0, -"/tests".length);
  return [
    { label: "Overview", href: href("/test-management/:apiId/manage", location), with: [base] },
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
      with: [`${base}/test-circles`],
      count: circleCount,
    },
    { label: "Reference", href: href("/api-management/:apiId/swagger", location) },
    {
      label: "Settings",
      href: href("/api-management/:apiId/details", location),
      with: [href("/api-management/:apiId/dependencies", location)],
    },
  ];
}
