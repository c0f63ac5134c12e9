import { z } from "zod";

/** The declaration of one environment variable. */
export interface Variable<Value> {
  name: string;
  /** Parses a set text; `undefined` when it is unset without a default. */
  schema: z.ZodType<Value>;
  /** The reference's text for an unset variable. */
  unset: string;
  meaning: string;
}

/** The default, written as it would be set. */
interface WithDefault {
  default: string;
  meaning: string;
}

interface WithoutDefault {
  /** The effect in the portal. */
  unset: string;
  meaning: string;
}

export function variable<Value>(name: string, schema: z.ZodType<Value>, about: WithDefault): Variable<Value>;
export function variable<Value>(
  name: string,
  schema: z.ZodType<Value>,
  about: WithoutDefault,
): Variable<Value | undefined>;
/** Declares a variable. An empty one counts as unset, since compose files and shells leave one out that way. */
export function variable(name: string, schema: z.ZodType, about: WithDefault | WithoutDefault): Variable<unknown> {
  const { meaning } = about;
  if ("default" in about) {
    const unset = about.default === "" ? "none" : `\`${about.default}\``;
    return { name, meaning, unset, schema: z.preprocess((text) => (text as string) || about.default, schema) };
  }
  return {
    name,
    meaning,
    unset: about.unset,
    schema: z.preprocess((text) => (text as string) || undefined, schema.optional()),
  };
}

/** Variables by the names of their values in the code, grouped by subject. */
export interface Variables {
  [property: string]: Variable<unknown> | Variables;
}

export type VariableValues<V> = { [K in keyof V]: V[K] extends Variable<infer Value> ? Value : VariableValues<V[K]> };

const isVariable = (entry: Variable<unknown> | Variables): entry is Variable<unknown> => typeof entry.name === "string";

/** All variables in order. */
export function listVariables(variables: Variables): Variable<unknown>[] {
  return Object.values(variables).flatMap((entry) => (isVariable(entry) ? [entry] : listVariables(entry)));
}

/** The table of docs/reference/configuration.md, one line per variable. */
export function describeVariables(variables: Variables): string {
  const lines = listVariables(variables).map(({ name, unset, meaning }) => `| \`${name}\` | ${unset} | ${meaning} |\n`);
  return `| variable | unless set | what |\n|---|---|---|\n${lines.join("")}`;
}

/**
 * The values of all variables.
 * @param error called for every invalid one, e.g. with "PORT needs a port number"
 */
export function readVariables<V extends Variables>(
  variables: V,
  environment: Record<string, string | undefined>,
  error: (line: string) => void,
): VariableValues<V> {
  const read = ([property, entry]: [string, Variable<unknown> | Variables]): [string, unknown] => {
    if (!isVariable(entry)) return [property, readVariables(entry, environment, error)];
    const parsed = entry.schema.safeParse(environment[entry.name]);
    for (const { message } of parsed.error?.issues ?? []) error(`${entry.name} ${message}`);
    return [property, parsed.data];
  };
  return Object.fromEntries(Object.entries(variables).map(read)) as VariableValues<V>;
}
