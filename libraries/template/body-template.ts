import type { TemplateMediaType } from "#contracts/test-analyzer/template-values.ts";
import { placeholderPattern } from "./placeholders.ts";

export type TemplateValue = string | number | null;

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 can't hold them, even escaped
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

const toWellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, "\ufffd");

const encodings: Record<Exclude<TemplateMediaType, "application/json">, (text: string) => string> = {
  "text/plain": (text) => text,
  "application/x-www-form-urlencoded": (text) => encodeURIComponent(toWellFormed(text)).replaceAll("%20", "+"),
  "application/xml": (text) =>
    toWellFormed(text)
      .replace(notInXml, "")
      .replace(/[&<>"']/g, (sign) => entities[sign]!),
};

/** Whether a position of a JSON text is within a string, by all characters before it. */
function createStringTracker(template: string) {
  let at = 0;
  let inString = false;
  return (position: number): boolean => {
    for (; at < position; at += 1) {
      const sign = template[at];
      if (sign === '"') inString = !inString;
      else if (sign === "\\" && inString) at += 1;
    }
    return inString;
  };
}

/**
 * Replaces each `{{name}}` by its value, encoded so that no value can change the structure of the body. In JSON a value
 * within quotes continues the string; elsewhere it is a whole JSON value.
 * @param values null is nothing within text, and `null` as a JSON value
 */
export function writeTemplate(
  { body, mediaType }: { body: string; mediaType: TemplateMediaType },
  values: Readonly<Record<string, TemplateValue>>,
): string {
  const isInString = createStringTracker(body);
  return body.replace(placeholderPattern(), (_, name: string, position: number) => {
    const value = values[name] ?? null;
    if (mediaType !== "application/json") return encodings[mediaType](String(value ?? ""));
    return isInString(position) ? JSON.stringify(String(value ?? "")).slice(1, -1) : JSON.stringify(value);
  });
}

/** What is wrong with a template, as a sentence; undefined when it can be sent. */
export function checkTemplate(
  template: { body: string; mediaType: TemplateMediaType },
  names: readonly string[],
): string | undefined {
  const unknown = [...template.body.matchAll(placeholderPattern())].find(([, name]) => !names.includes(name!));
  if (unknown) return `There is no value named ${unknown[1]}`;
  const unread = template.body.replace(placeholderPattern(), "").includes("{{");
  if (unread && template.mediaType !== "application/json") return "After {{ comes the name of a value, then }}";
  if (template.mediaType !== "application/json") return undefined;
  try {
    JSON.parse(writeTemplate(template, {}));
    return undefined;
  } catch (error) {
    return `With values it is not JSON: ${(error as Error).message.split(", ...")[0]}`;
  }
}
