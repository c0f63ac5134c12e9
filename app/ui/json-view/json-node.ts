import { type Node, type ParseError, parseTree } from "jsonc-parser";

/** JSON as written: numbers keep their digits and repeated names are preserved, which `JSON.parse` loses. */
export type JsonNode =
  | { kind: "object"; members: readonly { key: string; node: JsonNode }[] }
  | { kind: "array"; items: readonly JsonNode[] }
  | { kind: "string" | "number" | "boolean" | "null"; text: string };

/** Deeper than any page can display, and shallow enough for recursion. */
const deepest = 200;

/** Parses strictly (RFC 8259). Undefined if it is not JSON, or nested deeper than 200. */
export function readJsonText(text: string): JsonNode | undefined {
  if (isTooDeep(text)) return undefined;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  return root && errors.length === 0 ? fromSyntax(root, text) : undefined;
}

/** Converts a parsed value. Undefined for values without a JSON form. */
export function readJsonValue(value: unknown): JsonNode | undefined {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? undefined : readJsonText(text);
}

function fromSyntax(node: Node, text: string): JsonNode {
  const children = node.children ?? [];
  switch (node.type) {
    case "object":
      return {
        kind: "object",
        members: children.map(({ children: [key, value] = [] }) => ({
          key: String(key!.value),
          node: fromSyntax(value!, text),
        })),
      };
    case "array":
      return { kind: "array", items: children.map((child) => fromSyntax(child, text)) };
    case "string":
      return { kind: "string", text: String(node.value) };
    case "number":
    case "boolean":
    case "null":
      return { kind: node.type, text: text.slice(node.offset, node.offset + node.length) };
    default:
      throw new Error(`Unexpected ${node.type} where a value is expected`);
  }
}

/** Counts brackets outside strings before any recursive code gets the text. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (inString) {
      if (character === "\\") index++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{" || character === "[") {
      if (++depth > deepest) return true;
    } else if (character === "}" || character === "]") depth--;
  }
  return false;
}
