import type { Worker } from "node:worker_threads";
import { Problem } from "#contracts/kit/problem.ts";
import type { FetchedFile } from "../domain/imported-document.ts";
import type { ImportLimits } from "../domain/limits.ts";
import type { ContentPiece } from "./content-pieces.ts";
import type {
  EffectsByTest,
  FromWorker,
  ImportSummary,
  PreviousPart,
  ReviewedOperation,
  ReviewedVersion,
  SubmittedBody,
  ToWorker,
} from "./import-messages.ts";
import { WorkLimit } from "./work-limit.ts";

/** Starting a thread takes a quarter of a second, much longer on a busy machine. */
const startMilliseconds = 60_000;

/** The exchange of messages with one worker about one document, under limits of its work. */
export class Conversation {
  isFinished = false;
  #settle: ((message: FromWorker) => void) | undefined;
  #fail: ((error: Error) => void) | undefined;
  #failure: Error | undefined;
  #starting: NodeJS.Timeout;
  #work: WorkLimit | undefined;

  constructor(
    private readonly worker: Worker,
    private readonly limits: ImportLimits,
    private readonly fetchFile: (url: string) => Promise<FetchedFile>,
  ) {
    worker.on("message", this.#onMessage);
    worker.on("error", this.#onError);
    worker.on("exit", this.#onExit);
    this.#starting = setTimeout(() => this.#onTimeout(), startMilliseconds + limits.milliseconds);
  }

  async begin(source: SubmittedBody, fields: SubmittedBody | undefined): Promise<ImportSummary> {
    const blocks = [...source.body, ...(fields?.body ?? [])];
    const response = await this.#ask(
      { type: "begin", source, fields, limits: this.limits },
      blocks.map((block) => block.buffer as ArrayBuffer),
    );
    // Storing takes longer while the database has other work.
    this.#endLimits();
    if (response.type === "imported") {
      this.isFinished = true;
      return response.summary;
    }
    if (response.type === "malformed") {
      this.isFinished = true;
      if (response.path === undefined) throw new Problem("malformed_request", response.message);
      throw new Problem("invalid_input", undefined, { errors: [{ path: response.path, message: response.message }] });
    }
    throw new Error(unexpected(response));
  }

  async *pieces(): AsyncGenerator<ContentPiece> {
    for (;;) {
      const response = await this.#ask({ type: "next" });
      if (response.type !== "piece") return;
      yield response.piece;
    }
  }

  async compareWith(previous: AsyncIterable<PreviousPart>): Promise<ReviewedVersion> {
    for await (const part of previous) await this.#ask({ type: "previous", ...part });
    this.#limitWork();
    const response = await this.#ask({ type: "compare" });
    if (response.type !== "compared") throw new Error(unexpected(response));
    return response;
  }

  /** What the compared version does to tests. */
  async review(operations: ReviewedOperation[]): Promise<EffectsByTest> {
    this.#limitWork();
    const response = await this.#ask({ type: "review", operations });
    this.#endLimits();
    if (response.type !== "reviewed") throw new Error(unexpected(response));
    return response.effects;
  }

  /** Finds the graph of a stored document. */
  async *relate(stored: AsyncIterable<PreviousPart>): AsyncGenerator<ContentPiece> {
    for await (const part of stored) await this.#ask({ type: "previous", ...part });
    this.#limitWork();
    const response = await this.#ask({ type: "relate" });
    this.#endLimits();
    if (response.type !== "related") throw new Error(unexpected(response));
    this.isFinished = true;
    yield* this.pieces();
  }

  #limitWork(): void {
    this.#endLimits();
    this.#work = new WorkLimit(this.worker, this.limits.milliseconds, () => this.#onTimeout());
  }

  #endLimits(): void {
    clearTimeout(this.#starting);
    this.#work?.end();
  }

  end(): void {
    this.#endLimits();
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
      this.#limitWork();
      return;
    }
    if (message.type !== "fetch") {
      this.#settle?.(message);
      return;
    }
    const fetching = this.fetchFile(message.url);
    void (this.#work?.whileWaiting(fetching) ?? fetching).then((response) => {
      const transfer =
        response.ok &&
        response.bytes.byteOffset === 0 &&
        response.bytes.byteLength === response.bytes.buffer.byteLength;
      this.worker.postMessage(
        { type: "fetched", id: message.id, answer: response } satisfies ToWorker,
        transfer ? [response.bytes.buffer as ArrayBuffer] : [],
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
    this.#end(refused(`Reading the document took longer than ${seconds} seconds of work, so it was given up.`));
  }

  #end(error: Error): void {
    this.isFinished = false;
    this.#failure ??= error;
    this.#fail?.(error);
  }
}

function unexpected(response: FromWorker): string {
  return response.type === "failed" ? response.message : `Unexpected ${response.type} from the import worker.`;
}

function refused(message: string): Problem {
  return new Problem("invalid_input", message, { errors: [{ path: "source", message }] });
}
