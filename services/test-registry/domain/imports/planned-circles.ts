import type { ImportedRequest } from "#contracts/test-registry/imports.ts";
import type { Collection } from "#libraries/collections/collection.ts";
import { listPlaceholders } from "#libraries/template/placeholders.ts";
import { compareSource, createToKey, toHash } from "./known-sources.ts";
import type { KnownSource, PlannedCircle } from "./plan.ts";
import { maxSecretVariables, type SecretVariables } from "./planned-variables.ts";
import { toName } from "./to-name.ts";

/** A circle for each folder and workflow, and one for all requests unless one of those has them all. */
export function planCircles(
  { sequences, requests, name, description }: Collection,
  from: {
    /** With the tests that they become. */
    planned: readonly ImportedRequest[];
    keyBy: ReadonlyMap<string, string>;
    known: ReadonlyMap<string, KnownSource>;
    leaveOut: readonly string[];
    secrets: SecretVariables;
    /** Secrets that the API or its environments have, so that circles don't need them. */
    ofApi: ReadonlySet<string>;
    environment: string | undefined;
  },
): PlannedCircle[] {
  const everything = requests.map(({ id }) => id);
  const [first] = requests;
  const isCovered = sequences.some((one) => one.requests.length === everything.length);
  const whole = { file: first?.file ?? "", line: 0, name, description, requests: everything, stopOnFailure: false };
  const wanted = everything.length > 1 && !isCovered ? [whole, ...sequences] : sequences;
  const testBy = new Map(from.planned.flatMap(({ id, test }) => (test ? [[id, test]] : [])));
  const toKey = createToKey();
  return wanted.flatMap((sequence, index) => {
    const key = sequence === whole ? "*" : toKey(sequence.name);
    const id = `circle ${index + 1}`;
    const members = sequence.requests.filter((one) => testBy.has(one));
    if (members.length === 0 || from.leaveOut.includes(id)) return [];
    const used = new Set(members.flatMap((one) => listPlaceholders(JSON.stringify(testBy.get(one) ?? ""))));
    const variables = [...used].flatMap((one) => {
      const value = from.secrets.get(one);
      return value === undefined || from.ofApi.has(one) ? [] : [{ name: one, value, secret: true }];
    });
    if (variables.length > maxSecretVariables) variables.length = maxSecretVariables;
    const { stopOnFailure } = sequence;
    const described = sequence.description.trim().slice(0, 4_000);
    const circle = { name: toName(sequence.name), description: described, stopOnFailure };
    const keys = members.map((one) => from.keyBy.get(one));
    const hash = toHash([circle, keys, variables.map((variable) => variable.name)]);
    const before = from.known.get(key);
    const source = { key, hash, knownId: before?.objectId, state: compareSource(before, hash) };
    return [{ id, ...circle, requests: members, variables, environment: from.environment, ...source }];
  });
}
