import { generatedNames } from "../../template/placeholders.ts";
import type { CollectedRequest, Collection, Sequence, Variable } from "../collection.ts";
import type { Losses } from "./exported.ts";
import { listVariables } from "./placeholders.ts";

export type Phase = "setUp" | "main" | "tearDown";

export interface Group {
  /** Absent for requests without an order of their own. */
  sequence?: Sequence;
  requests: { request: CollectedRequest; phase: Phase }[];
}

export const phaseTitles: Record<Phase, string> = { setUp: "Set-up", main: "Tests", tearDown: "Tear-down" };

/** Sequences with their requests, then the requests that are in none. */
export function listGroups({ sequences, requests }: Collection): Group[] {
  const byId = new Map(requests.map((request) => [request.id, request]));
  const placed = new Set(sequences.flatMap((sequence) => sequence.requests));
  const groups: Group[] = sequences.map((sequence) => ({
    sequence,
    requests: sequence.requests.flatMap((id, index) => {
      const request = byId.get(id);
      return request ? [{ request, phase: getPhase(sequence, index) }] : [];
    }),
  }));
  const others = requests.filter(({ id }) => !placed.has(id));
  if (others.length > 0) groups.push({ requests: others.map((request) => ({ request, phase: "main" })) });
  return groups;
}

function getPhase({ setUp = 0, tearDown = 0, requests }: Sequence, index: number): Phase {
  if (index < setUp) return "setUp";
  return index >= requests.length - tearDown ? "tearDown" : "main";
}

export function hasPhases({ sequence }: Group): boolean {
  return (sequence?.setUp ?? 0) > 0 || (sequence?.tearDown ?? 0) > 0;
}

/** The variables, overlaid by those of the environment if there is one only. */
export function mergeVariables({ variables, environments }: Collection): Variable[] {
  const [environment] = environments;
  if (!environment || environments.length > 1) return variables;
  const merged = new Map(variables.map((variable) => [variable.name, variable]));
  for (const variable of environment.variables) merged.set(variable.name, variable);
  return [...merged.values()];
}

export function listCapturedNames({ requests }: Collection): Set<string> {
  return new Set(requests.flatMap(({ captures }) => captures.map(({ name }) => name)));
}

/** Every text of a request that may have placeholders. */
export function listTexts(request: CollectedRequest): string[] {
  const { url, pathParameters, query, headers, cookies, body, authorization, assertions } = request;
  const pairs = [...pathParameters, ...query, ...headers, ...cookies].flatMap(({ name, value }) => [name, value]);
  const content =
    body.kind === "none"
      ? []
      : body.kind === "form"
        ? body.fields.map(({ value }) => value)
        : body.kind === "multipart"
          ? body.parts.map(({ value }) => value)
          : [body.text];
  const targets = assertions.map(({ target }) => JSON.stringify(target) ?? "");
  return [url, ...pairs, ...content, ...Object.values(authorization).map(String), ...targets];
}

/** Variables that requests use, and that neither a variable nor a capture gives; without generated ones. */
export function listUnknownVariables(collection: Collection): string[] {
  const known = new Set([
    ...mergeVariables(collection).map(({ name }) => name),
    ...listCapturedNames(collection),
    ...generatedNames,
  ]);
  return listVariables(collection.requests.flatMap(listTexts)).filter((name) => !known.has(name));
}

/** What of an order no sequential tool without an order of its own says. */
export function addOrderLosses(
  { sequence }: Group,
  losses: Losses,
  says: { stop?: string; parallel?: string; tearDown?: string },
): void {
  if (!sequence) return;
  if (sequence.parallel && says.parallel) losses.add(sequence.name, "parallel order", says.parallel);
  if (sequence.stopOnFailure && says.stop) losses.add(sequence.name, "stop on failure", says.stop);
  if ((sequence.tearDown ?? 0) > 0 && says.tearDown) losses.add(sequence.name, "tear-down", says.tearDown);
}

export const oneAfterTheOther = "Its requests run one after another there.";
