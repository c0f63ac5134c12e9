import type { Consumer, OperationKey } from "#contracts/api-registry/resources.ts";
import type { ReceivedResponse, SentRequest } from "#contracts/test-executioner/attempts.ts";
import { isSafe } from "#libraries/openapi/safe-methods.ts";
import { type GivenValue, listGivenValues, listSentValues, type SentValue } from "./exchange-values.ts";
import { readName } from "./identifying-values.ts";

/** A request of an operation and its successful response, as stored: secrets are redacted. */
export interface Exchange {
  operation: OperationKey;
  /** Milliseconds since 1970. */
  startedAt: number;
  endedAt: number;
  request: Pick<SentRequest, "url" | "headers" | "body">;
  response: Pick<ReceivedResponse, "headers" | "body">;
  /** False for one that was given before: it gives values, but is not counted again. */
  isNew: boolean;
}

/** A value of one operation's responses was accepted by another operation. Contains no value. */
export interface SeenEdge {
  from: { operation: OperationKey; path: string };
  to: { operation: OperationKey } & Pick<Consumer, "in" | "name">;
  /** New requests that sent such a value and were accepted. */
  times: number;
  /** How many different values were sent, in all exchanges given. */
  values: number;
  /** Whether one of them was a UUID, or an identifier of at least 16 characters. */
  isDistinctive: boolean;
}

type Source = Pick<GivenValue, "path" | "ownName" | "isDistinctive"> & {
  operation: OperationKey;
  /** Its request had sent the same value. */
  isEcho: boolean;
};

const maxValues = 50_000;
const maxSourcesOfValue = 20;
const maxEdges = 500;

/**
 * Finds which operation's values another operation accepted, in successful exchanges of one API.
 * A value counts from the response's end on. A short one that several resources gave says nothing.
 */
export function findSeen(exchanges: readonly Exchange[]): SeenEdge[] {
  const known = new Map<string, Source[]>();
  const edges = new Map<string, SeenEdge & { texts: Set<string> }>();
  for (const step of inOrder(exchanges)) {
    if (step.isEnd) addSources(known, step);
    else if (known.size > 0) addEdges(edges, known, step);
  }
  return [...edges.values()]
    .filter(({ times }) => times > 0)
    .sort((one, other) => other.times - one.times)
    .slice(0, maxEdges)
    .map(({ texts, ...edge }) => ({ ...edge, values: texts.size }));
}

interface Step {
  exchange: Exchange;
  sent: SentValue[];
  isEnd: boolean;
}

/**
 * The starts and ends of all exchanges. Within a millisecond, what started before it ends first; the rest is in the
 * order given.
 */
function inOrder(exchanges: readonly Exchange[]): Step[] {
  const steps = exchanges.flatMap((exchange, index) => {
    const sent = listSentValues(exchange.operation, exchange.request);
    const { startedAt } = exchange;
    const endedAt = Math.max(startedAt, Math.floor(exchange.endedAt));
    return [
      { exchange, sent, isEnd: false, rank: [startedAt, 1, index, 0] },
      { exchange, sent, isEnd: true, rank: [endedAt, endedAt > startedAt ? 0 : 1, index, 1] },
    ];
  });
  return steps.sort(
    ({ rank: one }, { rank: other }) => one.map((part, at) => part - other[at]!).find((part) => part !== 0) ?? 0,
  );
}

function addSources(known: Map<string, Source[]>, { exchange: { operation, response }, sent }: Step): void {
  const requested = new Set(sent.map(({ text }) => text));
  for (const { text, path, ownName, isDistinctive } of listGivenValues(response)) {
    const isEcho = requested.has(text);
    // What a read repeats came from elsewhere.
    if (isEcho && isSafe(operation.method)) continue;
    const sources = known.get(text) ?? [];
    if (sources.length === 0) {
      if (known.size >= maxValues) return;
      known.set(text, sources);
    }
    const isKnown = sources.some((one) => one.path === path && isSame(one.operation, operation));
    if (!isKnown && sources.length < maxSourcesOfValue) {
      sources.push({ operation, path, ownName, isDistinctive, isEcho });
    }
  }
}

function addEdges(
  edges: Map<string, SeenEdge & { texts: Set<string> }>,
  known: ReadonlyMap<string, Source[]>,
  { exchange: { operation, isNew }, sent }: Step,
): void {
  const counted = new Set<string>();
  for (const value of sent) {
    for (const source of chooseSources(known.get(value.text) ?? [], operation, value)) {
      const from = { operation: source.operation, path: source.path };
      const to = { operation, in: value.in, name: value.name };
      const key = JSON.stringify([from, to]);
      const edge = edges.get(key) ?? { from, to, times: 0, values: 0, isDistinctive: false, texts: new Set() };
      edges.set(key, edge);
      edge.texts.add(value.text);
      edge.isDistinctive ||= source.isDistinctive;
      if (isNew && !counted.has(key)) edge.times += 1;
      counted.add(key);
    }
  }
}

/** What gave a value that an operation accepted; repetitions of a request only where nothing else gave it. */
function chooseSources(sources: readonly Source[], operation: OperationKey, { in: location, ownName }: SentValue) {
  const others = sources.filter((source) => !isSame(source.operation, operation));
  const first = others.filter(({ isEcho }) => !isEcho);
  const chosen = first.length > 0 ? first : others;
  if (chosen.every(({ isDistinctive }) => isDistinctive)) return chosen;
  const isWanted = location === "path" || readName(ownName).isIdentifier;
  const givers = new Set(others.map((source) => `${toCollection(source.operation.path)} ${source.ownName}`));
  return isWanted && givers.size === 1 ? chosen : [];
}

const isSame = (one: OperationKey, other: OperationKey) => one.method === other.method && one.path === other.path;

/** `/books` for `/books/{bookId}`. */
const toCollection = (path: string) => path.replace(/(\/\{[^{}]*\})+\/?$/, "");
