import type { SecretVariable } from "#contracts/api-registry/secret-variables.ts";
import type { FieldError } from "#contracts/kit/problem.ts";

/** A secret sent without a value keeps the stored one. */
export function retainsValue({ value, reference }: SecretVariable): boolean {
  return !reference && (value === null || value === "");
}

/**
 * Errors of secret variables, by field.
 * @param plainNames names of variables whose values are no secrets
 * @param storedNames names of secret variables that already have a value
 * @param path of their list
 */
export function findSecretErrors(
  secrets: readonly SecretVariable[],
  { plainNames, storedNames }: { plainNames: ReadonlySet<string>; storedNames: ReadonlySet<string> },
  path: string,
): FieldError[] {
  return secrets.flatMap((secret, index): FieldError[] => {
    const { name, value, reference } = secret;
    const at = `${path}[${index}]`;
    const isRepeated = secrets.findIndex((other) => other.name === name) < index;
    if (isRepeated || plainNames.has(name))
      return [{ path: `${at}.name`, message: `Another variable is named ${name}` }];
    if (reference && value)
      return [{ path: `${at}.reference`, message: "Only a secret without a value is read elsewhere" }];
    if (retainsValue(secret) && !storedNames.has(name)) return [{ path: `${at}.value`, message: "Give it a value" }];
    return [];
  });
}
