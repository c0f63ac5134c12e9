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
    const answer = await ask(questions);
    if (answer.ok) return answer.value.items.map((value) => ({ ...answer, value }));
    if (questions.length === 1 || answer.status === 503) return questions.map(() => answer);
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
  keyOf: (...given: Given) => string,
): (...given: Given) => Promise<Value> {
  const asked = new Map<string, Promise<Value>>();
  return (...given) => {
    const key = keyOf(...given);
    const answer = asked.get(key) ?? ask(...given);
    asked.set(key, answer);
    return answer;
  };
}
