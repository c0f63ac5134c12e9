import { isRecord } from "#libraries/json/json-value.ts";
import type { Diagnostics } from "../diagnostics.ts";
import { childPointer } from "../references/pointer.ts";

/** Written as an escape in JSON and YAML; the bytes of a document are UTF-8, which has none. */
const surrogateEscape = /\\u[dD][89a-fA-F]/;
const halfCharacter = /\p{Surrogate}/u;

const message =
  "There is half a character (a lone surrogate) in this text; lists show � for it. Write both halves, or remove it.";

export function reportHalfCharacters(text: string, root: unknown, file: string, diagnostics: Diagnostics): void {
  if (!surrogateEscape.test(text)) return;
  const report = (pointer: string) => diagnostics.add({ severity: "warning", message, at: { file, pointer } });
  const waiting = [{ value: root, pointer: "" }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, pointer } = next;
    if (typeof value === "string" && halfCharacter.test(value)) report(pointer);
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) waiting.push({ value: item, pointer: childPointer(pointer, index) });
    } else if (isRecord(value)) {
      for (const [key, member] of Object.entries(value)) {
        const own = childPointer(pointer, key);
        if (halfCharacter.test(key)) report(own);
        waiting.push({ value: member, pointer: own });
      }
    }
  }
}
