import { z } from "zod";
import { baseUrl } from "#contracts/api-registry/environments.ts";

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

const environmentRow = z.object({
  name: z.string({ error: "Give the environment a name" }).trim().max(100, "Use at most 100 characters"),
  baseUrl: z.string({ error: "Enter the base URL" }).pipe(baseUrl),
  variables: variablesText,
});

export const environmentsInput = z.object({
  variables: variablesText,
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
