import { type Node, type ParseError, parseTree } from "jsonc-parser";

/** JSON as it was written: numbers keep their digits and repeated names stay, which `JSON.parse` loses. */
export type JsonNode =
  | { kind: "object"; members: readonly { key: string; node: JsonNode }[] }
  | { kind: "array"; items: readonly JsonNode[] }
  | { kind: "string" | "number" | "boolean" | "null"; text: string };

/** Deeper than any page can show, and shallow enough that reading it needs no care for the stack. */
const deepest = 200;

/** Reads a text strictly (RFC 8259). Undefined when it is not JSON, or nested deeper than 200. */
export function readJsonText(text: string): JsonNode | undefined {
  if (isTooDeep(text)) return undefined;
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  return root && errors.length === 0 ? fromSyntax(root, text) : undefined;
}

/** Reads a value that is already parsed. Undefined for what JSON can't say. */
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
      throw new Error(`A JSON text has no ${node.type} where a value stands`);
  }
}

/** Counts brackets outside strings before anything recursive sees the text. */
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
