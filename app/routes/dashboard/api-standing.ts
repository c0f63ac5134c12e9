import { href } from "~/href";
import type { Standing } from "~/verdict/find-standings.server";
import type { ApiSummary } from "../../../services/api-registry/contract/apis.ts";

export interface ApiStanding extends Standing {
  api: ApiSummary;
}

/** What a newcomer does next; undefined once an API has run a test, and while nobody can say. */
export interface NextStep {
  title: string;
  sentence: string;
  href: string;
  action: string;
}

export function nextStep(standings: readonly ApiStanding[]): NextStep | undefined {
  if (standings.some(({ testCount, executions }) => testCount === undefined || executions === undefined))
    return undefined;
  const first = standings[0];
  if (!first) {
    return {
      title: "Register your first API",
      sentence: "Give the address of its OpenAPI document, choose the file, or paste the text.",
      href: href("/api-management/register"),
      action: "Register an API",
    };
  }
  if (standings.every(({ testCount }) => testCount === 0)) {
    return {
      title: "Create a test for an operation",
      sentence: `${first.api.name} is registered. Pick an operation: the test starts from a valid call made from the document.`,
      href: href("/test-management/:apiId/manage", { apiId: first.api.id }),
      action: "Pick an operation",
    };
  }
  if (standings.some(({ executions }) => executions?.lastFinishedAt)) return undefined;
  const tested = standings.find(({ testCount }) => testCount !== 0) ?? first;
  return {
    title: "Run your tests",
    sentence: `${tested.api.name} has ${tested.testCount === 1 ? "a test" : "tests"} that never ran.`,
    href: href("/test-management/:apiId/tests", { apiId: tested.api.id }),
    action: "See the tests",
  };
}
