import type { CollectedCapture } from "../../collection.ts";
import { type ScriptReader, type Unsaid, writePattern, writeSubject } from "./condition.ts";

/** JavaScript of a captured value, which may be undefined; or why there is none. */
export function writeCapture(capture: CollectedCapture, reader: ScriptReader): { code: string } | Unsaid {
  const { source, property } = capture;
  const subject = writeSubject({ source, property: source === "body" ? undefined : property }, reader);
  if ("reason" in subject) return subject;
  const patternText = source === "body" ? property : capture.pattern;
  if (!patternText) return { code: subject.isList ? `only(${subject.code})` : subject.code };
  const pattern = writePattern(patternText);
  if (!pattern) return { reason: "JavaScript has no regular expression like this one." };
  const hasGroup = new RegExp(`${patternText.replace(/^\(\?[ims]+\)/, "")}|`).exec("")!.length > 1;
  return { code: `${pattern}.exec(${subject.code} ?? "")?.[${hasGroup ? 1 : 0}]` };
}
