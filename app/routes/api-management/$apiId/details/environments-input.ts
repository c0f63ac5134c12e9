import { z } from "zod";
import { baseUrl, type Environment } from "#contracts/api-registry/environments.ts";
import { type SecretVariable, variableName } from "#contracts/api-registry/secret-variables.ts";
import { isSecretName } from "#libraries/redaction/secret-signs.ts";
import { locationField } from "~/features/locations/location-field";
import {
  secretVariableRows,
  toSecretField,
  toSecretRow,
  toSecretVariable,
} from "~/features/variables/secret-variable-form";

export interface ReadVariables {
  variables: Record<string, string>;
  /** What could not be parsed, one sentence each. */
  errors: string[];
}

/** One `name=value` per line; empty lines and lines that start with `#` are ignored, and spaces around the name are dropped. */
export function readVariables(text: string): ReadVariables {
  const variables = new Map<string, string>();
  const faults: string[] = [];
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === "" || line.trimStart().startsWith("#")) continue;
    const [, name = "", value = ""] = /^\s*([^=]*?)\s*=(.*)$/.exec(line) ?? [];
    if (!/^[A-Za-z_][\w-]*$/.test(name)) {
      faults.push(`Line ${index + 1}: write name=value, the name of letters, digits, _ and -`);
    } else if (variables.has(name)) faults.push(`Line ${index + 1}: ${name} is there twice`);
    else variables.set(name, value);
  }
  return { variables: Object.fromEntries(variables), errors: faults };
}

export function writeVariables(variables: Record<string, string>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");
}

const variablesText = z
  .string()
  .max(100_000)
  .superRefine((text, context) => {
    for (const message of readVariables(text).errors) context.addIssue({ code: "custom", message });
  })
  .optional();

const secrets = secretVariableRows(variableName);

const environmentRow = z.object({
  name: z.string({ error: "Give the environment a name" }).trim().max(100, "Use at most 100 characters"),
  formerName: z.string().optional(),
  baseUrl: z.string({ error: "Enter the base URL" }).pipe(baseUrl),
  variables: variablesText,
  secrets,
  locationId: locationField,
});

export const environmentsInput = z.object({
  variables: variablesText,
  secrets,
  items: z
    .array(environmentRow)
    .max(50, "An API has at most 50 environments")
    .default([])
    .superRefine((items, context) => {
      for (const [index, { name }] of items.entries()) {
        if (items.findIndex((other) => other.name === name) < index) {
          context.addIssue({ code: "custom", path: [index, "name"], message: `${name} is there twice` });
        }
      }
    }),
});
type EnvironmentsInput = z.output<typeof environmentsInput>;

interface StoredVariables {
  variables: Record<string, string>;
  secretVariables?: readonly SecretVariable[] | undefined;
}

/** Stored variables as the form's values. */
export const toVariableFields = ({ variables, secretVariables = [] }: StoredVariables) => ({
  variables: writeVariables(variables),
  secrets: secretVariables.map(toSecretRow),
});

/** Typed variables as the service takes them. @param moved names that become secret with the value that was typed */
export function toVariables(
  { variables: text = "", secrets: rows }: Pick<EnvironmentsInput, "variables" | "secrets">,
  isMoved: (name: string) => boolean = () => false,
) {
  const { variables } = readVariables(text);
  const entries = Object.entries(variables);
  const moved = entries.filter(([name]) => isMoved(name)).map(([name, value]) => ({ name, value }));
  return {
    variables: Object.fromEntries(entries.filter(([name]) => !isMoved(name))),
    secretVariables: [...rows.map(toSecretVariable), ...moved],
  };
}

/** Plain variables whose names say that their values are secret. */
export function listLikelySecrets(variables: Record<string, string>): string[] {
  return Object.entries(variables).flatMap(([name, value]) => (value !== "" && isSecretName(name) ? [name] : []));
}

export interface LikelySecrets {
  /** Null for the shared variables. */
  environment: string | null;
  names: string[];
}

/** What looks secret in a typed form, without what was stored as plain already. */
export function findLikelySecrets(
  input: Pick<EnvironmentsInput, "variables" | "items">,
  stored: { variables: Record<string, string>; environments: readonly Pick<Environment, "name" | "variables">[] },
): LikelySecrets[] {
  const find = (environment: string | null, text: string | undefined, before: Record<string, string> = {}) => {
    const names = listLikelySecrets(readVariables(text ?? "").variables).filter((name) => !Object.hasOwn(before, name));
    return names.length > 0 ? [{ environment, names }] : [];
  };
  return [
    ...input.items.flatMap(({ name, formerName, variables }) =>
      find(name, variables, stored.environments.find((one) => one.name === (formerName || name))?.variables),
    ),
    ...find(null, input.variables, stored.variables),
  ];
}

/** The form's field for a path of the service, such as `items[0].secretVariables[2].value`. */
export function toField(path: string): string {
  const [, before, index, rest] = /^(.*?)secretVariables\[(\d+)\](.*)$/.exec(path) ?? [];
  return index === undefined ? path : `${before}secrets[${index}]${toSecretField(rest ?? "")}`;
}
