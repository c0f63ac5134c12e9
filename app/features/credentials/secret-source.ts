import type { Credential, CredentialInput } from "#contracts/security-service/credentials.ts";
import { secretReference } from "#contracts/security-service/secret-references.ts";

export const secretSources = ["stored", "vault", "environment"] as const;
export type SecretSource = (typeof secretSources)[number];

export interface SecretSourceForm {
  secretFrom: SecretSource;
  vaultPath: string;
  vaultKey: string;
  environmentName: string;
  secret?: string | undefined;
}

/** Form fields by the names of a reference's values. */
const fieldNames: Record<string, string> = { path: "vaultPath", key: "vaultKey", name: "environmentName" };

export function toReference(form: SecretSourceForm): CredentialInput["reference"] {
  if (form.secretFrom === "vault") return { kind: "vault", path: form.vaultPath.trim(), key: form.vaultKey.trim() };
  if (form.secretFrom === "environment") return { kind: "environment", name: form.environmentName.trim() };
  return undefined;
}

export function findReferenceErrors(form: SecretSourceForm): { path: string; message: string }[] {
  const reference = toReference(form);
  const issues = reference && secretReference.safeParse(reference).error?.issues;
  return (issues ?? []).map(({ path, message }) => ({ path: fieldNames[String(path[0])] ?? "secretFrom", message }));
}

/** Initial values of the form. */
export function toSecretSource(reference: Credential["reference"]): Omit<SecretSourceForm, "secret"> {
  const none = { secretFrom: "stored" as const, vaultPath: "", vaultKey: "", environmentName: "" };
  if (reference === null) return none;
  if (reference.kind === "environment") return { ...none, secretFrom: "environment", environmentName: reference.name };
  return { ...none, secretFrom: "vault", vaultPath: reference.path, vaultKey: reference.key };
}

/** The service's errors, with those of a reference at their fields. */
export function atSecretFields<Reported extends { errors?: { path: string; message: string }[] }>(
  problem: Reported,
): Reported {
  const errors = problem.errors?.map((error) => {
    const [first, name = ""] = error.path.split(".");
    return first === "reference" ? { ...error, path: fieldNames[name] ?? "secretFrom" } : error;
  });
  return { ...problem, ...(errors ? { errors } : {}) };
}
