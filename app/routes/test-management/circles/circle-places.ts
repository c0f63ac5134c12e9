import { href } from "~/href";

/** The list of an API's circles, or of all. */
export function circleListAddress(apiId: string | undefined): string {
  return apiId
    ? href("/test-management/:apiId/test-circles/list", { apiId })
    : href("/test-management/test-circles/list");
}
