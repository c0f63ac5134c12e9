import { InvalidJsonPath } from "./json-path.ts";

const escapes: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", "/": "/", "\\": "\\" };

/** Reads the text of a query from left to right: characters, blanks, names, numbers and strings of RFC 9535. */
export class Reader {
  position = 0;
  constructor(readonly text: string) {}

  get atEnd(): boolean {
    return this.position >= this.text.length;
  }

  fail(reason: string, position = this.position): never {
    throw new InvalidJsonPath(reason, position);
  }

  peek(piece: string): boolean {
    return this.text.startsWith(piece, this.position);
  }

  take(piece: string): boolean {
    if (!this.peek(piece)) return false;
    this.position += piece.length;
    return true;
  }

  expect(piece: string): void {
    if (!this.take(piece)) this.fail(`expected ${piece}, found ${this.atEnd ? "the end" : this.text[this.position]}`);
  }

  /** @param pattern sticky */
  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.position;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.position += found.length;
    return found;
  }

  skipBlanks(): void {
    this.match(/[ \t\n\r]*/y);
  }

  /** Member name as in `.name`. */
  readShorthand(): string {
    const name = this.match(/[A-Za-z_\u0080-\ud7ff\ue000-\u{10ffff}][\w\u0080-\ud7ff\ue000-\u{10ffff}]*/uy);
    return name ?? this.fail("expected a name; write unusual names as ['name']");
  }

  /** An index or slice bound; undefined when there is none here. */
  readInteger(): number | undefined {
    const start = this.position;
    const text = this.match(/-?\d+/y);
    if (text === undefined) return undefined;
    if (!/^(0|-?[1-9]\d*)$/.test(text)) this.fail(`${text} is not an index`, start);
    const value = Number(text);
    return Number.isSafeInteger(value) ? value : this.fail(`${text} is too large for an index`, start);
  }

  readString(): string {
    const quote = this.text[this.position] as string;
    const start = this.position;
    this.position += 1;
    let value = "";
    while (!this.take(quote)) {
      if (this.atEnd) this.fail("the string has no end", start);
      value += this.take("\\") ? this.readEscape(quote) : this.readCharacter();
    }
    return value;
  }

  private readCharacter(): string {
    const character = String.fromCodePoint(this.text.codePointAt(this.position) as number);
    if (character < " ") this.fail("control characters must be escaped");
    if (/^[\ud800-\udfff]$/.test(character)) this.fail("half of a surrogate pair");
    this.position += character.length;
    return character;
  }

  private readEscape(quote: string): string {
    const start = this.position - 1;
    if (this.take(quote)) return quote;
    const letter = this.text[this.position] ?? "";
    this.position += 1;
    const plain = escapes[letter];
    if (plain !== undefined) return plain;
    if (letter !== "u") this.fail(`\\${letter} is not an escape`, start);
    const unit = this.readHexadecimal(start);
    if (unit < 0xd800 || unit > 0xdfff) return String.fromCharCode(unit);
    if (unit > 0xdbff || !this.take("\\u")) this.fail("half of a surrogate pair", start);
    const low = this.readHexadecimal(start);
    if (low < 0xdc00 || low > 0xdfff) this.fail("half of a surrogate pair", start);
    return String.fromCharCode(unit, low);
  }

  private readHexadecimal(start: number): number {
    return Number.parseInt(this.match(/[\dA-Fa-f]{4}/y) ?? this.fail("\\u needs four hexadecimal digits", start), 16);
  }
}
