import type { SecretReference } from "#contracts/security-service/secret-references.ts";

interface Variable {
  name: string;
  reference?: SecretReference | undefined;
}

const textOf = (reference: SecretReference | undefined) =>
  reference && JSON.stringify(Object.entries(reference).sort(([one], [other]) => (one < other ? -1 : 1)));

/** Whether a variable names another location of its secret than before. */
export function changesReference(variables: readonly Variable[], before: readonly Variable[] = []): boolean {
  const known = new Map(before.map(({ name, reference }) => [name, textOf(reference)]));
  return variables.some(({ name, reference }) => reference && textOf(reference) !== known.get(name));
}
