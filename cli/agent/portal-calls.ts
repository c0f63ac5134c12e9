import { readFile } from "node:fs/promises";
import { rootCertificates } from "node:tls";
import type { Dispatcher } from "undici";
import { createSigner, type SignCall } from "#libraries/agent-keys/signed-call.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { toBase } from "../portal/access-file.ts";
import { productVersion } from "../version.ts";
import type { StoredAgent } from "./agent-file.ts";

const service = "/api/test-executioner";
/** More than a portal sends: a larger response is none of one. */
const maxResponseBytes = 128 * 1_048_576;
/** A portal's clock that differs by less is not followed: `Date` has seconds. */
const toleratedSkewMilliseconds = 2_000;

/** Away, or busy: the same call may be sent again. */
export class Away extends Error {}

/** The portal understood the call and refused it. */
export class RefusedCall extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export interface PortalOptions {
  /** PEM file of a certificate authority, in addition to the public ones. */
  ca?: string | undefined;
  /** Accepts an `http:` address that is not of this machine. */
  insecure?: boolean | undefined;
}

interface Response {
  status: number;
  body: string;
}

/** Calls of one portal, through the proxy that the environment names. */
export class PortalCalls {
  readonly #base: string;
  readonly #dispatcher: Dispatcher;
  /** How far the portal's clock is ahead of this one. */
  offsetMilliseconds = 0;
  /** When the portal was there last, by its clock; 0 before the first time. */
  answeredAt = 0;

  private constructor(base: string, dispatcher: Dispatcher) {
    this.#base = base;
    this.#dispatcher = dispatcher;
  }

  static async open(url: string, { ca, insecure }: PortalOptions): Promise<PortalCalls> {
    const base = toBase(url);
    requireSecure(base, insecure);
    const { EnvHttpProxyAgent } = await import("undici");
    const own = ca === undefined ? undefined : await readAuthority(ca);
    // `NODE_EXTRA_CA_CERTS` is added by Node itself where no list is given.
    const tls = own === undefined ? {} : { ca: [...rootCertificates, own] };
    const dispatcher = new EnvHttpProxyAgent({ connect: tls, requestTls: tls, proxyTls: tls });
    return new PortalCalls(base, dispatcher);
  }

  /** By the portal's clock. */
  now(): Date {
    return new Date(Date.now() + this.offsetMilliseconds);
  }

  /** @throws Away or RefusedCall */
  async post<Result>(
    path: string,
    value: unknown,
    { authorization, signal, seconds = 30 }: SendOptions = {},
  ): Promise<Result> {
    const body = typeof value === "string" ? value : JSON.stringify(value);
    const { status, body: text } = await this.#send(path, body, { authorization, signal, seconds });
    if (status >= 200 && status < 300) {
      const value = parse(text) as Result;
      this.#noteAnswer();
      return value;
    }
    const { detail, title } = parse(text) as { detail?: string; title?: string };
    const message = detail ?? title ?? `The portal responded with ${status}.`;
    if (status >= 500 || status === 429 || status === 408) throw new Away(message);
    this.#noteAnswer();
    throw new RefusedCall(status, message);
  }

  async #send(path: string, body: string, { authorization, signal, seconds }: SendOptions): Promise<Response> {
    const deadline = AbortSignal.timeout(seconds! * 1_000);
    const sentAt = Date.now();
    try {
      const { origin, pathname } = new URL(`${this.#base}${service}${path}`);
      const response = await this.#dispatcher.request({
        ...{ origin, path: pathname },
        method: "POST",
        headers: {
          "content-type": "application/json",
          "user-agent": `assurance-agent/${productVersion}`,
          ...(authorization ? { authorization } : {}),
        },
        body,
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      });
      this.#noteTime(response.headers.date, sentAt);
      return { status: response.statusCode, body: await readLimited(response.body) };
    } catch (error) {
      if (signal?.aborted) throw error;
      const { code, message } = error as { code?: string; message: string };
      throw new Away(`The portal at ${this.#base} can't be reached (${code ?? message}).`);
    }
  }

  #noteAnswer(): void {
    this.answeredAt = this.now().getTime();
  }

  #noteTime(date: string | string[] | undefined, sentAt: number): void {
    const said = Date.parse(String(date));
    // A long poll says when it ended, not when it was sent.
    if (Number.isNaN(said) || Date.now() - sentAt > toleratedSkewMilliseconds) return;
    const offset = said - Date.now();
    this.offsetMilliseconds = Math.abs(offset) > toleratedSkewMilliseconds ? offset : 0;
  }

  async close(): Promise<void> {
    await this.#dispatcher.destroy();
  }
}

interface SendOptions {
  authorization?: string | undefined;
  signal?: AbortSignal | undefined;
  seconds?: number;
}

/** Calls that the agent signs. */
export class AgentCalls {
  constructor(
    private readonly calls: PortalCalls,
    private readonly sign: SignCall,
  ) {}

  static async open({ agentId, keys }: StoredAgent, calls: PortalCalls): Promise<AgentCalls> {
    return new AgentCalls(calls, await createSigner(keys.signing, agentId));
  }

  now(): Date {
    return this.calls.now();
  }

  get answeredAt(): number {
    return this.calls.answeredAt;
  }

  /** @param value an object, or its JSON */
  async post<Result>(path: string, value: unknown, options: Pick<SendOptions, "signal" | "seconds"> = {}) {
    const body = typeof value === "string" ? value : JSON.stringify(value);
    const send = async () => {
      const token = await this.sign({ method: "POST", path, body }, this.calls.now());
      return await this.calls.post<Result>(path, body, { ...options, authorization: `Bearer ${token}` });
    };
    const before = this.calls.offsetMilliseconds;
    try {
      return await send();
    } catch (error) {
      // Its response said what time it is there.
      const isOfAnotherTime = Math.abs(this.calls.offsetMilliseconds - before) > toleratedSkewMilliseconds;
      if (error instanceof RefusedCall && error.status === 401 && isOfAnotherTime) return await send();
      throw error;
    }
  }
}

function requireSecure(base: string, insecure: boolean | undefined): void {
  const { protocol, hostname } = new URL(base);
  const isHere = hostname === "localhost" || hostname === "[::1]" || /^127\./.test(hostname);
  if (protocol === "https:" || isHere || insecure) return;
  throw new CommandError(
    exitCodes.usage,
    `${base} is not encrypted, so others could read and change what the agent is sent. Use https:, or --insecure.`,
  );
}

async function readAuthority(path: string): Promise<string> {
  return await readFile(path, "utf8").catch(() => {
    throw new CommandError(exitCodes.usage, `The certificate authority ${path} can't be read.`);
  });
}

async function readLimited(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxResponseBytes) throw new Error("its response is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A page of a proxy.
    throw new Away("Something other than the portal responded.");
  }
}
