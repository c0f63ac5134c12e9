import { isJsonObject, type Json } from "#libraries/json/json.ts";
import type { CodeValue } from "./code-object.ts";

/** Kinds of objects that may name secrets: other values may look like one. */
const withSecrets = ["api", "circle", "alertChannel"];

/**
 * Prefix of the environment variables that files may read. Anyone who can change a file must not be able to read others,
 * such as the pipeline's own token.
 */
const prefix = "ASSURANCE_SECRET_";

/** The environment variable with the value of a secret. */
export const toVariable = (secret: string): string => (secret.startsWith(prefix) ? secret : `${prefix}${secret}`);

/** Names of the secrets of objects: `{secret: SHOP_PASSWORD}`. */
export function listSecrets(objects: readonly CodeValue[]): string[] {
  const names = new Set<string>();
  const visit = (value: Json): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (isJsonObject(value)) {
      const { secret, ...others } = value;
      if (typeof secret === "string" && Object.keys(others).length === 0) names.add(secret);
      Object.values(others).forEach(visit);
    }
  };
  for (const { kind, value } of objects) if (withSecrets.includes(kind)) visit(value);
  return [...names].sort();
}

/** Their values in the environment; those that are not set, or empty, are left out. */
export function readSecrets(objects: readonly CodeValue[], environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    listSecrets(objects).flatMap((name) => {
      const value = environment[toVariable(name)];
      return value ? [[name, value] as const] : [];
    }),
  );
}
