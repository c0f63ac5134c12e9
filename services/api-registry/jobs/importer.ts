import type { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import { Problem } from "#contracts/kit/problem.ts";
import type { Egress } from "#libraries/egress/egress.ts";
import { fetchDocument } from "#libraries/egress/fetch-document.ts";
import { startWorker } from "#libraries/worker-thread/worker-thread.ts";
import type { ImportLimits } from "../domain/limits.ts";
import type { ContentPiece } from "./content-pieces.ts";
import { Conversation } from "./conversation.ts";
import type {
  EffectsByTest,
  ImportSummary,
  PreviousPart,
  ReviewedOperation,
  ReviewedVersion,
  SubmittedBody,
  ToWorker,
} from "./import-messages.ts";
import { BodyMemory, blockBytes, readBody } from "./request-body.ts";
import { stagedSourceIn } from "./request-source.ts";
import type { Staging } from "./staging.ts";

/** One import between its worker's result and the last row. `release` must be called in every case. */
export interface ImportSession {
  summary: ImportSummary;
  /** Of the document. */
  organizationId: string;
  /** What was fetched from addresses, the document first; with the reason where a file could not be. */
  fetched: readonly FetchedAddress[];
  /** The submitted source, if it is to be staged. */
  staged?: { id: string; expiresAt: string };
  pieces(): AsyncGenerator<ContentPiece>;
  /** Compares the document with the previously stored version, which is passed part by part. */
  compareWith(previous: AsyncIterable<PreviousPart>): Promise<ReviewedVersion>;
  /** What the compared version does to tests. */
  review(operations: ReviewedOperation[]): Promise<EffectsByTest>;
  release(): void;
}

/** A file of a document with the hash of its bytes. */
export type FetchedAddress = { url: string } & ({ sha256: string } | { reason: string });

export interface Importer {
  /** Reads a request's document in a worker thread. @throws Problem for invalid requests and exceeded limits */
  open(request: Request, organizationId: string, options?: { keep: boolean }): Promise<ImportSession>;
  /** Finds in a worker thread the graph of a document that was stored without one. */
  relate(stored: AsyncIterable<PreviousPart>): Promise<ContentPiece[]>;
  stop(): Promise<void>;
}

interface ImporterOptions {
  egress: Egress;
  limits: ImportLimits;
  log: Logger;
  staging: Staging;
}

/** Two at a time: with more, each would only take longer. */
const maxWorkers = 2;
/** Beyond this, callers would time out in the queue. */
const maxWaiting = 100;
/** A worker costs some 60 MB; idle workers are stopped after this time. */
const idleMilliseconds = 60_000;
/** A worker that has read something large has a large heap and is better replaced. */
const recycleAboveBytes = 4 * 1024 * 1024;

/** Idle threads with their memory limit: shared by all importers of the process. */
const idle = new Map<Worker, { memoryMegabytes: number; timer: NodeJS.Timeout }>();

function takeWorker({ memoryMegabytes }: ImportLimits): Worker {
  for (const [worker, ready] of idle) {
    if (ready.memoryMegabytes !== memoryMegabytes) continue;
    clearTimeout(ready.timer);
    idle.delete(worker);
    return worker;
  }
  const worker = startWorker(new URL("./import.worker.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes, stackSizeMb: 4 },
  });
  worker.once("exit", () => idle.delete(worker));
  worker.on("error", () => {});
  return worker;
}

function releaseWorker(worker: Worker, { memoryMegabytes }: ImportLimits): void {
  worker.postMessage({ type: "forget" } satisfies ToWorker);
  const timer = setTimeout(() => {
    idle.delete(worker);
    void worker.terminate();
  }, idleMilliseconds);
  timer.unref();
  idle.set(worker, { memoryMegabytes, timer });
}

/** Not on the thread that serves pages. */
export async function hashOf(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>)).toString("hex");
}

export function createImporter({ egress, limits, log, staging }: ImporterOptions): Importer {
  const waiting: (() => void)[] = [];
  const memory = new BodyMemory();
  let busy = 0;

  async function waitForTurn(): Promise<void> {
    if (busy < maxWorkers) {
      busy += 1;
      return;
    }
    if (waiting.length >= maxWaiting) {
      throw new Problem("service_unavailable", "Many documents are being imported. Try again in a moment.", {
        retryAfterSeconds: 20,
      });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  /** A worker under the limits, for a turn that was waited for. `release` must be called in every case. */
  function startConversation(organizationId: string) {
    const worker = takeWorker(limits);
    worker.ref();
    const fetched: FetchedAddress[] = [];
    const conversation = new Conversation(worker, limits, async (url) => {
      const file = await fetchDocument(egress, url, { maxBytes: limits.bytes, pool: organizationId });
      fetched.push({ url, ...(file.ok ? { sha256: await hashOf(file.bytes) } : { reason: file.reason }) });
      return file;
    });
    let released = false;
    const release = (reusable: boolean) => {
      if (released) return;
      released = true;
      conversation.end();
      worker.unref();
      if (reusable && conversation.isFinished) releaseWorker(worker, limits);
      else void worker.terminate();
      endTurn();
    };
    return { conversation, fetched, release };
  }

  function endTurn(): void {
    const next = waiting.shift();
    if (next) next();
    else busy -= 1;
  }

  /** Imports from their first byte to their end, and the callers waiting for the last of them. */
  let underWay = 0;
  let allEnded: () => void = () => {};

  function leave(): void {
    underWay -= 1;
    if (underWay === 0) allEnded();
  }

  async function open(request: Request, organizationId: string, options = { keep: false }): Promise<ImportSession> {
    underWay += 1;
    try {
      const session = await openSession(request, organizationId, options.keep);
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

  async function openSession(request: Request, organizationId: string, stages: boolean): Promise<ImportSession> {
    const contentType = request.headers.get("content-type") ?? "";
    if (!/^(application\/([\w.+-]+\+)?json|multipart\/form-data)\b/i.test(contentType)) {
      throw new Problem("unsupported_media_type", "Send application/json or multipart/form-data.");
    }
    const received = await readBody(request, limits.bytes + 1024 * 1024, memory);
    let source = { contentType, body: received };
    let staged: ImportSession["staged"];
    let heldBlocks = received.length;
    try {
      const stagedId = stagedSourceIn(received, contentType);
      if (stagedId !== undefined) source = await openStaged(organizationId, stagedId);
      heldBlocks = received.length + (source.body === received ? 0 : source.body.length);
      if (stages && stagedId === undefined) staged = await staging.stage(organizationId, contentType, received);
      await waitForTurn();
    } finally {
      memory.release(heldBlocks);
    }
    const { conversation, fetched, release } = startConversation(organizationId);
    try {
      const fields = source.body === received ? undefined : { contentType, body: received };
      const summary = await conversation.begin(source, fields);
      const isSmall = summary.inspection.bytes < recycleAboveBytes;
      return {
        summary,
        organizationId,
        fetched,
        staged,
        pieces: () => conversation.pieces(),
        compareWith: (previous) => conversation.compareWith(previous),
        review: (operations) => conversation.review(operations),
        release: () => release(isSmall),
      };
    } catch (error) {
      release(error instanceof Problem && conversation.isFinished);
      if (!(error instanceof Problem)) log.error({ err: error }, "import failed");
      throw error;
    }
  }

  async function openStaged(organizationId: string, id: string): Promise<SubmittedBody> {
    const staged = await staging.open(organizationId, id);
    if (!staged) {
      throw new Problem("invalid_input", undefined, {
        errors: [{ path: "source.staged", message: "The document is no longer kept: give it again." }],
      });
    }
    const body: Uint8Array[] = [];
    try {
      for await (const block of staged.blocks) {
        memory.hold(blockBytes);
        body.push(block);
      }
    } catch (error) {
      memory.release(body.length);
      throw error;
    }
    return { contentType: staged.contentType, body };
  }

  async function relate(stored: AsyncIterable<PreviousPart>): Promise<ContentPiece[]> {
    underWay += 1;
    try {
      await waitForTurn();
      // It fetches nothing, for no organization.
      const { conversation, release } = startConversation("");
      try {
        const pieces: ContentPiece[] = [];
        for await (const piece of conversation.relate(stored)) pieces.push(piece);
        return pieces;
      } finally {
        release(false);
      }
    } finally {
      leave();
    }
  }

  return {
    open,
    relate,
    // Active imports end within their time limits.
    async stop() {
      if (underWay > 0) await new Promise<void>((resolve) => (allEnded = resolve));
    },
  };
}
