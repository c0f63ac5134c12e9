import { Agent, EventSource } from "undici";
import type { RunMember, RunSummary } from "#contracts/test-executioner/runs.ts";
import { followEvents } from "../../app/islands/followed-events.ts";
import { ask, type RawResponse } from "./raw-request.ts";

/** A browser that reaches several portals at one address, as behind a proxy: whichever of them is available. */
export class BalancedBrowser {
  readonly #origins: () => string[];
  readonly #cookies = new Map<string, string>();

  /** @param origins of the available portals; the first responds */
  constructor(origins: () => string[], cookie: string) {
    this.#origins = origins;
    this.keep(cookie.split("; "));
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** Applies `Set-Cookie`; a removed cookie is deleted. */
  keep(cookies: string[]): void {
    for (const cookie of cookies) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/max-age=0(;|$)/i.test(cookie)) this.#cookies.delete(name!);
      else this.#cookies.set(name!, value!);
    }
  }

  async open(path: string, origin = this.#origins()[0]!): Promise<RawResponse> {
    const response = await ask(origin, path, { headers: { cookie: this.cookie } });
    this.keep(response.headers["set-cookie"] ?? []);
    return response;
  }

  /** Its EventSource: reconnects automatically to an available portal. */
  listen(path: string): EventSource {
    const dispatcher = new Agent().compose((dispatch) => (options, handler) => {
      const headers = { ...(options.headers as Record<string, string>), cookie: this.cookie };
      return dispatch({ ...options, origin: this.#origins()[0]!, headers }, handler);
    });
    return new EventSource(`http://portal.test${path}`, { node: { dispatcher } } as never);
  }
}

/** The events that the page of a run receives. */
export interface WatchedRun {
  verdicts: Map<number, string>;
  run?: RunSummary;
  /** The raw text of all events. */
  text: string;
  connections: number;
  /** Responses that were no event stream. */
  refusals: number;
  close(): void;
}

/** As the page's own script does. */
export function watchRun(browser: BalancedBrowser, page: string): WatchedRun {
  const connect = (address: string) => {
    const events = browser.listen(address);
    events.addEventListener("open", () => {
      watched.connections += 1;
    });
    events.addEventListener("error", () => {
      if (events.readyState === events.CLOSED) watched.refusals += 1;
    });
    return events as unknown as globalThis.EventSource;
  };
  const hear = {
    members(data: string) {
      watched.text += data;
      const { items } = JSON.parse(data) as { items: RunMember[] };
      for (const { position, verdict } of items) if (verdict) watched.verdicts.set(position, verdict);
    },
    run(data: string) {
      watched.text += data;
      watched.run = JSON.parse(data) as RunSummary;
      if (watched.run.state === "finished") watched.close();
    },
  };
  const watched: WatchedRun = { verdicts: new Map(), text: "", connections: 0, refusals: 0, close: () => {} };
  watched.close = followEvents(`${page}/events`, hear, connect);
  return watched;
}
