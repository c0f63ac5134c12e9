import { channel } from "node:diagnostics_channel";
import type { IncomingHttpHeaders } from "node:http";
import { type Dispatcher, errors } from "undici";
import type { BodyCollector } from "./body-collector.ts";
import { collectBody, listEncodings } from "./body-decoding.ts";
import type { ConnectionPool, Lane } from "./connection-pool.ts";
import { IncompleteResponse, type Result } from "./exchange-result.ts";
import { describeNetworkError, EgressError, type EgressFailure, isLengthMismatch } from "./failure.ts";
import { LargeBody, type LargeBodyOptions } from "./large-body.ts";
import type { OutboundRequest, PreparedRequest } from "./outbound-request.ts";
import { ExchangeClock, type Phases } from "./phases.ts";
import { findHeader, readHeaders } from "./raw-headers.ts";
import { ReadingEnd } from "./reading-end.ts";
import { findLocation } from "./redirects.ts";
import type { TlsDetails } from "./tls-details.ts";

export interface ExchangeOptions {
  pool: ConnectionPool;
  request: PreparedRequest;
  maxBodyBytes: number;
  followsRedirects: boolean;
  readUntil?: OutboundRequest["readUntil"];
  /** Where a large body waits for room. */
  large?: LargeBodyOptions;
}

/** Never have a body, also when they have a Content-Length, as a 304 may (RFC 9110, 8.6). undici misses it then. */
const bodyless = new Set([204, 304]);
const maxInformationalResponses = 16;
/** A redirect's body is of no interest, but reading a short one keeps the connection. */
const redirectBodyBytes = 65_536;

/**
 * The exchange whose request undici is writing. A handler is not notified when the request has been written before
 * undici 8, but its diagnostics are; a request without a stream is written in the same turn in which it starts.
 */
let writing: Exchange | undefined;
channel("undici:request:bodySent").subscribe(() => writing?.noteSent());

/**
 * One request and its one answer on one connection, as undici's low-level handler. After any error the connection is
 * destroyed, so nothing left over can be taken for the next answer.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #clock: ExchangeClock;
  #resolve!: (result: Result) => void;
  #reject!: (error: Error) => void;
  #lane: Lane | undefined;
  #withdraw: (() => void) | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #collector: BodyCollector | undefined;
  readonly #room: LargeBody | undefined;
  #readingEnd: ReadingEnd | undefined;
  #settled = false;
  #informationalAnswers = 0;
  #status = 0;
  #statusText = "";
  #headers: [string, string][] = [];
  #location: string | undefined;
  #transferredBytes = 0;
  #tls: TlsDetails | undefined;
  #httpVersion: Result["httpVersion"] = "1.1";
  /** The server closed a kept connection before the first byte of the answer, as it may at any time (RFC 9112, 9.3.1). */
  isStale = false;

  constructor(options: ExchangeOptions, startedAt: number) {
    this.#options = options;
    this.#clock = new ExchangeClock(startedAt);
    this.#room = options.large && new LargeBody(options.large, this.#clock);
  }

  /** @throws EgressError */
  run(fresh: boolean): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#withdraw = this.#options.pool.acquire(fresh, (lane) => this.#dispatch(lane));
    });
  }

  /** Ends the exchange now, wherever it is. `word` words the failure for the phase it was in. */
  giveUp(word: (phase: keyof Phases) => EgressFailure): void {
    if (this.#settled) return;
    this.#fail(word(this.#clock.phase(this.#lane?.phases)));
  }

  #dispatch(lane: Lane): void {
    this.#lane = lane;
    this.#withdraw = undefined;
    const { url, method, headers, body } = this.#options.request;
    const rawHeaders: string[] = [];
    for (const [name, value] of headers) rawHeaders.push(name, value);
    lane.dispatch({ path: url.pathname + url.search, method, headers: rawHeaders, body }, this);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const lane = this.#lane;
    if (this.#settled || lane === undefined || this.#clock.isWritten) {
      // Written once already: a request is never silently repeated.
      controller.abort(new errors.RequestAbortedError());
      return;
    }
    writing = this;
    this.#clock.noteWriting(lane.phases);
  }

  noteSent(): void {
    writing = undefined;
    this.#clock.noteSent();
  }

  onResponseStarted(): void {
    this.#clock.noteFirstByte();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    _headers: IncomingHttpHeaders,
    statusText = "",
  ): void {
    if (this.#settled) return;
    if (status < 200) {
      this.#informationalAnswers += 1;
      if (this.#informationalAnswers > maxInformationalResponses) {
        this.#fail({
          code: "protocol_error",
          detail: `The server sent more than ${maxInformationalResponses} informational responses (1xx) before the final one.`,
        });
      }
      return;
    }
    this.#controller = controller;
    this.#status = status;
    this.#statusText = statusText;
    // Raw: names as they were sent, and repeated ones apart. Of HTTP/2, undici passes Node's Latin-1 texts as UTF-8.
    const encoding = this.#lane?.httpVersion === "2" ? "utf8" : "latin1";
    this.#headers = readHeaders(controller.rawHeaders as Buffer[], encoding);
    this.#location = this.#options.followsRedirects ? findLocation(status, this.#headers) : undefined;
    try {
      this.#collector = this.#startCollecting();
    } catch (error) {
      this.#fail(describeNetworkError(error));
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled || this.#collector === undefined) return;
    this.#transferredBytes += chunk.length;
    if (!this.#collector.write(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    if (this.#settled || this.#readingEnd?.stopped === "seconds") return;
    this.#readingEnd?.clear();
    const lane = this.#lane!;
    this.#endReceiving();
    // Decoding may end when the lane already serves another exchange, which it must not touch any more.
    this.#lane = undefined;
    this.#controller = undefined;
    this.#options.pool.release(lane);
    this.#collector!.end();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    if (writing === this) writing = undefined;
    if (this.#settled || this.#readingEnd?.stopped === "seconds") return;
    const collector = this.#collector;
    if (collector !== undefined && bodyless.has(this.#status) && isLengthMismatch(error)) {
      collector.end();
      return;
    }
    const failure = describeNetworkError(error, this.#status !== 0);
    const { isWritten, isReceiving, openedItsConnection } = this.#clock;
    this.isStale = failure.code === "connection_reset" && isWritten && !openedItsConnection && !isReceiving;
    this.#fail(failure);
  }

  #startCollecting(): BodyCollector {
    const isFollowed = this.#location !== undefined;
    const encodings = isFollowed ? [] : listEncodings(findHeader(this.#headers, "content-encoding"));
    const cap = isFollowed ? redirectBodyBytes : this.#options.maxBodyBytes;
    const { readUntil } = this.#options;
    if (readUntil && !isFollowed) {
      const contentType = findHeader(this.#headers, "content-type");
      this.#readingEnd = new ReadingEnd(readUntil, contentType, () => this.#stop());
    }
    return collectBody(encodings, cap, {
      onDrain: () => this.#controller?.resume(),
      onBody: (body, truncated) => this.#succeed(body, truncated),
      onFailure: (error) => this.#fail(error.failure),
      findEnd: this.#readingEnd?.findEnd,
      ...(this.#room && !isFollowed ? { onLarge: () => this.#awaitRoom(encodings.length === 0) } : {}),
    });
  }

  /** Ends reading by time: what has come is decoded, and is the response. */
  #stop(): void {
    const collector = this.#collector;
    if (this.#settled || collector === undefined) return;
    this.#endReceiving();
    this.#collector = undefined;
    this.#dropConnection(restNotWanted);
    collector.endEarly((body, truncated) => this.#succeed(body, truncated));
  }

  #awaitRoom(hasLength: boolean): void {
    if (this.#settled) return;
    const length = hasLength ? Number(findHeader(this.#headers, "content-length") ?? Number.NaN) : Number.NaN;
    const bytes = Number.isNaN(length) ? this.#options.maxBodyBytes : Math.min(length, this.#options.maxBodyBytes);
    this.#room?.acquire(bytes, () => this.#collector?.grow(bytes));
  }

  #endReceiving(): void {
    this.#clock.noteEnd();
    this.#tls ??= this.#lane?.tlsDetails;
    this.#httpVersion = this.#lane?.httpVersion ?? this.#httpVersion;
  }

  #succeed(body: Uint8Array, truncated: boolean): void {
    if (this.#settled) return;
    this.#endReceiving();
    this.#settled = true;
    const result = this.#toResult(body, truncated);
    this.#dropConnection(restNotWanted);
    this.#resolve(result);
  }

  #toResult(body: Uint8Array, truncated: boolean): Result {
    const result: Result = {
      status: this.#status,
      statusText: this.#statusText,
      httpVersion: this.#httpVersion,
      headers: this.#headers,
      body,
      transferredBytes: this.#transferredBytes,
      truncated,
      phases: this.#clock.phases(undefined),
      heldMilliseconds: this.#clock.heldMilliseconds,
    };
    if (this.#tls !== undefined) result.tls = this.#tls;
    if (this.#location !== undefined) result.location = this.#location;
    const stopped = this.#readingEnd?.stopped;
    if (stopped !== undefined) result.stopped = stopped;
    if (this.#room !== undefined) result.release = () => this.#room?.release();
    return result;
  }

  #fail(failure: EgressFailure): void {
    if (this.#settled) return;
    const complete = failure.code === "target_not_allowed" ? failure : this.#locate(failure);
    this.#settled = true;
    if (this.#room?.isHeld || failure.code === "cancelled") this.#room?.release();
    if (this.#status === 0 || failure.code === "cancelled") {
      this.#dropConnection(complete);
      this.#reject(new EgressError(complete));
      return;
    }
    this.#endReceiving();
    const collector = this.#collector;
    this.#collector = undefined;
    this.#dropConnection(complete);
    const reject = (body: Uint8Array, truncated: boolean) =>
      this.#reject(new IncompleteResponse(complete, this.#toResult(body, truncated)));
    if (collector === undefined) reject(new Uint8Array(), false);
    else collector.endEarly(reject);
  }

  /** Adds where the failure happened and where the time went. */
  #locate(failure: EgressFailure): EgressFailure {
    const connection = this.#lane?.phases;
    const phase = failure.phase ?? this.#clock.phase(connection);
    return { ...failure, phase, phases: this.#clock.phases(connection) };
  }

  /** Gives back what is held. After `onResponseEnd` that is no connection any more. */
  #dropConnection(failure: EgressFailure): void {
    this.#readingEnd?.clear();
    this.#withdraw?.();
    this.#collector?.destroy();
    const lane = this.#lane;
    if (lane === undefined) return;
    this.#lane = undefined;
    this.#options.pool.discard(lane, failure);
  }
}

const restNotWanted: EgressFailure = { code: "cancelled", detail: "The rest of the body is not wanted." };
