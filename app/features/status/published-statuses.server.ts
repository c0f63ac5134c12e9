import { setTimeout as pause } from "node:timers/promises";
import type { PublishedStatus } from "#contracts/test-analyzer/status-pages.ts";
import type { CallResult } from "../../../services/kit/client/client.ts";

/** How long a page may still be shown after another process closed it. */
const freshMilliseconds = 2_000;
/** How long a request waits for a newer state if the last one is known. */
const patienceMilliseconds = 1_000;
/** A state that could not be refreshed for this long is dropped. */
const cacheMilliseconds = 24 * 60 * 60 * 1_000;
const maxStored = 1_000;
/** Maximum of unknown addresses that one peer may try in a minute. */
const maxMisses = 30;
const minuteMilliseconds = 60_000;
const address = /^[\w-]{3,64}$/;

export type FoundStatus =
  | { kind: "found"; status: PublishedStatus }
  | { kind: "absent" }
  | { kind: "away" }
  | { kind: "too-many" };

export interface PublishedStatuses {
  find(address: string, clientAddress: string): Promise<FoundStatus>;
  /** Called after its owner changed or closed it in this process. */
  forget(address: string): void;
}

interface Question {
  since: number;
  answer: Promise<CallResult<PublishedStatus>>;
}

/**
 * The contents of status pages, cached in this process: requested at most once in two seconds, however many clients
 * look. While the service is slow or unavailable, the last known state is used.
 */
export function createPublishedStatuses(options: {
  ask(address: string): Promise<CallResult<PublishedStatus>>;
  now?(): number;
}): PublishedStatuses {
  const now = options.now ?? Date.now;
  const kept = new Map<string, { status: PublishedStatus; heardAt: number }>();
  const questions = new Map<string, Question>();
  let misses = { since: 0, byClient: new Map<string, number>() };

  function missesOf(clientAddress: string): number {
    if (now() - misses.since >= minuteMilliseconds) misses = { since: now(), byClient: new Map() };
    return misses.byClient.get(clientAddress) ?? 0;
  }

  function ask(address: string): Question {
    const asked = questions.get(address);
    if (asked) return asked;
    const answer = options
      .ask(address)
      .then((answer) => {
        // Removed meanwhile.
        if (questions.get(address) !== question) return answer;
        // Deleted first, so that the oldest entry comes first in the map.
        if (answer.ok || answer.status === 404) kept.delete(address);
        if (answer.ok) kept.set(address, { status: answer.value, heardAt: now() });
        if (kept.size > maxStored) kept.delete(kept.keys().next().value!);
        return answer;
      })
      .finally(() => {
        if (questions.get(address) === question) questions.delete(address);
      });
    const question = { since: now(), answer };
    questions.set(address, question);
    return question;
  }

  return {
    async find(asked, clientAddress) {
      if (!address.test(asked)) return { kind: "absent" };
      const known = kept.get(asked);
      if (known && now() - known.heardAt < freshMilliseconds) return { kind: "found", status: known.status };
      if (!known && missesOf(clientAddress) >= maxMisses) return { kind: "too-many" };
      const { since, answer: coming } = ask(asked);
      const answer = known ? await within(coming, patienceMilliseconds - (now() - since)) : await coming;
      if (answer?.ok) return { kind: "found", status: answer.value };
      if (answer?.status === 404) {
        misses.byClient.set(clientAddress, missesOf(clientAddress) + 1);
        return { kind: "absent" };
      }
      if (known && now() - known.heardAt < cacheMilliseconds) return { kind: "found", status: known.status };
      return { kind: "away" };
    },
    forget(address) {
      kept.delete(address);
      questions.delete(address);
    },
  };
}

async function within<Value>(coming: Promise<Value>, milliseconds: number): Promise<Value | undefined> {
  const ended = new AbortController();
  const passed = pause(Math.max(0, milliseconds), undefined, { signal: ended.signal }).catch(() => undefined);
  return await Promise.race([coming, passed]).finally(() => ended.abort());
}
