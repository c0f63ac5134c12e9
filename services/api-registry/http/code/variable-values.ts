import type { ApiCode, VariableValue } from "#contracts/code/api.ts";
import type { ChangeContext, Fail } from "../../../kit/code/code-kind.ts";
import { secretNameOf } from "../../../kit/code/keys.ts";
import { environmentKey, type StoredSecret, shared } from "../../store/secret-variables.ts";
import type { GivenVariables } from "../given-variables.ts";

/** In place of a secret that a check was not sent. */
const unsent = "?";

type Values = Record<string, VariableValue>;

const toLocation = (environment: string, name: string) => JSON.stringify([environment, name]);

/** Names of secrets of an API, with their values. */
export interface WrittenSecrets {
  /** The API's key, from which new names are made. */
  key: string;
  /** Names that files have given, by location. */
  names: Readonly<Record<string, string>>;
  secrets: readonly StoredSecret[];
  open(secret: StoredSecret): string | null;
  /** Gets the values by name. */
  values: Record<string, string | undefined>;
}

/** Variables as files have them: plain ones, then secret ones by name. */
export function writeValues(plain: Record<string, string>, environment: string | undefined, written: WrittenSecrets) {
  const at = environment === undefined ? shared : environmentKey(environment);
  const own = written.secrets.filter((secret) => secret.environment === at);
  const secrets = own.map((secret): [string, VariableValue] => {
    const { name, reference } = secret;
    if (reference) return [name, { reference }];
    const words = environment === undefined ? [name] : [environment, name];
    const secretName = written.names[toLocation(at, name)] ?? secretNameOf(written.key, ...words);
    written.values[secretName] = written.open(secret) ?? undefined;
    return [name, { secret: secretName }];
  });
  return { ...plain, ...Object.fromEntries(secrets) };
}

/** Variables of files as calls have them, each with the name of its secret by location. */
export function readValues(
  { variables, environments }: Pick<ApiCode, "variables" | "environments">,
  stored: readonly StoredSecret[],
  context: ChangeContext,
  fail: Fail,
): { given: GivenVariables[]; secretNames: Record<string, string> } {
  const secretNames: Record<string, string> = {};

  function readOf(values: Values, environment: string | undefined, path: string): GivenVariables {
    const at = environment === undefined ? shared : environmentKey(environment);
    const entries = Object.entries(values);
    const secretVariables = entries.flatMap(([name, given]) => {
      if (typeof given === "string") return [];
      if ("reference" in given) return [{ name, value: null, reference: given.reference }];
      secretNames[toLocation(at, name)] = given.secret;
      const value = context.secrets[given.secret] ?? null;
      const isStored = stored.some((one) => one.environment === at && one.name === name && one.value !== null);
      if (value !== null || isStored) return [{ name, value }];
      context.missingSecrets.add(given.secret);
      if (!context.isCheck) fail(`${path}.${name}`, `Send the value of the secret ${given.secret}`);
      return [{ name, value: unsent }];
    });
    const plain = entries.flatMap(([name, given]) => (typeof given === "string" ? [[name, given] as const] : []));
    return {
      ...(environment === undefined ? {} : { environment }),
      ...{ variables: Object.fromEntries(plain), secretVariables, path },
    };
  }

  const given = [
    readOf(variables, undefined, "variables"),
    ...environments.map(({ name, variables: own }, index) => readOf(own, name, `environments[${index}].variables`)),
  ];
  return { given, secretNames };
}
