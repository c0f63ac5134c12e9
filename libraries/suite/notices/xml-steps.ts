import { elementType, type MarkupDocument, type MarkupNode } from "../../xpath/markup.ts";

/** An element, one of several elements of a name, or an attribute. */
export interface XmlStep {
  kind: "element" | "item" | "attribute";
  /** With its prefix. */
  nodeName: string;
  localName: string;
  namespaceURI: string | null;
}

/** A place in an XML body, from its root. */
export type XmlSteps = readonly XmlStep[];

/** Items of a list that are compared. */
const maxItems = 50;

export const toStep = ({ nodeName, localName, namespaceURI }: MarkupNode, kind: XmlStep["kind"]): XmlStep => ({
  ...{ kind, nodeName, localName, namespaceURI },
});

const isNamed = ({ localName, namespaceURI }: XmlStep) => {
  return (node: MarkupNode) => node.localName === localName && node.namespaceURI === namespaceURI;
};

export const listElements = (node: MarkupNode) => node.childNodes.filter(({ nodeType }) => nodeType === elementType);

/** The elements or the attribute of a step. */
export function listOwn(node: MarkupNode, step: XmlStep): MarkupNode[] {
  const nodes = step.kind === "attribute" ? [...node.attributes] : listElements(node);
  return nodes.filter(isNamed(step));
}

/** The nodes at a place, in every item of a list; undefined for each that is missing. */
export function nodesAt({ root }: MarkupDocument, steps: XmlSteps): (MarkupNode | undefined)[] {
  return steps.reduce<(MarkupNode | undefined)[]>(
    (nodes, step) =>
      nodes.flatMap((node): (MarkupNode | undefined)[] => {
        if (!node) return [undefined];
        const own = listOwn(node, step);
        return step.kind === "item" ? own.slice(0, maxItems) : [own[0]];
      }),
    [root],
  );
}

/** The index of the innermost item that a place is in; -1 for none. */
export const getItemIndex = (steps: XmlSteps) => steps.findLastIndex(({ kind }) => kind === "item");

/** XPath of the nodes at a place, by prefixes that the root declares. */
export function toXPath(steps: XmlSteps, document: MarkupDocument): string {
  return `/${toRelativeXPath(steps, document)}`;
}

export function toRelativeXPath(steps: XmlSteps, { namespaces }: MarkupDocument): string {
  return steps.map((step) => (step.kind === "attribute" ? `@${nameTest(step)}` : nameTest(step))).join("/");

  function nameTest({ localName, namespaceURI }: XmlStep): string {
    if (namespaceURI === null) return localName;
    const [prefix] = Object.entries(namespaces).find(([, uri]) => uri === namespaceURI) ?? [];
    return prefix === undefined ? `*[local-name()='${localName}']` : `${prefix}:${localName}`;
  }
}

/** A text in an XPath; undefined for one that XPath 1.0 can't quote. */
export function toLiteral(text: string): string | undefined {
  if (!text.includes("'")) return `'${text}'`;
  return text.includes('"') ? undefined : `"${text}"`;
}
