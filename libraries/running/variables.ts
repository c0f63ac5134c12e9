import { placeholderPattern } from "../template/placeholders.ts";

const placeholder = placeholderPattern();

export type FindVariable = (name: string) => string | undefined;

/** Replaces `{{name}}` in texts and collects names without a value. */
export class TemplateRenderer {
  readonly missing = new Set<string>();
  readonly #find: FindVariable;

  constructor(find: FindVariable) {
    this.#find = find;
  }

  render(text: string): string {
    if (!text.includes("{{")) return text;
    return text.replace(placeholder, (whole, name: string) => this.#valueOf(name) ?? whole);
  }

  /**
   * Fills JSON as text. Inside a string literal the value is escaped, so that a quote in it can't end the literal;
   * elsewhere it is inserted unchanged, so that `{ "count": {{count}} }` becomes a number.
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
      const value = this.#valueOf(name);
      if (value === undefined) return whole;
      return insideString ? JSON.stringify(value).slice(1, -1) : value;
    });
  }

  /**
   * Fills the strings within a JSON value, an assertion's target. A string that is nothing but one placeholder takes
   * the variable's value as JSON if it is valid JSON (`404`, `true`), because variables are texts and targets have
   * types; `"404"` with its quotes stays a string.
   */
  renderTarget(target: unknown): unknown {
    if (typeof target === "string") {
      const filled = this.render(target);
      return filled !== target && isOnePlaceholder(target) ? parseOrKeep(filled) : filled;
    }
    if (Array.isArray(target)) return target.map((item) => this.renderTarget(item));
    if (target !== null && typeof target === "object") {
      return Object.fromEntries(Object.entries(target).map(([name, value]) => [name, this.renderTarget(value)]));
    }
    return target;
  }

  #valueOf(name: string): string | undefined {
    const value = this.#find(name);
    if (value === undefined) this.missing.add(name);
    return value;
  }
}

const quote = 0x22;
const backslash = 0x5c;

function isOnePlaceholder(text: string): boolean {
  return /^\{\{[^{}]*\}\}$/.test(text.trim());
}

function parseOrKeep(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
