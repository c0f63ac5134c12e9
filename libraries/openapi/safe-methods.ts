/** Methods that change nothing (RFC 9110, 9.2.1). */
export const safeMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);

export function isSafe(method: string): boolean {
  return safeMethods.has(method.toUpperCase());
}

/** The effect of a request on data, as far as its method defines it. */
export const methodEffects = ["safe", "changes", "deletes"] as const;
export type MethodEffect = (typeof methodEffects)[number];

export function getMethodEffect(method: string): MethodEffect {
  if (isSafe(method)) return "safe";
  return method.toUpperCase() === "DELETE" ? "deletes" : "changes";
}
