import { setTimeout as pause } from "node:timers/promises";
import type { Json } from "#libraries/json/json.ts";
import { parseJson } from "#libraries/json/parse-json.ts";
import { writeJson } from "#libraries/json/write-json.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { productVersion } from "../version.ts";

export interface PortalAccess {
  /** Without a slash at its end. */
  url: string;
  token: string;
}

type Service = "api-registry" | "test-registry" | "test-executioner" | "test-analyzer" | "security-service";

interface CallOptions {
  query?: Record<string, string | number | undefined>;
  body?: unknown;
  /** Instead of `body`: JSON that is written already. */
  json?: string;
  headers?: Record<string, string>;
  method?: "GET" | "POST";
  /** Changes nothing, so that it can be sent again. */
  onlyReads?: true;
}

/** RFC 9457, as the portal writes it. */
interface ProblemBody {
  title?: string;
  detail?: string;
  errors?: { path: string; message: string }[];
}

/** A call that was refused for what it said. */
export class Refused extends CommandError {
  constructor(
    readonly status: number,
    message: string,
    readonly errors: readonly { path: string; message: string }[] = [],
  ) {
    super(exitCodes.usage, message);
  }
}

const tries = 4;

/** Calls of a portal with an API token. */
export class Connection {
  constructor(readonly access: PortalAccess) {}

  /** @throws CommandError with what the portal says; its code is `credentials` where the token is not enough */
  async call<Result>(service: Service, path: string, options: CallOptions = {}): Promise<Result> {
    const response = await this.#send(service, path, options);
    return (await response.json()) as Result;
  }

  /** Like `call`, with the digits of each number as they were written. */
  async exactly<Result>(
    service: Service,
    path: string,
    { body, ...options }: CallOptions & { body?: Json },
  ): Promise<Result> {
    const json = body === undefined ? {} : { json: writeJson(body) };
    const response = await this.#send(service, path, { ...options, ...json });
    return parseJson(await response.text()) as Result;
  }

  async bytes(service: Service, path: string): Promise<Uint8Array> {
    const response = await this.#send(service, path, { headers: { accept: "application/octet-stream" } });
    return new Uint8Array(await response.arrayBuffer());
  }

  async text(service: Service, path: string, accept: string): Promise<string> {
    return await (await this.#send(service, path, { headers: { accept } })).text();
  }

  /** All items of a list, page by page. */
  async all<Item>(service: Service, path: string, query: CallOptions["query"] = {}): Promise<Item[]> {
    const items: Item[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.call<{ items: Item[]; nextCursor?: string | null }>(service, path, {
        query: { limit: 200, ...query, cursor },
      });
      items.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    return items;
  }

  /** The version of the portal. */
  async readVersion(): Promise<string> {
    const { version } = await this.call<{ version: string }>("api-registry", "/actuator/info");
    return version;
  }

  async #send(service: Service, path: string, options: CallOptions) {
    const { query = {}, body, headers = {}, method, onlyReads } = options;
    const text = options.json ?? (body === undefined ? undefined : JSON.stringify(body));
    const url = new URL(`${this.access.url}/api/${service}${path}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const request: RequestInit = {
      method: method ?? (text === undefined ? "GET" : "POST"),
      headers: {
        authorization: `Bearer ${this.access.token}`,
        "user-agent": `assurance/${productVersion}`,
        ...(text === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(text === undefined ? {} : { body: text }),
    };
    // A start has a key of its own, so that it can be sent again like a read.
    const mayRepeat = request.method === "GET" || onlyReads || "idempotency-key" in headers;
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetch(url, request).catch((error: Error) => error);
      const isAway = response instanceof Error || [429, 502, 503, 504].includes(response.status);
      if (isAway && mayRepeat && attempt < tries) {
        const after = response instanceof Error ? 0 : Number(response.headers.get("retry-after")) || 0;
        await pause(Math.min(30, Math.max(after, attempt)) * 1_000);
        continue;
      }
      if (response instanceof Error) throw this.#describeAway(response);
      if (!response.ok) throw await this.#describeRefusal(response);
      return response;
    }
  }

  #describeAway(error: Error): CommandError {
    const { cause } = error as { cause?: { code?: string; message?: string } };
    const reason = cause?.code ?? cause?.message ?? error.message;
    return new CommandError(exitCodes.notJudged, `The portal at ${this.access.url} can't be reached (${reason}).`);
  }

  async #describeRefusal(response: Response): Promise<CommandError> {
    const problem = (await response.json().catch(() => ({}))) as ProblemBody;
    const lines = (problem.errors ?? []).map(({ path, message }) => `  ${path}: ${message}`);
    const said = [problem.detail ?? problem.title ?? `The portal responded with ${response.status}.`, ...lines].join(
      "\n",
    );
    if (response.status === 401)
      return new CommandError(
        exitCodes.credentials,
        `${this.access.url} does not accept the token. "assurance login" stores another one.`,
      );
    if (response.status === 403) return new CommandError(exitCodes.credentials, `The token may not do this: ${said}`);
    if (response.status >= 500) return new CommandError(exitCodes.notJudged, said);
    return new Refused(response.status, said, problem.errors);
  }
}
