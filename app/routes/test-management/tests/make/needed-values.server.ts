import type { Suggestion } from "#contracts/test-analyzer/suggestions.ts";
import { type GivenValues, mergeValues } from "~/features/runs/given-values.server";
import type { Viewer } from "~/session/guards";
import { isMissing, type NeededValue, operationValue } from "./making";
import { suggestFor } from "./suggest-for.server";
import { getCollection, getSources, type ValueSource, type ValueUse } from "./value-sources";

/** For one value: further operations have longer paths to the same resource. */
const maxUses = 3;
/** Looked up in addition to those on the page. */
const maxCollections = 50;

/** The required values, with the stored ones; else the examples of another operation's parameter of the same name. */
export async function listNeededValues(
  viewer: Viewer,
  apiId: string,
  suggestions: ReadonlyMap<string, Suggestion>,
  given: GivenValues,
): Promise<NeededValue[]> {
  const { variables, environment } = given;
  const displayed = [...suggestions.values()];
  const documented = documentedValues(displayed);
  const needed = getUses(displayed).map(([name, uses]) => {
    const stored = Object.hasOwn(variables, name) ? variables[name] : undefined;
    const inUse = environment && Object.hasOwn(environment.variables, name) ? environment.name : undefined;
    const value = stored ?? (inUse ? "" : documented.get(name)) ?? "";
    const fromDocument = stored === undefined && value !== "";
    return { name, value, usedBy: uses.length, fromDocument, environment: inUse, uses };
  });
  const missing = needed.filter(isMissing);
  const known = viewer.may("tests:run") ? await withCollections(viewer, apiId, suggestions, missing) : [];
  return needed.map(({ uses, ...value }) => ({
    ...value,
    sources: isMissing(value) ? findSources(uses, known, mergeValues(given)) : [],
  }));
}

/** By variable, the most used first. */
function getUses(suggestions: Suggestion[]): [string, ValueUse[]][] {
  const uses = new Map<string, ValueUse[]>();
  for (const { test, values } of suggestions) {
    for (const { name, parameter } of values) {
      uses.set(name, [...(uses.get(name) ?? []), { variable: name, parameter, path: test.path }]);
    }
  }
  return [...uses].sort(([, one], [, other]) => other.length - one.length);
}

function documentedValues(suggestions: Suggestion[]): Map<string, string> {
  const rows = suggestions.flatMap(({ test: { request } }) => [...request.pathParameters, ...request.query]);
  return new Map(
    rows
      .filter(({ enabled, value }) => enabled && value !== "" && !value.includes("{{"))
      .map(({ name, value }) => [name, value]),
  );
}

const byLength = (one: ValueUse, other: ValueUse) => one.path.length - other.path.length;
const shortest = (uses: ValueUse[]) => [...uses].sort(byLength).slice(0, maxUses);

/** The operations on the page, and those with missing values that are on other pages or filtered out. */
async function withCollections(
  viewer: Viewer,
  apiId: string,
  suggestions: ReadonlyMap<string, Suggestion>,
  missing: { uses: ValueUse[] }[],
): Promise<Suggestion[]> {
  const paths = new Set(missing.flatMap(({ uses }) => shortest(uses).flatMap((use) => getCollection(use) ?? [])));
  const elsewhere = [...paths]
    .flatMap((path) => [path, `${path}/`].map((one) => ({ method: "get", path: one })))
    .filter((operation) => !suggestions.has(operationValue(operation)))
    .slice(0, maxCollections);
  const found = await suggestFor(viewer, apiId, elsewhere);
  return [...suggestions.values(), ...found.values()];
}

function findSources(uses: ValueUse[], known: Suggestion[], given: Record<string, string>): ValueSource[] {
  const found = shortest(uses).flatMap((use) => getSources(use, known, given));
  return [...new Map(found.map((source) => [operationValue(source.from), source])).values()].slice(0, 3);
}
