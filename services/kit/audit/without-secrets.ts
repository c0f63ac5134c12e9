const secretName = /secret|password|token|authorization|cookie|hash|sealed/i;

/** What a record says of a resource. Its maker leaves secrets out; this is the net for whoever forgets. */
export function withoutSecrets(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "string") return value.replaceAll("\u0000", "");
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !secretName.test(name))
      .map(([name, member]) => [name.replaceAll("\u0000", ""), withoutSecrets(member)]),
  );
}
