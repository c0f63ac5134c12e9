import { CommandError, exitCodes } from "../exit-codes.ts";
import { productVersion } from "../version.ts";

export interface Comment {
  id: number;
  text: string;
}

/** The comments of a pull or merge request. */
export interface Conversation {
  /** The oldest first. */
  list(): AsyncIterable<Comment>;
  /** The address of the comment; undefined if the token may not change it. */
  update(id: number, text: string): Promise<string | undefined>;
  create(text: string): Promise<string>;
}

export interface ForgeOptions {
  /** "GitHub", "GitLab" */
  name: string;
  headers: Record<string, string>;
  /** What a token needs to comment, as a sentence. */
  permission: string;
}

/** GitHub or GitLab, by its API. */
export class Forge {
  constructor(private readonly options: ForgeOptions) {}

  /** All items of a list, page after page, as RFC 8288 links them. */
  async *list<Item>(address: string): AsyncGenerator<Item> {
    for (let next: string | undefined = address; next; ) {
      const response = await this.#send("GET", next);
      if (!response.ok) throw await this.#describe(response);
      yield* (await response.json()) as Item[];
      next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
    }
  }

  /** @throws CommandError with what was said, `credentials` where the token is not enough */
  async write<Result>(method: "POST", address: string, body: object): Promise<Result> {
    const response = await this.#send(method, address, body);
    if (!response.ok) throw await this.#describe(response);
    return (await response.json()) as Result;
  }

  /** Undefined if it may not be changed, or is no longer there. */
  async change<Result>(method: "PATCH" | "PUT", address: string, body: object): Promise<Result | undefined> {
    const response = await this.#send(method, address, body);
    if (response.status === 403 || response.status === 404) return undefined;
    if (!response.ok) throw await this.#describe(response);
    return (await response.json()) as Result;
  }

  async #send(method: string, address: string, body?: object): Promise<Response> {
    const { name, headers } = this.options;
    try {
      return await fetch(address, {
        method,
        headers: {
          ...{ accept: "application/json", "user-agent": `assurance/${productVersion}` },
          ...(body ? { "content-type": "application/json" } : {}),
          ...headers,
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(30_000),
      });
    } catch (error) {
      const { cause, message } = error as Error & { cause?: { code?: string; message?: string } };
      throw new CommandError(
        exitCodes.notJudged,
        `${name} can't be reached at ${address} (${cause?.code ?? cause?.message ?? message}).`,
      );
    }
  }

  async #describe(response: Response): Promise<CommandError> {
    const { name, permission } = this.options;
    const said = (await response.json().catch(() => ({}))) as { message?: unknown; error?: unknown };
    const reason = said.message ?? said.error ?? response.statusText;
    const words = `${name} responded with ${response.status}: ${typeof reason === "string" ? reason : JSON.stringify(reason)}.`;
    if ([401, 403, 404].includes(response.status))
      return new CommandError(exitCodes.credentials, `${words} ${permission}`);
    return new CommandError(exitCodes.notJudged, words);
  }
}
