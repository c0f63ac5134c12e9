import { createHash } from "node:crypto";
import type { ReceivedResponse } from "#contracts/test-executioner/attempts.ts";
import { Cache } from "#libraries/cache/cache.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { timeOfId } from "../../kit/database/id-time.ts";
import { toLeaves, writeDifferences } from "../domain/differences.ts";
import { maxApart } from "../store/details.ts";
import type { ExecutionResult, UnchangedSince } from "../store/results.ts";

/** A stored execution, as far as another one is compared with it: long texts by their hash. */
interface Base {
  executionId: string;
  storedAt: number;
  response: string;
  shape: string;
  values: unknown[];
  /** Executions that refer to it. */
  followers: number;
}

/** Bytes, estimated: of some five thousand tests. */
const maxBytes = 24 * 1_024 * 1_024;
/** A base is deleted with its retention, at most so much before those that refer to it. */
const maxAgeMilliseconds = 86_400_000;
/** Longer texts are compared by their SHA-256. */
const maxTextLength = 64;
/** Characters; of more, too little would be saved. */
const maxDifferences = 1_000;

const hash = (text: string) => createHash("sha256").update(text).digest("base64");
const shorten = (value: unknown) => (typeof value === "string" && value.length > maxTextLength ? hash(value) : value);

/**
 * Finds executions that passed with the same response as one that is stored, so that only what differs (times, ids) is
 * stored of them. Each process compares with what it has stored itself.
 */
export class UnchangedResponses {
  readonly #bases = new Cache<Base>({ maxSize: maxBytes });
  readonly #every: () => number;
  readonly #clock: Clock;

  /** @param every one in so many is stored completely though nothing has changed */
  constructor(every: () => number, clock: Clock) {
    this.#every = every;
    this.#clock = clock;
  }

  /** Of a passed execution; undefined if it has to be stored completely. */
  compare(result: ExecutionResult): UnchangedSince | undefined {
    const response = getOnlyResponse(result);
    const key = response && toKey(result);
    const base = key ? this.#bases.get(key) : undefined;
    if (!base || base.followers >= this.#every() - 1) return undefined;
    if (base.storedAt < this.#clock.now().getTime() - maxAgeMilliseconds) return undefined;
    const apart = timeOfId(result.execution.id).getTime() - timeOfId(base.executionId).getTime();
    if (Math.abs(apart) > maxApart) return undefined;
    if (toResponseHash(response!) !== base.response) return undefined;
    const { shape, values } = toLeaves([result.attempts, result.verifications]);
    if (hash(shape) !== base.shape) return undefined;
    const differences = writeDifferences(values, (index, value) => shorten(value) === base.values[index]);
    return differences.length > maxDifferences ? undefined : { executionId: base.executionId, differences };
  }

  /** After the commit. */
  note(results: readonly ExecutionResult[]): void {
    for (const result of results) {
      const response = getOnlyResponse(result);
      const key = response && toKey(result);
      if (!key) continue;
      const base = this.#bases.get(key);
      if (result.unchangedSince) {
        if (base?.executionId === result.unchangedSince.executionId) base.followers += 1;
        continue;
      }
      const { shape, values } = toLeaves([result.attempts, result.verifications]);
      const stored = {
        executionId: result.execution.id,
        storedAt: this.#clock.now().getTime(),
        response: toResponseHash(response),
        shape: hash(shape),
        values: values.map(shorten),
        followers: 0,
      };
      this.#bases.set(
        key,
        stored,
        200 + stored.values.reduce<number>((sum, value) => sum + 16 + String(value).length, 0),
      );
    }
  }
}

/** Of an execution that passed at once: how a test fails, and what it passed after, is always stored completely. */
function getOnlyResponse({ verdict, attempts, attemptCount }: ExecutionResult): ReceivedResponse | undefined {
  if (verdict !== "passed" || attemptCount !== 1) return undefined;
  return attempts[0]?.response ?? undefined;
}

const toResponseHash = ({ status, body, bodyBytes, bodyPreview, bodySha256 }: ReceivedResponse) =>
  hash(JSON.stringify([status, body, bodyBytes, bodyPreview, bodySha256]));

/** A test has other responses elsewhere, and for each row of its data. */
function toKey({ execution, attempts }: ExecutionResult): string | undefined {
  const url = attempts[0]?.request?.url;
  if (url === undefined || !URL.canParse(url)) return undefined;
  return `${execution.test_id} ${execution.row_index} ${new URL(url).origin}`;
}
