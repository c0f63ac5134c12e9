import { createHash } from "node:crypto";
import type { JudgedOperation } from "../judged-response.ts";
import type { ItemMessage } from "./messages.ts";

const maxKnown = 200;

/** Operations that a thread has, least recently used first. */
export class KnownOperations {
  readonly #keys = new Set<string>();

  /** The operation's part of a message, and the operations that the thread may forget. */
  mention(operation: JudgedOperation): Required<Pick<ItemMessage, "operation" | "forgotten">> {
    const { key, text } = identify(operation);
    const isKnown = this.#keys.delete(key);
    this.#keys.add(key);
    const [oldest] = this.#keys;
    const forgotten = this.#keys.size > maxKnown && oldest !== undefined ? [oldest] : [];
    for (const one of forgotten) this.#keys.delete(one);
    return { operation: isKnown ? { key } : { key, text: text ?? JSON.stringify(operation) }, forgotten };
  }
}

const keys = new WeakMap<JudgedOperation, string>();

/** The same content has the same key in any object: callers reload operations from time to time. */
function identify(operation: JudgedOperation): { key: string; text?: string } {
  const known = keys.get(operation);
  if (known) return { key: known };
  const text = JSON.stringify(operation);
  const key = createHash("sha256").update(text).digest("base64url");
  keys.set(operation, key);
  return { key, text };
}
