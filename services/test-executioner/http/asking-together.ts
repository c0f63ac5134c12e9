import { notFound } from "#contracts/kit/problem.ts";
import { Batcher } from "../../kit/batcher/batcher.ts";
import type { CallResult } from "../../kit/client/client.ts";
import { requireValue } from "./loading-tests.ts";

const maxAtOnce = 50;

/**
 * Combines simultaneous requests, of any organizations, into one call. A call that fails is repeated for each one
 * separately, so that a problem with one does not affect the others.
 * @param ask returns results in the order of the questions, null for missing ones
 * @param kind of the resource, for the problem
 */
export function askTogether<Question, Value>(
  ask: (questions: Question[]) => Promise<CallResult<{ items: (Value | null)[] }>>,
  kind: string,
): (question: Question) => Promise<Value> {
  async function askAll(questions: Question[]): Promise<CallResult<Value | null>[]> {
    const result = await ask(questions);
    if (result.ok) return result.value.items.map((value) => ({ ...result, value }));
    if (questions.length === 1 || result.status === 503) return questions.map(() => result);
    return (await Promise.all(questions.map((question) => askAll([question])))).flat();
  }
  const batcher = new Batcher({ maxItems: maxAtOnce, lingerMilliseconds: 0, run: askAll });
  return async (question) => {
    const value = requireValue(await batcher.add(question, true));
    if (value === null) throw notFound(kind);
    return value;
  };
}

/** Requests each thing once, for starts that are prepared together. */
export function askOnce<Given extends unknown[], Value>(
  ask: (...given: Given) => Promise<Value>,
  toKey: (...given: Given) => string,
): (...given: Given) => Promise<Value> {
  const requested = new Map<string, Promise<Value>>();
  return (...given) => {
    const key = toKey(...given);
    const result = requested.get(key) ?? ask(...given);
    requested.set(key, result);
    return result;
  };
}
