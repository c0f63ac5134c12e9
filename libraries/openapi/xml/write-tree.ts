import { elementType, type MarkupDocument, type MarkupNode, textType } from "../../xpath/markup.ts";
import { escapeXml } from "./write-xml.ts";

/** What becomes of a node that is written differently: an element or attribute, or the text of either. */
export type NodeEdit = "removed" | "twice" | { text: string };

type Scope = Readonly<Record<string, string>>;

/**
 * A document as XML, with the edits. Namespaces are declared where a name needs them; comments and processing instructions, which
 * the document does not have, are lost.
 */
export function writeTree(
  { root, namespaces }: MarkupDocument,
  edits: ReadonlyMap<MarkupNode, NodeEdit> = new Map(),
): string {
  const { xml = "", ...declared } = namespaces;
  return root.documentElement ? writeElement(root.documentElement, { xml }, edits, declared) : "";
}

function writeElement(
  element: MarkupNode,
  outer: Scope,
  edits: ReadonlyMap<MarkupNode, NodeEdit>,
  declared: Scope = {},
): string {
  const edit = edits.get(element);
  if (edit === "removed") return "";
  const scope: Record<string, string> = { ...outer, ...declared };
  const parts = Object.entries(declared).map(([prefix, uri]) => writeAttribute(`xmlns:${prefix}`, uri));
  const declare = ({ nodeName, namespaceURI }: MarkupNode) => {
    const prefix = nodeName.includes(":") ? nodeName.slice(0, nodeName.indexOf(":")) : "";
    const uri = namespaceURI ?? "";
    if ((scope[prefix] ?? "") === uri) return;
    scope[prefix] = uri;
    parts.push(writeAttribute(prefix === "" ? "xmlns" : `xmlns:${prefix}`, uri));
  };
  declare(element);
  for (const attribute of element.attributes) {
    const change = edits.get(attribute);
    if (change === "removed") continue;
    // An attribute without a prefix has no namespace.
    if (attribute.nodeName.includes(":")) declare(attribute);
    parts.push(
      writeAttribute(attribute.nodeName, typeof change === "object" ? change.text : (attribute.nodeValue ?? "")),
    );
  }
  const content =
    typeof edit === "object"
      ? writeText(edit.text)
      : element.childNodes.map((child) => writeNode(child, scope, edits)).join("");
  const tag = `<${element.nodeName}${parts.join("")}`;
  const text = content === "" ? `${tag}/>` : `${tag}>${content}</${element.nodeName}>`;
  return edit === "twice" ? text + text : text;
}

function writeNode(node: MarkupNode, scope: Scope, edits: ReadonlyMap<MarkupNode, NodeEdit>): string {
  if (node.nodeType === elementType) return writeElement(node, scope, edits);
  return node.nodeType === textType ? writeText(node.nodeValue ?? "") : "";
}

const writeText = (text: string) => escapeXml(text).replaceAll("\r", "&#13;");

function writeAttribute(name: string, value: string): string {
  const escaped = writeText(value).replaceAll('"', "&quot;").replaceAll("\n", "&#10;").replaceAll("\t", "&#9;");
  return ` ${name}="${escaped}"`;
}
