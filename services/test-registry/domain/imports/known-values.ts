import type { Collection, Variable } from "#libraries/collections/collection.ts";
import { isSecretName } from "#libraries/redaction/secret-signs.ts";
import { placeholderPattern } from "#libraries/template/placeholders.ts";

/** Values of variables may hold variables; deeper ones stay. */
const maxDepth = 5;

/** Values that the files give to variables: the collection's, and over them those of the chosen environment. */
export class KnownValues {
  readonly #variables = new Map<string, Variable>();

  /** @param except names that are taken for unknown */
  constructor(
    { variables, environments }: Collection,
    environment: string | undefined,
    except: ReadonlySet<string> = new Set(),
  ) {
    const chosen = environments.find(({ name }) => name === environment) ?? environments[0];
    for (const variable of [...variables, ...(chosen?.variables ?? [])]) {
      if (except.has(variable.name)) continue;
      const before = this.#variables.get(variable.name);
      const isEmpty = variable.value === "" && before !== undefined;
      const secret = variable.secret || (before?.secret ?? false) || isSecretName(variable.name);
      this.#variables.set(variable.name, { ...variable, value: isEmpty ? before.value : variable.value, secret });
    }
  }

  /** Undefined where it has no value. */
  get(name: string): Variable | undefined {
    const found = this.#variables.get(name);
    return found && found.value !== "" ? { ...found, value: this.fill(found.value) } : undefined;
  }

  /** With the values that are known; other placeholders stay. */
  fill(text: string, depth = 0): string {
    if (!text.includes("{{") || depth > maxDepth) return text;
    return text.replace(placeholderPattern(), (whole, name: string) => {
      const value = this.#variables.get(name)?.value;
      return value === undefined || value === "" ? whole : this.fill(value, depth + 1);
    });
  }

  /** Of variables with values. */
  listNames(): { secret: string[]; plain: string[] } {
    const all = [...this.#variables.values()].filter(({ value }) => value !== "");
    const named = (isSecret: boolean) => all.filter(({ secret }) => secret === isSecret).map(({ name }) => name);
    return { secret: named(true), plain: named(false) };
  }

  /** Of a text's placeholders, whether one has a secret value. */
  holdsSecret(names: readonly string[]): boolean {
    return names.some((name) => this.#variables.get(name)?.secret === true);
  }
}
