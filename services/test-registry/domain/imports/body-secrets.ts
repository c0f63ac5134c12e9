import { type Node, parseTree } from "jsonc-parser";
import type { CollectedBody } from "#libraries/collections/collection.ts";
import { isSecretName } from "#libraries/redaction/secret-signs.ts";

/** Gives the name of the secret variable that holds a value. */
export type NameSecret = (name: string, value: string) => string;

/** A body with variables in the place of secrets, such as a password in a form. */
export function hideInBody(body: CollectedBody, nameSecret: NameSecret): CollectedBody {
  switch (body.kind) {
    case "form":
      return { ...body, fields: body.fields.map((field) => hideRow(field, nameSecret)) };
    case "multipart":
      return { ...body, parts: body.parts.map((part) => hideRow(part, nameSecret)) };
    case "json":
      return { ...body, text: hideInJson(body.text, nameSecret) };
    default:
      return body;
  }
}

const isWritten = (value: string) => value !== "" && !value.includes("{{");

function hideRow<Row extends { name: string; value: string }>(row: Row, nameSecret: NameSecret): Row {
  if (!isWritten(row.value) || !isSecretName(row.name)) return row;
  return { ...row, value: `{{${nameSecret(row.name, row.value)}}}` };
}

function hideInJson(text: string, nameSecret: NameSecret): string {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (!root) return text;
  const found: { node: Node; name: string }[] = [];
  const open: Node[] = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    const [key, value] = node.type === "property" ? (node.children ?? []) : [];
    const isSecret = value?.type === "string" && isSecretName(String(key?.value)) && isWritten(String(value.value));
    if (value && isSecret) found.push({ node: value, name: String(key?.value) });
    open.push(...(node.children ?? []));
  }
  let hidden = text;
  for (const { node, name } of found.sort((one, other) => other.node.offset - one.node.offset)) {
    const placeholder = `"{{${nameSecret(name, String(node.value))}}}"`;
    hidden = hidden.slice(0, node.offset) + placeholder + hidden.slice(node.offset + node.length);
  }
  return hidden;
}
