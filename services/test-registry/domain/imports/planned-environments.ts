import type { KnownEnvironment } from "#contracts/api-registry/imports.ts";
import type { CollectedRequest, Collection, Loss } from "#libraries/collections/collection.ts";
import { type BaseUrls, findOperation, type Operations } from "./find-operation.ts";
import { toHash } from "./known-sources.ts";
import { KnownValues } from "./known-values.ts";
import type { ImportChoices, KnownSource, PlannedEnvironment } from "./plan.ts";
import { isVariableName, maxSecretVariables, maxVariableCharacters } from "./planned-variables.ts";
import { toName } from "./to-name.ts";

const maxEnvironments = 50;
/** Requests whose hosts say where an environment is. */
const maxAsked = 200;
const maxBaseUrlCharacters = 4_000;

/** What an API has, and what the files have. */
export interface EnvironmentSources {
  collection: Collection;
  operations: Operations;
  baseUrls: BaseUrls;
  environments: readonly KnownEnvironment[];
  known: ReadonlyMap<string, KnownSource>;
  choices: Pick<ImportChoices, "environment" | "environments" | "leaveOut">;
}

/** The environments of the files that the API has afterwards. */
export interface PlannedEnvironments {
  environments: PlannedEnvironment[];
  /** The chosen one of the files, if the API has it afterwards. */
  chosen: PlannedEnvironment | undefined;
  /** Names of its variables. */
  chosenNames: ReadonlySet<string>;
  /** Secrets of it of which another environment has another value: no single credential can stand for them. */
  differing: ReadonlySet<string>;
  losses: Loss[];
}

/** As far as it can be read: without the values of secrets. */
export const hashEnvironment = ({ name, baseUrl, variables, secretNames }: KnownEnvironment) =>
  toHash([name, baseUrl, Object.entries(variables).sort(), [...secretNames].sort()]);

const withoutSlash = (url: string) => url.replace(/\/+$/, "");

/** Whether variables say where it is sent. */
const hasOpenHost = ({ url }: CollectedRequest) => /^([a-z][a-z0-9+.-]*:\/\/)?[^/]*\{\{/i.test(url);

/** Where most requests go with the values of an environment. */
function findBaseUrl(values: KnownValues, { collection, operations, baseUrls }: EnvironmentSources) {
  const counts = new Map<string, number>();
  for (const request of collection.requests.filter(hasOpenHost).slice(0, maxAsked)) {
    const { usedBaseUrl, operation } = findOperation(request, { operations, baseUrls, values });
    // One that is of an operation says more than any number of others.
    if (usedBaseUrl !== undefined) counts.set(usedBaseUrl, (counts.get(usedBaseUrl) ?? 0) + (operation ? maxAsked : 1));
  }
  const [found] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [];
  const url = found ?? baseUrls[0];
  return url !== undefined && url.length <= maxBaseUrlCharacters ? withoutSlash(url) : undefined;
}

/** Decides which environments of the files become environments of the API: by the rule of tests and circles. */
export function planEnvironments(sources: EnvironmentSources): PlannedEnvironments {
  const { collection, environments: stored, known, choices } = sources;
  const losses: Loss[] = [];
  const lose = (of: string, what: string, reason: string) => losses.push({ file: "", line: 0, of, what, reason });
  const chosenOne =
    collection.environments.find(({ name }) => name === choices.environment) ?? collection.environments[0];
  const environments: PlannedEnvironment[] = [];
  let chosen: PlannedEnvironment | undefined;

  function readVariables(of: string, values: KnownValues, names: readonly string[]) {
    const plain: Record<string, string> = {};
    const secrets: Record<string, string> = {};
    for (const name of new Set(names)) {
      const variable = values.get(name);
      if (!variable || !isVariableName(name)) continue;
      if (variable.value.length > maxVariableCharacters)
        lose(of, `variable ${name}`, "Its value has more than 10,000 characters.");
      else if (!variable.secret) plain[name] = variable.value;
      else if (Object.keys(secrets).length < maxSecretVariables) secrets[name] = variable.value;
      else lose(of, `variable ${name}`, "An environment has at most 200 secret variables.");
    }
    return { plain, secrets };
  }

  function plan(index: number): PlannedEnvironment | string {
    const { name: written, variables } = collection.environments[index]!;
    const name = toName(written, 100);
    if (!choices.environments) return "You may not change environments of APIs.";
    if (environments.some((one) => one.name === name)) return "Another environment of the files has this name.";
    const values = new KnownValues(collection, written);
    const baseUrl = findBaseUrl(values, sources);
    if (baseUrl === undefined) return "The files say no base URL for it, and the API has none.";
    const before = stored.find((one) => one.name === name);
    const source = known.get(name);
    if (before && !source) return "The API has an environment of this name, which stays as it is.";
    const isNew = environments.filter((one) => one.replaces === null).length + stored.length;
    if (!before && isNew >= maxEnvironments) return `An API has at most ${maxEnvironments} environments.`;
    const { plain, secrets } = readVariables(
      name,
      values,
      variables.map((one) => one.name),
    );
    const said = { name, baseUrl, variables: plain, secretNames: Object.keys(secrets) };
    const hash = hashEnvironment(said);
    const state = getState(before, source, hash);
    return {
      ...{ id: `environment ${index + 1}`, key: name, name, baseUrl, variables: plain, hash, state },
      ...{ replaces: before ?? null, secrets, secretVariables: keepSecrets(said, secrets, before, source) },
    };
  }

  /** A stored secret stays, unless it would be sent to another host than it was given for. */
  function keepSecrets(
    { name, baseUrl }: KnownEnvironment,
    secrets: Record<string, string>,
    before: KnownEnvironment | undefined,
    source: KnownSource | undefined,
  ): PlannedEnvironment["secretVariables"] {
    const isSameHost = before && getHost(before.baseUrl) === getHost(baseUrl);
    return Object.entries(secrets).map(([secret, value]) => {
      const isStored = before?.secretNames.includes(secret) ?? false;
      if (isStored && source?.secrets?.[secret] !== value && isSameHost) {
        const reason =
          "The files have another secret than before. The stored one stays; replace it in the environment.";
        lose(name, `secret ${secret}`, reason);
      }
      return { name: secret, value: isStored && isSameHost ? null : value };
    });
  }

  for (const [index, written] of collection.environments.entries()) {
    if (choices.leaveOut.includes(`environment ${index + 1}`)) continue;
    const planned = plan(index);
    if (typeof planned === "string") {
      const used = written === chosenOne ? " Values that tests use become variables of the API." : "";
      lose(written.name, "environment", `${planned}${used}`);
      continue;
    }
    environments.push(planned);
    if (written === chosenOne) chosen = planned;
  }
  const secretsOfChosen = Object.entries(chosen?.secrets ?? {});
  const isDiffering = ([name, value]: [string, string]) =>
    environments.some((one) => Object.hasOwn(one.secrets, name) && one.secrets[name] !== value);
  return {
    ...{ environments, chosen, losses },
    chosenNames: new Set(Object.keys({ ...chosen?.variables, ...chosen?.secrets })),
    differing: new Set(secretsOfChosen.filter(isDiffering).map(([name]) => name)),
  };
}

function getState(
  before: KnownEnvironment | undefined,
  source: KnownSource | undefined,
  hash: string,
): PlannedEnvironment["state"] {
  if (!before || !source) return "new";
  if (source.hash === hash) return "unchanged";
  // An import left it as its files said.
  return hashEnvironment(before) === source.hash ? "changed" : "edited";
}

const getHost = (url: string) => (URL.canParse(url) ? new URL(url).host : url);
