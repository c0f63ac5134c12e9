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
  const stored = new Map<string, { status: PublishedStatus; heardAt: number }>();
  const questions = new Map<string, Question>();
  let misses = { since: 0, byClient: new Map<string, number>() };

  function getMisses(clientAddress: string): number {
    if (now() - misses.since >= minuteMilliseconds) misses = { since: now(), byClient: new Map() };
    return misses.byClient.get(clientAddress) ?? 0;
  }

  function ask(address: string): Question {
    const requested = questions.get(address);
    if (requested) return requested;
    const result = options
      .ask(address)
      .then((result) => {
        // Removed meanwhile.
        if (questions.get(address) !== question) return result;
        // Deleted first, so that the oldest entry comes first in the map.
        if (result.ok || result.status === 404) stored.delete(address);
        if (result.ok) stored.set(address, { status: result.value, heardAt: now() });
        if (stored.size > maxStored) stored.delete(stored.keys().next().value!);
        return result;
      })
      .finally(() => {
        if (questions.get(address) === question) questions.delete(address);
      });
    const question = { since: now(), answer: result };
    questions.set(address, question);
    return question;
  }

  return {
    async find(requested, clientAddress) {
      if (!address.test(requested)) return { kind: "absent" };
      const known = stored.get(requested);
      if (known && now() - known.heardAt < freshMilliseconds) return { kind: "found", status: known.status };
      if (!known && getMisses(clientAddress) >= maxMisses) return { kind: "too-many" };
      const { since, answer: coming } = ask(requested);
      const result = known ? await within(coming, patienceMilliseconds - (now() - since)) : await coming;
      if (result?.ok) return { kind: "found", status: result.value };
      if (result?.status === 404) {
        misses.byClient.set(clientAddress, getMisses(clientAddress) + 1);
        return { kind: "absent" };
      }
      if (known && now() - known.heardAt < cacheMilliseconds) return { kind: "found", status: known.status };
      return { kind: "away" };
    },
    forget(address) {
      stored.delete(address);
      questions.delete(address);
    },
  };
}

async function within<Value>(coming: Promise<Value>, milliseconds: number): Promise<Value | undefined> {
  const ended = new AbortController();
  const passed = pause(Math.max(0, milliseconds), undefined, { signal: ended.signal }).catch(() => undefined);
  return await Promise.race([coming, passed]).finally(() => ended.abort());
}
