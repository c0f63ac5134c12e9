import { z } from "zod";

/** One environment variable: everything that is known of it. */
export interface Variable<Value> {
  name: string;
  /** Of the text that is set; `undefined` where nothing is and no default stands in. */
  schema: z.ZodType<Value>;
  /** As the README tells of it when nothing is set. */
  unset: string;
  meaning: string;
}

/** What it holds unless set, written as it would be set. */
interface WithDefault {
  default: string;
  meaning: string;
}

interface WithoutDefault {
  /** What the portal does then. */
  unset: string;
  meaning: string;
}

export function variable<Value>(name: string, schema: z.ZodType<Value>, about: WithDefault): Variable<Value>;
export function variable<Value>(
  name: string,
  schema: z.ZodType<Value>,
  about: WithoutDefault,
): Variable<Value | undefined>;
/** Declares a variable. An empty one counts as unset, since that is how compose files and shells leave one out. */
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

/** Variables under the names by which the code knows their values, in groups where they belong together. */
export interface Variables {
  [property: string]: Variable<unknown> | Variables;
}

export type ValuesOf<V> = { [K in keyof V]: V[K] extends Variable<infer Value> ? Value : ValuesOf<V[K]> };

const isVariable = (entry: Variable<unknown> | Variables): entry is Variable<unknown> => typeof entry.name === "string";

/** All of them, one after the other. */
export function listVariables(variables: Variables): Variable<unknown>[] {
  return Object.values(variables).flatMap((entry) => (isVariable(entry) ? [entry] : listVariables(entry)));
}

/** The README's table: a line each. */
export function describeVariables(variables: Variables): string {
  const lines = listVariables(variables).map(({ name, unset, meaning }) => `| \`${name}\` | ${unset} | ${meaning} |\n`);
  return `| variable | unless set | what |\n|---|---|---|\n${lines.join("")}`;
}

/**
 * The values of all variables.
 * @param fault is told of every one that is set wrongly, as in "PORT wants a port number"
 */
export function readVariables<V extends Variables>(
  variables: V,
  environment: Record<string, string | undefined>,
  fault: (line: string) => void,
): ValuesOf<V> {
  const read = ([property, entry]: [string, Variable<unknown> | Variables]): [string, unknown] => {
    if (!isVariable(entry)) return [property, readVariables(entry, environment, fault)];
    const parsed = entry.schema.safeParse(environment[entry.name]);
    for (const { message } of parsed.error?.issues ?? []) fault(`${entry.name} ${message}`);
    return [property, parsed.data];
  };
  return Object.fromEntries(Object.entries(variables).map(read)) as ValuesOf<V>;
}
