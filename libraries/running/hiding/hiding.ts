import type { Worker } from "node:worker_threads";
import type { KnownSecret } from "../../redaction/patterns.ts";
import { startWorker } from "../../worker-thread/worker-thread.ts";
import { type Hidden, hideSecrets, type SomeAttempt, type Unhidden } from "./hidden-secrets.ts";
import type { HidingAnswer, HidingMessage } from "./hiding.worker.ts";

export interface Hiding {
  /** Like `hideSecrets`, with large responses in a thread: 1 MiB of base64 takes half a second. */
  hide<One extends SomeAttempt>(unhidden: Unhidden<One>, secrets: KnownSecret[]): Promise<Hidden<One>>;
  stop(): void;
}

/** Takes a few milliseconds at most, whatever the characters. */
const fewCharacters = 16_384;

function isMuch({ tries, captured }: Unhidden<SomeAttempt>, secrets: KnownSecret[]): boolean {
  const bodies = tries.flatMap(({ attempt: { request, response } }) => [request?.body, response?.body]);
  const texts = [...bodies, ...Object.values(captured), ...secrets.map(({ secret }) => secret)];
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), 0) > fewCharacters;
}

/** The thread starts with the first large response. */
export function createHiding(): Hiding {
  const waiting = new Map<number, { resolve(hidden: Hidden): void; reject(error: Error): void }>();
  let worker: Worker | undefined;
  let lastId = 0;

  function start(): Worker {
    const started = startWorker(new URL("./hiding.worker.ts", import.meta.url));
    started.unref();
    started.on("message", ({ id, hidden }: HidingAnswer) => {
      waiting.get(id)?.resolve(hidden);
      waiting.delete(id);
    });
    const end = (error: Error) => {
      if (worker !== started) return;
      worker = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on("error", end);
    started.on("exit", () => end(new Error("The thread that hides secrets has ended.")));
    return started;
  }

  return {
    async hide<One extends SomeAttempt>(unhidden: Unhidden<One>, secrets: KnownSecret[]) {
      if (secrets.length === 0 || !isMuch(unhidden, secrets)) return hideSecrets(unhidden, secrets);
      worker ??= start();
      lastId += 1;
      const message: HidingMessage = { id: lastId, unhidden: unhidden as never, secrets };
      worker.postMessage(message);
      const hidden = await new Promise<Hidden>((resolve, reject) => {
        waiting.set(message.id, { resolve, reject });
      });
      return hidden as unknown as Hidden<One>;
    },
    stop() {
      void worker?.terminate();
    },
  };
}
