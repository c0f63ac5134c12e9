import type { MarkupNode } from "../../xpath/markup.ts";
import { listElements, listOwn, toStep, type XmlStep, type XmlSteps } from "./xml-steps.ts";

const maxDepth = 6;
const maxMembers = 60;
const maxPlaces = 300;

export interface XmlPlace {
  steps: XmlSteps;
  /** The first one of it. */
  node: MarkupNode;
  /** Of the element around it. */
  parent: MarkupNode;
}

/**
 * The places of an XML body, outermost first; of several elements of a name the first.
 * @param isList whether an element is one of a list though it came once
 */
export function listXmlPlaces(root: MarkupNode, isList: (parent: XmlSteps, step: XmlStep) => boolean): XmlPlace[] {
  const { documentElement } = root;
  if (!documentElement) return [];
  const places: XmlPlace[] = [];
  const waiting: XmlPlace[] = [{ steps: [toStep(documentElement, "element")], node: documentElement, parent: root }];
  for (let place = waiting.shift(); place && places.length < maxPlaces; place = waiting.shift()) {
    places.push(place);
    if (place.node.nodeType === documentElement.nodeType && place.steps.length < maxDepth) {
      waiting.push(...listIn(place, isList));
    }
  }
  return places;
}

function listIn({ steps, node }: XmlPlace, isList: (parent: XmlSteps, step: XmlStep) => boolean): XmlPlace[] {
  const places: XmlPlace[] = [...node.attributes]
    .slice(0, maxMembers)
    .map((attribute) => ({ steps: [...steps, toStep(attribute, "attribute")], node: attribute, parent: node }));
  const names = new Map<string, MarkupNode>();
  for (const child of listElements(node)) {
    const key = `${child.namespaceURI} ${child.localName}`;
    if (!names.has(key) && names.size < maxMembers) names.set(key, child);
  }
  for (const child of names.values()) {
    const step = toStep(child, "element");
    const isItem = listOwn(node, step).length > 1 || isList(steps, step);
    places.push({ steps: [...steps, { ...step, kind: isItem ? "item" : "element" }], node: child, parent: node });
  }
  return places;
}
