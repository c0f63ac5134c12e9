import type { Exchange } from "./editor-props.ts";

/** Larger answers are shown once and not carried along: the page would hold them twice. */
export const mostCarriedCharacters = 200_000;

/** What a page without script sends along so that the response stays in sight while rows are added; empty when it would be too much. */
export function writeExchange(exchange: Exchange | undefined): string {
  const text = exchange ? JSON.stringify(exchange.attempt) : "";
  return text.length > mostCarriedCharacters ? "" : text;
}
