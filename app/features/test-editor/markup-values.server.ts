import type { ReceivedResponse } from "#contracts/test-executioner/attempts.ts";
import { parseXml } from "#libraries/xpath/document.ts";
import { elementType, type MarkupDocument, type MarkupNode } from "#libraries/xpath/markup.ts";
import type { MarkupValue } from "./markup-value.ts";

/** A larger document takes too long to read beside other requests. */
const maxCharacters = 300_000;
const maxValues = 250;
const maxChildren = 50;
const maxDepth = 40;

/** The values of an XML response with their XPaths; undefined for any other response, and for one that is cut off. */
export function readMarkupValues(response: ReceivedResponse | null): MarkupValue | undefined {
  if (!response?.body || response.truncated || response.body.length > maxCharacters) return undefined;
  const type = response.headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  // XHTML is judged as XML, too.
  if (!/^[^;]*[/+]xml\s*(;|$)/i.test(type)) return undefined;
  try {
    return toValues(parseXml(response.body));
  } catch {
    return undefined;
  }
}

interface Listed {
  value: MarkupValue;
  node: MarkupNode;
  path: string;
  depth: number;
}

/** Breadth first, so that the omitted values are deep ones and not those at the end. */
function toValues(document: MarkupDocument): MarkupValue | undefined {
  const element = document.root.documentElement;
  if (!element) return undefined;
  const first = list(element, `/${toStep(element, document)}`, 0);
  const waiting = [first];
  let count = 1;
  for (const { value, node, path, depth } of waiting) {
    const inner = [
      ...node.attributes.map((attribute) => list(attribute, `${path}/@${toStep(attribute, document)}`, depth + 1)),
      ...listElements(node, path, depth, document),
    ];
    const room = depth < maxDepth ? Math.min(maxChildren, maxValues - count) : 0;
    const listed = inner.slice(0, room);
    count += listed.length;
    value.children = listed.map((one) => one.value);
    value.omitted = inner.length - listed.length;
    waiting.push(...listed);
  }
  return first.value;
}

function list(node: MarkupNode, path: string, depth: number): Listed {
  const isElement = node.nodeType === elementType;
  const value = { name: isElement ? node.nodeName : `@${node.nodeName}`, ...toText(node, path) };
  return { value: { ...value, children: [], omitted: 0 }, node, path, depth };
}

/** Line breaks and indentation around a text say nothing: the XPath removes them. */
function toText(node: MarkupNode, path: string): Pick<MarkupValue, "xPath" | "text"> {
  if (node.childNodes.some(({ nodeType }) => nodeType === elementType)) return { xPath: path, text: null };
  const text = node.stringValue();
  // White space of XML only: others, such as a no-break space, stay.
  const short = text.replace(/[ \t\r\n]+/g, " ").replace(/^ | $/g, "");
  if (short === "") return { xPath: path, text: null };
  return text === short ? { xPath: path, text } : { xPath: `normalize-space(${path})`, text: short };
}

function listElements(parent: MarkupNode, path: string, depth: number, document: MarkupDocument): Listed[] {
  const elements = parent.childNodes.filter(({ nodeType }) => nodeType === elementType);
  const steps = elements.map((element) => toStep(element, document));
  const totals = new Map<string, number>();
  for (const [index, element] of elements.entries()) {
    for (const step of listMatching(element, steps[index]!)) totals.set(step, (totals.get(step) ?? 0) + 1);
  }
  const seen = new Map<string, number>();
  return elements.map((element, index) => {
    const step = steps[index]!;
    for (const matching of listMatching(element, step)) seen.set(matching, (seen.get(matching) ?? 0) + 1);
    const position = totals.get(step)! > 1 ? `[${seen.get(step)}]` : "";
    return list(element, `${path}/${step}${position}`, depth + 1);
  });
}

const byLocalName = ({ localName }: MarkupNode) => `*[local-name()='${localName}']`;

/** The steps that select an element, of which one by its local name also selects those of other namespaces. */
const listMatching = (element: MarkupNode, step: string) => new Set([step, byLocalName(element)]);

/** The name as an XPath can use it: prefixes are those of the root, and there is no default namespace. */
function toStep(node: MarkupNode, { namespaces }: MarkupDocument): string {
  const { nodeName, localName, namespaceURI } = node;
  if (namespaceURI === null) return localName;
  const prefix = nodeName.includes(":") ? nodeName.slice(0, nodeName.indexOf(":")) : undefined;
  return prefix !== undefined && namespaces[prefix] === namespaceURI ? nodeName : byLocalName(node);
}
