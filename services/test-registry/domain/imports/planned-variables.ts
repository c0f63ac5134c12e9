import { toVariableName } from "#libraries/collections/read/placeholders.ts";
import { listPlaceholders } from "#libraries/template/placeholders.ts";
import type { KnownValues } from "./known-values.ts";
import type { ImportPlan, PlannedTest } from "./plan.ts";

export const maxVariableCharacters = 10_000;
/** Secret ones, of a circle, an environment or an API. */
export const maxSecretVariables = 200;
/** Plain ones of an API. */
const maxVariables = 1_000;

/** Whether an API, an environment or a circle may have a variable of this name. */
export const isVariableName = (name: string) => /^[A-Za-z_][\w-]{0,99}$/.test(name);

/** Names and secrets of variables that bodies of tests refer to. */
export class SecretVariables {
  readonly #valueBy = new Map<string, string>();

  /** @param reserved names that mean something else */
  constructor(readonly reserved: ReadonlySet<string>) {}

  /** The same name for the same value. */
  readonly name = (wanted: string, value: string): string => {
    const base = toVariableName(wanted);
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? base : `${base}_${count}`;
      if (this.reserved.has(name)) continue;
      const known = this.#valueBy.get(name);
      if (known === undefined) this.#valueBy.set(name, value);
      if (known === undefined || known === value) return name;
    }
  };

  get = (name: string) => this.#valueBy.get(name);
}

/** What an API has, and what its environments have anyway. */
interface ThereBefore {
  variables: Readonly<Record<string, string>>;
  secretNames: ReadonlySet<string>;
  ofEnvironment: ReadonlySet<string>;
}

/** The variables that tests use and that all environments share; what the API has stays. */
export function planVariables(
  tests: readonly PlannedTest[],
  values: KnownValues,
  there: ThereBefore,
  loseVariable: (name: string, reason: string) => void,
): Pick<ImportPlan, "variables" | "secretVariables"> {
  const used = new Set(tests.flatMap(({ test }) => listPlaceholders(JSON.stringify(test))));
  const variables: [string, string][] = [];
  const secretVariables: ImportPlan["secretVariables"] = [];
  for (const name of used) {
    const known = values.get(name);
    if (!known || !isVariableName(name) || there.ofEnvironment.has(name)) continue;
    const before = there.variables[name];
    const lose = (reason: string) => loseVariable(name, reason);
    if (known.value.length > maxVariableCharacters) lose("Its value has more than 10,000 characters.");
    else if (there.secretNames.has(name)) lose("The API has a secret variable of this name, which stays.");
    else if (known.secret && before !== undefined) lose("The API has a plain variable of this name, which stays.");
    else if (known.secret && secretVariables.length < maxSecretVariables)
      secretVariables.push({ name, value: known.value });
    else if (known.secret) lose("An API has at most 200 secret variables.");
    else if (before === undefined) variables.push([name, known.value]);
    else if (before !== known.value) lose("The API has a variable of this name with another value, which stays.");
  }
  return { variables: Object.fromEntries(variables.slice(0, maxVariables)), secretVariables };
}
