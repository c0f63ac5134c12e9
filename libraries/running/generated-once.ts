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
  if (!listNames(text).some((name) => generated.has(name))) return undefined;
  return { value: createTemplateRenderer(() => undefined, clock).render(text), isUnique: generatesUuid(text) };
}

/** Whether a text has a placeholder for a UUID: filled in, it is unlike anything that existed before. */
export function generatesUuid(text: string): boolean {
  return listNames(text).some((name) => unique.has(name));
}

function listNames(text: string): string[] {
  return [...text.matchAll(placeholderPattern())].map(([, name]) => name!);
}
