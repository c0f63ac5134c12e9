import type { OperationKey } from "#contracts/api-registry/resources.ts";
import type { ExploredOperation } from "#contracts/test-executioner/explorations.ts";
import type { MemberEffect } from "#contracts/test-registry/circle-members.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import { generateOnce } from "#libraries/running/generated-once.ts";
import type { OpenCapture } from "#libraries/running/test-to-run.ts";
import { toKey } from "../plan/known.ts";
import type { Called, ExploreOptions } from "./exploring.ts";

/** A request that an exploration sends, with what it may change. */
export interface Step {
  test: TestInput;
  operation: OperationKey;
  effect?: MemberEffect | undefined;
  /** Variables that are generated before it: a new thing has a new name. */
  generated?: ReadonlyMap<string, string>;
}

const longestWait = 10_000;

/** The requests of an exploration, within its limits. */
export class Session {
  requests = 0;
  /** In the order in which they were met; read as it grows. */
  readonly operations: ExploredOperation[] = [];
  readonly #operations = new Map<string, ExploredOperation>();
  readonly #began = performance.now();
  #until: number;

  constructor(private readonly options: Pick<ExploreOptions, "call" | "signal" | "maxRequests" | "onProgress">) {
    this.#until = options.maxRequests;
  }

  /** Milliseconds since it began. */
  get elapsed(): number {
    return Math.round(performance.now() - this.#began);
  }

  /** Whether nothing more is to be tried; what was made can still be removed. */
  get isOver(): boolean {
    return this.options.signal.aborted || this.requests >= Math.min(this.#until, this.options.maxRequests);
  }

  get isEnded(): boolean {
    return this.options.signal.aborted || this.requests >= this.options.maxRequests;
  }

  /** Lets the next part have at most this many requests. */
  allow(requests: number): void {
    this.#until = this.requests + Math.max(0, Math.floor(requests));
  }

  get left(): number {
    return this.options.maxRequests - this.requests;
  }

  /** Sends a request; its captures are added to the given ones. */
  async send({ test, operation, effect, generated }: Step, captures: Map<string, OpenCapture>): Promise<Called> {
    for (const [name, template] of generated ?? []) {
      const made = generateOnce(template, { now: () => new Date() });
      const { value = template, isUnique = false } = made ?? {};
      captures.set(name, {
        name,
        isSecret: false,
        value,
        isUnique,
        ...(isNumber(test, name) ? {} : { type: "string" }),
      });
    }
    const timeoutMilliseconds = Math.min(test.timeoutMilliseconds, longestWait);
    const called = await this.options.call({
      test: { ...test, timeoutMilliseconds },
      captures: [...captures.values()],
      effect,
    });
    for (const capture of called.captures) captures.set(capture.name, capture);
    if (called.attempts.some(({ request }) => request !== null)) this.#count(operation, called);
    return called;
  }

  #count(operation: OperationKey, { statusCode }: Called): void {
    this.requests += 1;
    const explored = this.#find(operation);
    explored.requests += 1;
    if (isAccepted(statusCode)) explored.accepted += 1;
    this.options.onProgress({ requests: this.requests, operations: this.operations });
  }

  /** Says why an operation is not explored. */
  leaveOut(operation: OperationKey, reason: string): void {
    this.#find(operation).leftOut ??= reason;
  }

  #find({ method, path }: OperationKey): ExploredOperation {
    const key = toKey({ method, path });
    const known = this.#operations.get(key);
    if (known) return known;
    const added: ExploredOperation = { operation: { method, path }, requests: 0, accepted: 0 };
    this.#operations.set(key, added);
    this.operations.push(added);
    return added;
  }
}

/** Whether the body has a variable without quotes: its value is a number there, and so in responses. */
function isNumber({ request: { body } }: TestInput, name: string): boolean {
  return body.kind === "json" && new RegExp(`[:,[]\\s*\\{\\{${name}\\}\\}`).test(body.text);
}

export const isAccepted = (status: number | null) => status !== null && status >= 200 && status < 300;
