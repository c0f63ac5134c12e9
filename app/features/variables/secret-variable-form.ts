import { z } from "zod";
import type { SecretReference } from "#contracts/security-service/secret-references.ts";

type SecretSource = "here" | SecretReference["kind"];

/** Rows of secret variables in a form: their values are written, and never displayed. */
export function secretVariableRows<Name extends z.ZodType<string, string>>(variableName: Name) {
  return z
    .array(
      z.object({
        name: z.string("Give it a name").pipe(variableName),
        from: z.enum(["here", "vault", "environment"]).default("here"),
        secret: z.string().optional(),
        path: z.string().default(""),
        key: z.string().default(""),
        variable: z.string().default(""),
      }),
    )
    .default([]);
}
export type SecretVariableRow = z.output<ReturnType<typeof secretVariableRows>>[number];

/** The row as the service takes it. Without a value, a stored one stays. */
export function toSecretVariable({ name, from, secret, path, key, variable }: SecretVariableRow) {
  if (from === "here") return { name, value: secret ?? null };
  const reference: SecretReference =
    from === "vault" ? { kind: "vault", path, key } : { kind: "environment", name: variable };
  return { name, value: null, reference };
}

export function toSecretRow({ name, reference }: { name: string; reference?: SecretReference | undefined }) {
  const empty = { name, from: "here" as SecretSource, secret: "", path: "", key: "", variable: "" };
  if (!reference) return empty;
  if (reference.kind === "environment") return { ...empty, from: reference.kind, variable: reference.name };
  return { ...empty, from: reference.kind, path: reference.path, key: reference.key };
}

const fields: Record<string, string> = {
  ".value": ".secret",
  ".reference": ".from",
  ".reference.path": ".path",
  ".reference.key": ".key",
  ".reference.name": ".variable",
};

/** The row's field for the rest of a service's path, such as `.reference.path`. */
export const toSecretField = (rest: string): string => fields[rest] ?? rest;
