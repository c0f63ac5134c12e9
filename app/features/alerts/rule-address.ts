import type { AlertScope } from "#contracts/test-analyzer/alert-rules.ts";
import { href } from "~/href";

/**
 * The page of a scope's rule.
 * @param apiId the API below which a circle's pages are shown
 */
export function ruleAddress(scope: AlertScope, apiId: string): string {
  switch (scope.kind) {
    case "organization":
      return href("/test-management/alert-rules");
    case "api":
      return href("/test-management/:apiId/alert-rules", { apiId: scope.apiId });
    case "circle":
      return href("/test-management/:apiId/test-circles/:testCircleId/alert-rules", {
        ...{ apiId, testCircleId: scope.testCircleId },
      });
  }
}
