import type { Clock } from "../clock/clock.ts";
import { generatedNames, placeholderPattern } from "../template/placeholders.ts";
import { createTemplateRenderer } from "./sending/template-renderer.ts";

const generated: ReadonlySet<string> = new Set(generatedNames);
const unique: ReadonlySet<string> = new Set(["$uuid", "$guid"]);

/** A variable's value that was generated for one run. */
export interface GeneratedValue {
  value: string;
  /** It contains a UUID: nothing that existed before the run has this value. */
  isUnique: boolean;
}

/**
 * Fills the generated placeholders of a variable, such as `Book {{$uuid}}`, so that all members of a run see one value.
 * Others stay as they are. Undefined for a text without any.
 */
export function generateOnce(text: string, clock: Clock): GeneratedValue | undefined {
  if (!text.includes("{{")) return undefined;
  const names = [...text.matchAll(placeholderPattern())].map(([, name]) => name!).filter((name) => generated.has(name));
  if (names.length === 0) return undefined;
  return {
    value: createTemplateRenderer(() => undefined, clock).render(text),
    isUnique: names.some((name) => unique.has(name)),
  };
}
