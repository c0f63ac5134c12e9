import type { MarkupDocument } from "../../xpath/markup.ts";
import { isVarying } from "./value-form.ts";
import { listOwn, nodesAt, type XmlStep, type XmlSteps } from "./xml-steps.ts";

/** Good responses with the same value, after which a value counts as steady whatever its form. */
const minSame = 3;

export const isNumberText = (text: string) => /^-?\d{1,15}(\.\d{1,15})?$/.test(text.trim());

/** What differs between good XML responses of a test: the recorded one and earlier ones. */
export class EarlierXml {
  constructor(
    private readonly current: MarkupDocument,
    private readonly earlier: readonly MarkupDocument[],
  ) {}

  #texts(steps: XmlSteps): (string | undefined)[] {
    return [this.current, ...this.earlier].flatMap((document) =>
      nodesAt(document, steps).map((node) => node?.stringValue()),
    );
  }

  /** Whether an element or attribute was missing from one of them. */
  lacked(steps: XmlSteps): boolean {
    return this.#texts(steps).includes(undefined);
  }

  /** Whether one was without text. */
  wasEmpty(steps: XmlSteps): boolean {
    return this.#texts(steps).some((text) => text?.trim() === "");
  }

  /** Whether each that came was a number. */
  wasNumber(steps: XmlSteps): boolean {
    return this.#texts(steps).every((text) => text === undefined || isNumberText(text));
  }

  /** Whether one of them had several elements of a name in the same parent. */
  hadSeveral(parent: XmlSteps, step: XmlStep): boolean {
    return this.#counts(parent, step).some((count) => count > 1);
  }

  hadNone(parent: XmlSteps, step: XmlStep): boolean {
    return this.#counts(parent, step).includes(0);
  }

  /** Whether it is known that there are always as many. */
  keepsCount(parent: XmlSteps, step: XmlStep, count: number): boolean {
    return this.earlier.length > 0 && this.#counts(parent, step).every((one) => one === count);
  }

  #counts(parent: XmlSteps, step: XmlStep): number[] {
    return [this.current, ...this.earlier].flatMap((document) =>
      nodesAt(document, parent).map((node) => (node ? listOwn(node, step).length : 0)),
    );
  }

  /** Whether a text probably differs in the next good response, as `EarlierBodies` says it of JSON. */
  varies(steps: XmlSteps, text: string): boolean {
    const texts = this.#texts(steps);
    if (!texts.every((one) => one === text)) return true;
    const isNumber = isNumberText(text);
    if ((isNumber || /^(true|false)$/.test(text)) && this.earlier.length === 0) return true;
    if (steps.some(({ kind }) => kind === "item") && texts.length < 2) return true;
    return texts.length < minSame && isVarying(isNumber ? Number(text) : text, steps.at(-1)?.localName);
  }
}
