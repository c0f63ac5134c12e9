import { compilePattern, documentPatternLimits, UnsupportedPattern } from "../../pattern/pattern.ts";

const checkers = new Map<string, ((text: string) => boolean) | undefined>();

/** Returns an RE2 matcher, which takes linear time for any pattern; undefined when RE2 does not support the pattern. */
export function patternChecker(pattern: string): ((text: string) => boolean) | undefined {
  if (checkers.has(pattern)) return checkers.get(pattern);
  let checker: ((text: string) => boolean) | undefined;
  try {
    const compiled = compilePattern(pattern, documentPatternLimits);
    checker = (text) => compiled.test(text);
  } catch (error) {
    if (!(error instanceof UnsupportedPattern)) throw error;
  }
  if (checkers.size > 2_000) checkers.clear();
  checkers.set(pattern, checker);
  return checker;
}

const usualTexts = [
  "string",
  "example",
  "a",
  "A",
  "1",
  "ABC",
  "abc-123",
  "EUR",
  "en",
  "en-US",
  "2026-01-15",
  "12345",
  "",
];

/**
 * A text of allowed length that matches the pattern; undefined when none was found.
 * @param accepts what else it has to satisfy
 */
export function sampleForPattern(
  pattern: string,
  minLength: number,
  maxLength: number,
  accepts: (text: string) => boolean = () => true,
): string | undefined {
  const matches = patternChecker(pattern);
  if (!matches) return undefined;
  const fits = (text: string) => text.length >= minLength && text.length <= maxLength && matches(text) && accepts(text);
  for (const repeats of [0, 1, 3, minLength, Math.ceil(minLength / 2), Math.ceil(minLength / 4)]) {
    const text = new PatternWriter(pattern, Math.min(repeats, 10_000)).write();
    if (text !== undefined && fits(text)) return text;
  }
  return usualTexts.find(fits);
}

/**
 * Generates one text for the common subset of regular expressions: literals, classes, groups, alternatives,
 * repetitions.
 */
class PatternWriter {
  #at = 0;
  #written = 0;

  constructor(
    private readonly pattern: string,
    /** Repetitions beyond the minimum of an unbounded quantifier. */
    private readonly repeats: number,
  ) {}

  write(): string | undefined {
    try {
      const text = this.#alternatives(0);
      return this.#at >= this.pattern.length ? text : undefined;
    } catch {
      return undefined;
    }
  }

  #alternatives(depth: number): string {
    if (depth > 50) throw new Error("nested too deep");
    const first = this.#sequence(depth);
    while (this.pattern[this.#at] === "|") {
      this.#at += 1;
      this.#sequence(depth);
    }
    return first;
  }

  #sequence(depth: number): string {
    let text = "";
    while (this.#at < this.pattern.length && this.pattern[this.#at] !== "|" && this.pattern[this.#at] !== ")") {
      const atom = this.#atom(depth);
      const times = this.#repetition();
      this.#written += atom.length * times;
      if (this.#written > 50_000) throw new Error("too long");
      text += atom.repeat(times);
    }
    return text;
  }

  #atom(depth: number): string {
    const character = this.pattern[this.#at++]!;
    if (character === "^" || character === "$") return "";
    if (character === ".") return "a";
    if (character === "[") return this.#characterClass();
    if (character === "\\") return this.#escape();
    if (character !== "(") return character;
    if (this.pattern[this.#at] === "?") {
      const start = /^\?(:|<[A-Za-z]\w*>|P<\w+>)/.exec(this.pattern.slice(this.#at, this.#at + 60));
      if (!start) throw new Error("unsupported group");
      this.#at += start[0].length;
    }
    const inner = this.#alternatives(depth + 1);
    this.#at += 1;
    return inner;
  }

  #escape(): string {
    const character = this.pattern[this.#at++]!;
    const known: Record<string, string> = {
      d: "1",
      D: "a",
      w: "a",
      W: "-",
      s: " ",
      S: "a",
      b: "",
      B: "",
      n: "\n",
      t: "\t",
    };
    if (character === "p") throw new Error("unsupported class");
    if (character === "u" || character === "x") {
      const digits = character === "u" ? 4 : 2;
      const code = Number.parseInt(this.pattern.slice(this.#at, this.#at + digits), 16);
      this.#at += digits;
      return String.fromCharCode(code);
    }
    return known[character] ?? character;
  }

  #characterClass(): string {
    const negated = this.pattern[this.#at] === "^";
    const end = this.#endOfClass();
    const body = this.pattern.slice(this.#at + (negated ? 1 : 0), end);
    this.#at = end + 1;
    if (!negated) return firstOfClass(body);
    const inside = patternChecker(`[${body}]`);
    const outside = ["a", "A", "1", "-", " ", "é"].find((candidate) => !inside?.(candidate));
    if (outside === undefined) throw new Error("nothing left");
    return outside;
  }

  #endOfClass(): number {
    for (let at = this.#at + 1; at < this.pattern.length; at++) {
      if (this.pattern[at] === "\\") at += 1;
      else if (this.pattern[at] === "]") return at;
    }
    throw new Error("class without end");
  }

  #repetition(): number {
    const rest = this.pattern.slice(this.#at, this.#at + 24);
    const [whole, sign, low, comma, high] = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/.exec(rest) ?? [];
    if (whole === undefined) return 1;
    this.#at += whole.length;
    if (sign === "?") return this.repeats > 0 ? 1 : 0;
    if (sign) return (sign === "+" ? 1 : 0) + this.repeats;
    const minimum = Number(low);
    if (!comma) return minimum;
    return high === "" ? minimum + this.repeats : Math.min(Number(high), minimum + this.repeats);
  }
}

function firstOfClass(body: string): string {
  const range = /([a-zA-Z0-9])-[a-zA-Z0-9]/.exec(body);
  if (range) return range[1]!;
  const shorthand = /^\\([dws])/.exec(body)?.[1];
  if (shorthand) return shorthand === "d" ? "1" : shorthand === "s" ? " " : "a";
  return body[0] === "\\" ? body[1]! : body[0]!;
}
