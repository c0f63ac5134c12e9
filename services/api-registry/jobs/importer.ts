import type { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { Egress } from "../../kit/egress/egress.ts";
import { Problem } from "../../kit/problem/problem.ts";
import { startWorker } from "../../kit/worker/worker.ts";
import type { DocumentComparison } from "../domain/comparison/compare-documents.ts";
import type { FetchedFile } from "../domain/imported-document.ts";
import type { ImportLimits } from "../domain/limits.ts";
import type { ContentPiece } from "./content-pieces.ts";
import { fetchThroughEgress } from "./fetch-file.ts";
import type { FromWorker, ImportSummary, ToWorker } from "./import-messages.ts";
import { BodyMemory, readBody } from "./request-body.ts";

/** One import between its worker's answer and the last row. `release` has to be called, whatever happens. */
export interface ImportSession {
  summary: ImportSummary;
  pieces(): AsyncGenerator<ContentPiece>;
  /** Compares the document with the version stored before, handed over part by part. */
  compareWith(previous: AsyncIterable<PreviousPart>): Promise<DocumentComparison>;
  release(): void;
}

export type PreviousPart = Pick<ToWorker & { type: "previous" }, "operations" | "components">;

export interface Importer {
  /** Reads a request's document in a worker thread. @throws Problem for requests that are none, and for limits passed */
  open(request: Request, organizationId: string): Promise<ImportSession>;
  stop(): Promise<void>;
}

interface ImporterOptions {
  egress: Egress;
  limits: ImportLimits;
  log: Logger;
}

/** Two at a time: with more, each would only take longer. */
const mostWorkers = 2;
/** Beyond this the queue would outlast the callers' patience. */
const mostWaiting = 100;
/** A worker costs some 60 MB; without work it goes. */
const idleMilliseconds = 60_000;
/** Starting a thread takes a quarter of a second, much longer on a machine that is busy. */
const startMilliseconds = 60_000;
/** A worker that has read something large has a large heap, and is better replaced. */
const recycleAboveBytes = 4 * 1024 * 1024;

export function createImporter({ egress, limits, log }: ImporterOptions): Importer {
  const idle = new Map<Worker, NodeJS.Timeout>();
  const all = new Set<Worker>();
  const waiting: (() => void)[] = [];
  const memory = new BodyMemory();
  let busy = 0;

  async function takeTurn(): Promise<void> {
    if (busy < mostWorkers) {
      busy += 1;
      return;
    }
    if (waiting.length >= mostWaiting) {
      throw new Problem("service_unavailable", "Many documents are being imported. Try again in a moment.", {
        retryAfterSeconds: 20,
      });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  function endTurn(): void {
    const next = waiting.shift();
    if (next) next();
    else busy -= 1;
  }

  function takeWorker(): Worker {
    for (const [ready, timer] of idle) {
      clearTimeout(timer);
      idle.delete(ready);
      return ready;
    }
    const worker = startWorker(new URL("./import.worker.ts", import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: limits.memoryMegabytes, stackSizeMb: 4 },
    });
    all.add(worker);
    worker.once("exit", () => all.delete(worker));
    worker.on("error", () => {});
    return worker;
  }

  function keep(worker: Worker): void {
    worker.postMessage({ type: "forget" } satisfies ToWorker);
    const timer = setTimeout(() => {
      idle.delete(worker);
      void worker.terminate();
    }, idleMilliseconds);
    timer.unref();
    idle.set(worker, timer);
  }

  /** Imports from their first byte to their end, and who waits for the last of them. */
  let underWay = 0;
  let allEnded: () => void = () => {};

  function leave(): void {
    underWay -= 1;
    if (underWay === 0) allEnded();
  }

  async function open(request: Request, organizationId: string): Promise<ImportSession> {
    underWay += 1;
    try {
      const session = await openSession(request, organizationId);
      let left = false;
      return {
        ...session,
        release() {
          session.release();
          if (!left) leave();
          left = true;
        },
      };
    } catch (error) {
      leave();
      throw error;
    }
  }

  async function openSession(request: Request, organizationId: string): Promise<ImportSession> {
    const contentType = request.headers.get("content-type") ?? "";
    if (!/^(application\/([\w.+-]+\+)?json|multipart\/form-data)\b/i.test(contentType)) {
      throw new Problem("unsupported_media_type", "Send application/json or multipart/form-data.");
    }
    const body = await readBody(request, limits.bytes + 1024 * 1024, memory);
    try {
      await takeTurn();
    } finally {
      memory.release(body.length);
    }
    const worker = takeWorker();
    worker.ref();
    const conversation = new Conversation(worker, limits, (url) =>
      fetchThroughEgress(egress, url, limits, organizationId),
    );
    let released = false;
    const release = (reusable: boolean) => {
      if (released) return;
      released = true;
      conversation.end();
      worker.unref();
      if (reusable && conversation.isFinished) keep(worker);
      else void worker.terminate();
      endTurn();
    };
    try {
      const summary = await conversation.begin(contentType, body);
      const isSmall = summary.inspection.bytes < recycleAboveBytes;
      return {
        summary,
        pieces: () => conversation.pieces(),
        compareWith: (previous) => conversation.compareWith(previous),
        release: () => release(isSmall),
      };
    } catch (error) {
      release(error instanceof Problem && conversation.isFinished);
      if (!(error instanceof Problem)) log.error({ err: error }, "import failed");
      throw error;
    }
  }

  return {
    open,
    // What is under way ends by itself, each within its time limit.
    async stop() {
      if (underWay > 0) await new Promise<void>((resolve) => (allEnded = resolve));
      await Promise.all([...all].map((worker) => worker.terminate()));
    },
  };
}

/** The conversation with one worker about one document, under one time limit. */
class Conversation {
  isFinished = false;
  #settle: ((message: FromWorker) => void) | undefined;
  #fail: ((error: Error) => void) | undefined;
  #failure: Error | undefined;
  #timer: NodeJS.Timeout;

  constructor(
    private readonly worker: Worker,
    private readonly limits: ImportLimits,
    private readonly fetchFile: (url: string) => Promise<FetchedFile>,
  ) {
    worker.on("message", this.#onMessage);
    worker.on("error", this.#onError);
    worker.on("exit", this.#onExit);
    this.#timer = setTimeout(() => this.#onTimeout(), startMilliseconds + limits.milliseconds);
  }

  async begin(contentType: string, body: Uint8Array[]): Promise<ImportSummary> {
    const answer = await this.#ask(
      { type: "begin", contentType, body, limits: this.limits },
      body.map((block) => block.buffer as ArrayBuffer),
    );
    // Storing what was read takes as long as the database has other things to do.
    clearTimeout(this.#timer);
    if (answer.type === "imported") {
      this.isFinished = true;
      return answer.summary;
    }
    if (answer.type === "malformed") {
      this.isFinished = true;
      if (answer.path === undefined) throw new Problem("malformed_request", answer.message);
      throw new Problem("invalid_input", undefined, { errors: [{ path: answer.path, message: answer.message }] });
    }
    throw new Error(answer.type === "failed" ? answer.message : `Unexpected ${answer.type} from the import worker.`);
  }

  async *pieces(): AsyncGenerator<ContentPiece> {
    for (;;) {
      const answer = await this.#ask({ type: "next" });
      if (answer.type !== "piece") return;
      yield answer.piece;
    }
  }

  async compareWith(previous: AsyncIterable<PreviousPart>): Promise<DocumentComparison> {
    for await (const part of previous) await this.#ask({ type: "previous", ...part });
    this.#timer = setTimeout(() => this.#onTimeout(), this.limits.milliseconds);
    const answer = await this.#ask({ type: "compare" });
    if (answer.type !== "compared") throw new Error(`Unexpected ${answer.type} from the import worker.`);
    return answer.comparison;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.worker.off("message", this.#onMessage);
    this.worker.off("error", this.#onError);
    this.worker.off("exit", this.#onExit);
  }

  #ask(message: ToWorker, transfer: ArrayBuffer[] = []): Promise<FromWorker> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#settle = resolve;
      this.#fail = reject;
      this.worker.postMessage(message, transfer);
    });
  }

  #onMessage = (message: FromWorker): void => {
    if (message.type === "begun") {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#onTimeout(), this.limits.milliseconds);
      return;
    }
    if (message.type !== "fetch") {
      this.#settle?.(message);
      return;
    }
    void this.fetchFile(message.url).then((answer) => {
      const transfer =
        answer.ok && answer.bytes.byteOffset === 0 && answer.bytes.byteLength === answer.bytes.buffer.byteLength;
      this.worker.postMessage(
        { type: "fetched", id: message.id, answer } satisfies ToWorker,
        transfer ? [answer.bytes.buffer as ArrayBuffer] : [],
      );
    });
  };

  #onError = (error: Error & { code?: string }): void => {
    this.#end(
      error.code === "ERR_WORKER_OUT_OF_MEMORY"
        ? refused("The document needs more memory than an import may use. Split it into smaller documents.")
        : error,
    );
  };

  #onExit = (): void => this.#end(new Error("The import worker ended."));

  #onTimeout(): void {
    const seconds = Math.round(this.limits.milliseconds / 1_000);
    this.#end(refused(`Reading the document took longer than ${seconds} seconds, so it was given up.`));
  }

  #end(error: Error): void {
    this.isFinished = false;
    this.#failure ??= error;
    this.#fail?.(error);
  }
}

function refused(message: string): Problem {
  return new Problem("invalid_input", message, { errors: [{ path: "source", message }] });
}
