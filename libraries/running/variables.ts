import { placeholderPattern } from "../template/placeholders.ts";
import { Unsendable, unfitVariable } from "./unsendable.ts";

const placeholder = placeholderPattern();

/** A value from a response: the characters of a string, or the JSON text of any other value. */
export interface CapturedText {
  text: string;
  /** Absent for text that has no JSON type: of a header, a cookie or a body that was searched as text. */
  type?: "string" | "json";
}

/** A string is text without a type, such as people type it. */
export type Variable = string | CapturedText;

/** The value of `{{$none}}`. Within other text it is empty. */
export const notSent: CapturedText = { text: "" };

export type FindVariable = (name: string) => Variable | undefined;

/** Replaces `{{name}}` in texts and collects names without a value. */
export class TemplateRenderer {
  readonly missing = new Set<string>();
  readonly #find: FindVariable;

  constructor(find: FindVariable) {
    this.#find = find;
  }

  render(text: string): string {
    if (!text.includes("{{")) return text;
    return text.replace(placeholder, (whole, name: string) => textOf(this.#lookUp(name)) ?? whole);
  }

  /**
   * Fills a text that is sent.
   * @throws Unsendable for half a surrogate pair, which UTF-8 can't express
   */
  renderSent(text: string): string {
    this.requireFit(text, isWellFormed, "can't be sent: it has half of a surrogate pair, which UTF-8 can't express");
    return this.render(text);
  }

  /**
   * Fills JSON as text. Inside a string literal the value is escaped, so that a quote in it can't end the literal;
   * elsewhere it is inserted unchanged, so that `{ "count": {{count}} }` becomes a number.
   * @throws Unsendable as `renderSent` does, except inside a string literal, where half a surrogate pair is escaped
   */
  renderJson(text: string): string {
    if (!text.includes("{{")) return text;
    let scannedTo = 0;
    let insideString = false;
    return text.replace(placeholder, (whole, name: string, offset: number) => {
      for (; scannedTo < offset; scannedTo += 1) {
        const character = text.charCodeAt(scannedTo);
        if (character === backslash && insideString) scannedTo += 1;
        else if (character === quote) insideString = !insideString;
      }
      scannedTo = offset + whole.length;
      if (!insideString) return this.renderSent(whole);
      const value = textOf(this.#lookUp(name));
      return value === undefined ? whole : JSON.stringify(value).slice(1, -1);
    });
  }

  /** The variable of a text that is nothing but one placeholder; undefined for any other text and without a value. */
  findWhole(text: string): Variable | undefined {
    const [, name] = onePlaceholder.exec(text.trim()) ?? [];
    return name === undefined ? undefined : this.#lookUp(name);
  }

  /** Whether a value is left out of the request: it is nothing but `{{$none}}`, or a variable that is. */
  isNotSent(text: string): boolean {
    return text.includes("{{") && this.findWhole(text) === notSent;
  }

  /** @throws Unsendable that names the variables in a text with a value that is not fit for its location */
  requireFit(text: string, isFit: (value: string) => boolean, why: string): void {
    if (!text.includes("{{")) return;
    const names = [...text.matchAll(placeholder)].map(([, name]) => name!);
    const unfit = names.filter((name) => !isFit(textOf(this.#find(name)) ?? ""));
    if (unfit.length === 0) return;
    const named = [...new Set(unfit)].map((name) => `{{${name}}}`).join(" and ");
    throw new Unsendable(unfitVariable, `The value of ${named} ${why}.`);
  }

  #lookUp(name: string): Variable | undefined {
    const value = this.#find(name);
    if (value === undefined) this.missing.add(name);
    return value;
  }
}

const quote = 0x22;
const backslash = 0x5c;

const onePlaceholder = new RegExp(`^${placeholder.source}$`);

export function textOf(variable: Variable | undefined): string | undefined {
  return typeof variable === "object" ? variable.text : variable;
}

function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
