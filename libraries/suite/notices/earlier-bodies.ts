import { equalJson } from "../../json/compare-json.ts";
import { getJsonType, type Json } from "../../json/json.ts";
import type { Steps } from "./change.ts";
import { findAt } from "./json-steps.ts";
import { isVarying } from "./value-form.ts";

const maxItems = 50;
/** Good responses with the same value, after which a value counts as steady whatever its form. */
const minSame = 3;

/**
 * What differs between good responses of a test: the recorded one and earlier ones. A place in a list's item is
 * compared in every item.
 */
export class EarlierBodies {
  readonly #current: Json;
  readonly #earlier: readonly Json[];
  constructor(current: Json, earlier: readonly Json[]) {
    this.#current = current;
    this.#earlier = earlier;
  }

  #at(steps: Steps): (Json | undefined)[] {
    return [this.#current, ...this.#earlier].flatMap((body) => listAt(body, steps));
  }

  /** Whether a member was missing from one of them. */
  lacked(steps: Steps): boolean {
    return this.#at(steps).includes(undefined);
  }

  wasNull(steps: Steps): boolean {
    return this.#at(steps).includes(null);
  }

  /** Whether a place had several types; null counts apart. */
  hadOtherType(steps: Steps): boolean {
    const values = this.#at(steps).filter((one) => one !== undefined && one !== null);
    return new Set(values.map((one) => getJsonType(one as Json))).size > 1;
  }

  /** Whether a list was empty, or missing, in one of them. */
  hadNoItems(steps: Steps): boolean {
    return this.#at(steps).some((one) => !Array.isArray(one) || one.length === 0);
  }

  /** Whether it is known of a list that its length stays; of one within a list, the others beside it show it, too. */
  keepsLength(steps: Steps, length: number): boolean {
    const lists = this.#at(steps);
    const isKnown = this.#earlier.length > 0 || (typeof steps.at(-1) === "number" && lists.length > 1);
    return isKnown && lists.every((one) => Array.isArray(one) && one.length === length);
  }

  /**
   * Whether a value probably differs in the next good response. In items of a list two must have the same; a number or
   * a boolean is taken as steady only once an earlier response had the same: stock is one as much as a price.
   */
  varies(steps: Steps, value: Json): boolean {
    const values = this.#at(steps);
    if (!values.every((one) => one !== undefined && equalJson(one, value))) return true;
    if (typeof value !== "string" && this.#earlier.length === 0) return true;
    const isInList = steps.some((step) => typeof step === "number");
    if (isInList && values.length < 2) return true;
    const name = steps.findLast((step) => typeof step === "string");
    return values.length < minSame && isVarying(value, name as string | undefined);
  }
}

/** The values at a place, an index meaning every item; undefined for each that is missing. */
function listAt(body: Json, steps: Steps): (Json | undefined)[] {
  const index = steps.findIndex((step) => typeof step === "number");
  if (index < 0) return [findAt(body, steps)];
  const list = findAt(body, steps.slice(0, index));
  if (!Array.isArray(list)) return [undefined];
  return list.slice(0, maxItems).flatMap((item) => listAt(item, steps.slice(index + 1)));
}
