const secretName = /secret|password|token|authorization|cookie|hash|sealed/i;

/** PostgreSQL stores neither in JSON. */
const unstorable = /\0|\p{Surrogate}/gu;

/** Copies a resource for its record. Callers remove secrets themselves; this is a safety net. */
export function withoutSecrets(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "string") return value.replace(unstorable, "");
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !secretName.test(name))
      .map(([name, member]) => [name.replace(unstorable, ""), withoutSecrets(member)]),
  );
}
