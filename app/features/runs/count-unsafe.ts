import { isSafe } from "#libraries/openapi/safe-methods.ts";

export interface MethodCount {
  method: string;
  total: number;
}

/** Methods that may change data, each with the number of tests that send it. */
export function countUnsafe(tests: readonly { method: string }[]): MethodCount[] {
  const counts = new Map<string, number>();
  for (const { method } of tests) {
    if (!isSafe(method)) counts.set(method.toUpperCase(), (counts.get(method.toUpperCase()) ?? 0) + 1);
  }
  return [...counts].map(([method, total]) => ({ method, total }));
}
