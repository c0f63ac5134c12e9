import type { JudgeInput } from "#contracts/test-analyzer/verifications.ts";
import type { Json } from "../json/json.ts";
import { parseJson, type UnreadableJson } from "../json/parse-json.ts";
import { type Moment, parseMoment } from "../moment/moment.ts";
import type { KnownSecret } from "../redaction/patterns.ts";
import { createRedactor, type Redactor } from "../redaction/redactor.ts";
import { findSequence, readItems, type Sequence } from "../sequence/sequence.ts";
import { type MarkupDocument, type MarkupReader, noMarkup, TooDeepMarkup } from "../xpath/markup.ts";
import { decodeBody } from "./body-text.ts";
import { parseMediaType } from "./media-type.ts";

/** Characters. Reading a longer text as XML or HTML would exceed the time limit of one evaluation. */
const longestMarkup = 2 * 1024 * 1024;

function isHtml(contentType: string | undefined, text: string): boolean {
  const type = contentType === undefined ? undefined : parseMediaType(contentType);
  if (type?.subtype === "html") return true;
  if (type?.subtype === "xml" || type?.subtype.endsWith("+xml")) return false;
  return /^\s*<(?:!doctype\s+)?html\b/i.test(text.slice(0, 1_000));
}

/**
 * Something that could not be judged; `code` is for programs, the message a sentence. Ends one verification, not the
 * batch.
 */
export class Unjudgeable extends Error {
  override readonly name = "Unjudgeable";
  constructor(
    readonly code: UnjudgeableCode,
    message: string,
  ) {
    super(message);
  }
}

export type UnjudgeableCode =
  | "body_incomplete"
  | "body_truncated"
  | "body_not_text"
  | "body_too_deep"
  | "hash_not_given"
  | "invalid_assertion"
  | "invalid_schema"
  | "nothing_documented"
  | "time_not_given"
  | "too_costly"
  | "unsupported_pattern";

/** The sent request and the timings are optional: callers that submit a response need not know them. */
export type JudgedParts = Omit<JudgeInput, "operation" | "request" | "phases"> &
  Partial<Pick<JudgeInput, "request" | "phases">> & {
    /** All bytes of a body of which the response has the beginning only. */
    whole?: Uint8Array;
  };

export type ItemToJudge = JudgedParts & { secrets?: KnownSecret[] };

export type JudgedOperation = NonNullable<JudgeInput["operation"]>;

/** One request with its response as every verification reads it. Headers and body are parsed once. */
export class JudgedResponse {
  private readonly headerValues = new Map<string, string[]>();
  private wholeText: string | null | undefined;
  private parsed: { value: Json } | { error: unknown } | undefined;
  private tree: { value: MarkupDocument } | { error: unknown } | undefined;
  private redactor: Redactor | undefined;

  constructor(
    readonly input: Omit<JudgedParts, "assertions" | "checks" | "captures">,
    readonly operation: JudgedOperation | undefined,
    private readonly markup: MarkupReader = noMarkup,
  ) {
    for (const [name, value] of input.response.headers) {
      const key = name.toLowerCase();
      const values = this.headerValues.get(key);
      if (values) values.push(value);
      else this.headerValues.set(key, [value]);
    }
  }

  /** Redacts these secrets in everything displayed from now on. */
  hide(secrets: readonly KnownSecret[]): void {
    this.redactor = createRedactor(secrets);
  }

  /** A sent, received or expected value with secrets redacted. */
  show<Value>(value: Value): Value {
    return this.redactor ? this.redactor.value(value) : value;
  }

  /** Why the body could not be read; quotes from it are redacted. */
  reasonOf(error: UnreadableJson): string {
    return error.message.replace(/'.'|".*"/su, (quoted) => this.show(quoted));
  }

  hideInSentence(text: string): string {
    return this.redactor ? this.redactor.sentence(text) : text;
  }

  get response() {
    return this.input.response;
  }

  /**
   * Of an incomplete response the time until it failed.
   * @throws Unjudgeable when the duration is unknown
   */
  get milliseconds(): number {
    if (!this.input.phases) throw new Unjudgeable("time_not_given", "The response time is unknown.");
    return Math.round(this.input.phases.total * 10) / 10;
  }

  /** @throws Unjudgeable when it is unknown */
  get receivedAt(): Moment {
    const moment = this.input.receivedAt === undefined ? undefined : parseMoment(this.input.receivedAt);
    if (moment === undefined) throw new Unjudgeable("time_not_given", "It is unknown when the response was received.");
    return moment;
  }

  /** Values of a header in the order received; empty when it is missing. */
  headers(name: string): string[] {
    return this.headerValues.get(name.toLowerCase()) ?? [];
  }

  /** A cookie from Set-Cookie; of two with one name the later one, as in browsers. */
  cookie(name: string): string | undefined {
    let found: string | undefined;
    for (const line of this.headers("set-cookie")) {
      const pair = line.split(";", 1)[0] ?? "";
      const equals = pair.indexOf("=");
      if (equals > 0 && pair.slice(0, equals).trim() === name) {
        found = pair
          .slice(equals + 1)
          .trim()
          .replace(/^"(.*)"$/, "$1");
      }
    }
    return found;
  }

  /**
   * The whole body as text; "" when there is none.
   * @throws Unjudgeable when it is incomplete, was truncated, or is not text
   */
  text(): string {
    const { body, bodyBytes, truncated, incomplete } = this.response;
    if (incomplete) {
      throw new Unjudgeable("body_incomplete", "The body is incomplete, so it can't be judged as a whole.");
    }
    if (truncated) {
      throw new Unjudgeable(
        "body_truncated",
        "The body was larger than what may be read, so it can't be judged as a whole.",
      );
    }
    const text = this.input.whole ? this.decodeWhole(this.input.whole) : body;
    if (text === null && bodyBytes > 0) throw new Unjudgeable("body_not_text", "The body is not text.");
    return text ?? "";
  }

  private decodeWhole(whole: Uint8Array): string | null {
    if (this.wholeText === undefined) this.wholeText = decodeBody(whole, this.headers("content-type")[0]);
    return this.wholeText;
  }

  /**
   * The body as XML, or as HTML where its content type or its beginning says so.
   * @throws Unjudgeable as `text` does, and for markup that is nested too deeply; UnreadableMarkup when it is not XML
   */
  document(): MarkupDocument {
    if (!this.tree) {
      const text = this.text().replace(/^\ufeff/, "");
      if (text.length > longestMarkup) {
        throw new Unjudgeable("too_costly", "The body is longer than 2 MiB, too long to be read as XML or HTML.");
      }
      try {
        this.tree = { value: this.markup.read(text, isHtml(this.headers("content-type")[0], text)) };
      } catch (error) {
        this.tree = { error };
      }
    }
    if (!("error" in this.tree)) return this.tree.value;
    if (!(this.tree.error instanceof TooDeepMarkup)) throw this.tree.error;
    throw new Unjudgeable("body_too_deep", this.tree.error.message);
  }

  /** Whether the body is a sequence, so that `json` is the list of its items and no text of the body. */
  get sequence(): Sequence | undefined {
    return findSequence(this.headers("content-type")[0]);
  }

  /**
   * The body as JSON; of a sequence the list of its items.
   * @throws Unjudgeable as `text` does; UnreadableJson when it is not JSON
   */
  json(): Json {
    if (!this.parsed) {
      const text = this.text();
      try {
        const { sequence } = this;
        this.parsed = { value: sequence ? readItems(text, sequence) : parseJson(text) };
      } catch (error) {
        this.parsed = { error };
      }
    }
    if ("error" in this.parsed) throw this.parsed.error;
    return this.parsed.value;
  }
}
