import { isRecord } from "#libraries/json/json-value.ts";
import type { Diagnostics } from "../diagnostics.ts";
import { childPointer } from "../references/pointer.ts";

/** Written as an escape in JSON and YAML; the bytes of a document are UTF-8, which has none. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;
const loneSurrogate = /\p{Surrogate}/u;

const message =
  "This text contains an incomplete character (a lone surrogate), shown as � in lists. Complete or remove it.";

export function reportLoneSurrogates(text: string, root: unknown, file: string, diagnostics: Diagnostics): void {
  if (!surrogateEscape.test(text)) return;
  const report = (pointer: string) => diagnostics.add({ severity: "warning", message, at: { file, pointer } });
  const waiting = [{ value: root, pointer: "" }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, pointer } = next;
    if (typeof value === "string" && loneSurrogate.test(value)) report(pointer);
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) waiting.push({ value: item, pointer: childPointer(pointer, index) });
    } else if (isRecord(value)) {
      for (const [key, member] of Object.entries(value)) {
        const own = childPointer(pointer, key);
        if (loneSurrogate.test(key)) report(own);
        waiting.push({ value: member, pointer: own });
      }
    }
  }
}
