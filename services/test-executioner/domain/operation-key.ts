const standardMethods = new Set(["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"]);

/** Methods of the standard are compared in lower case, others as they are written. */
export function normalizeMethod(method: string): string {
  const lower = method.toLowerCase();
  return standardMethods.has(lower) ? lower : method;
}
