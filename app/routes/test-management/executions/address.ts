/** Where the pages of a test's executions are. */
export function executionsHome(apiId: string, testId: string): string {
  return `/test-management/${apiId}/tests/${testId}/executions`;
}

export function resultsAddress(apiId: string, testId: string, executionId: string): string {
  return `${executionsHome(apiId, testId)}/${executionId}/results`;
}

export function verificationsAddress(apiId: string, testId: string, executionId: string): string {
  return `${executionsHome(apiId, testId)}/${executionId}/verifications`;
}
