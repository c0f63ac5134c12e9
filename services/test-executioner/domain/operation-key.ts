const standardMethods = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]);

/** Standard methods are compared in lower case, others as written. */
export function normalizeMethod(method: string): string {
  const lower = method.toLowerCase();
  return standardMethods.has(lower) ? lower : method;
}
