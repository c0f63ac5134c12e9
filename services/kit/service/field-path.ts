/** The path of a value in a request body, as in `assertions[0].target`. */
export function fieldPath(steps: readonly PropertyKey[]): string {
  return steps.reduce<string>(
    (path, step) => (typeof step === "number" ? `${path}[${step}]` : path ? `${path}.${String(step)}` : String(step)),
    "",
  );
}
