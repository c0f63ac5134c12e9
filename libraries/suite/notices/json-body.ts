import type { Json } from "../../json/json.ts";
import type { DocumentedPlace } from "./documented-place.ts";
import type { EarlierBodies } from "./earlier-bodies.ts";
import type { Recorded } from "./spoil-body.ts";

/** A value that a test sends in its request. */
export interface SentValue {
  text: string;
  /** As the test has it: the text, or a variable such as `{{bookId}}`. */
  target: string;
}

export interface JsonBody {
  recorded: Recorded;
  value: Json;
  documented: DocumentedPlace;
  earlier: EarlierBodies;
  sent: readonly SentValue[];
}
