import type { ChangeKind } from "#contracts/test-executioner/notices.ts";
import { type NodeEdit, writeTree } from "../../openapi/xml/write-tree.ts";
import { attributeType, type MarkupDocument, type MarkupNode } from "../../xpath/markup.ts";
import { type Proposal, rankOf, type SpoiledResponse } from "./change.ts";
import type { DocumentedElement } from "./documented-element.ts";
import { EarlierXml, isNumberText } from "./earlier-xml.ts";
import type { SentValue } from "./json-body.ts";
import { proposeDocumented } from "./member-proposals.ts";
import { findOtherValue } from "./other-value.ts";
import { nameOther } from "./phrases.ts";
import { type Recorded, withBody } from "./spoil-body.ts";
import { findForm } from "./value-form.ts";
import { listXmlPlaces, type XmlPlace } from "./xml-places.ts";
import { XmlProposals } from "./xml-proposals.ts";
import { getItemIndex, listElements, listOwn, toRelativeXPath, toXPath, type XmlSteps } from "./xml-steps.ts";

export interface XmlBody {
  recorded: Recorded;
  document: MarkupDocument;
  /** Of the root element; undefined where the document does not describe the body. */
  documented: DocumentedElement | undefined;
  /** Of earlier good responses. */
  earlier: readonly MarkupDocument[];
  sent: readonly SentValue[];
}

/** Comparing each two of them takes some milliseconds. */
const maxCompared = 100;

/** An XML body with one element or attribute changed, in every way for every place: the outermost first. */
export function spoilXml(body: XmlBody): SpoiledResponse[] {
  const earlier = new EarlierXml(body.document, body.earlier);
  const describe = (steps: XmlSteps) =>
    steps.slice(1).reduce<DocumentedElement | undefined>((place, step) => place?.find(step), body.documented);
  const places = listXmlPlaces(
    body.document.root,
    (parent, step) => earlier.hadSeveral(parent, step) || describe(parent)?.find(step).isItem === true,
  );
  return places.flatMap((place) => spoilPlace(body, place, earlier, describe(place.steps)));
}

function spoilPlace(
  body: XmlBody,
  { steps, node, parent }: XmlPlace,
  earlier: EarlierXml,
  documented: DocumentedElement | undefined,
): SpoiledResponse[] {
  const changes: SpoiledResponse[] = [];
  const assert = new XmlProposals(steps, body.document);
  const byDocument = proposeDocumented(body.documented !== undefined);
  const name = toRelativeXPath(steps.slice(Math.max(1, getItemIndex(steps) + 1)), body.document);
  const where = nameList(steps.slice(1, getItemIndex(steps) + 1), body.document);
  const step = steps.at(-1)!;
  const xPath = toXPath(steps, body.document);

  function add(
    kind: ChangeKind,
    phrase: string,
    edits: [MarkupNode, NodeEdit][],
    proposals: Proposal[],
    varies = false,
  ) {
    changes.push({
      ...{ kind, xPath, phrase, varies, proposals },
      key: `${kind}:${xPath}`,
      rank: rankOf(kind, Math.max(0, steps.length - 2)),
      spoil: () => withBody(body.recorded, writeTree(body.document, new Map(edits))),
    });
  }

  if (step.kind === "item") addList();
  else if (earlier.lacked(steps)) return [];
  else if (steps.length > 1 && !documented?.isOptional) {
    add("missing", `${name} missing${where}`, [[node, "removed"]], [...byDocument, ...assert.exists()]);
  }
  if (node.nodeType === attributeType || listElements(node).length === 0) addText(node.stringValue());
  return changes;

  function addText(text: string): void {
    if (text.trim() === "") return;
    const subject = name === "" ? "the text" : name;
    const set = (to: string): [MarkupNode, NodeEdit][] => [[node, { text: to }]];
    if (!documented?.mayBeEmpty && !earlier.wasEmpty(steps)) {
      add("null", `${subject} without text${where}`, set(""), [...byDocument, ...assert.hasText()]);
    }
    if (isNumberText(text) && !documented?.isText && earlier.wasNumber(steps)) {
      add("type", `a text for ${subject}${where}`, set("a text"), [...byDocument, ...assert.isNumber()]);
    }
    const other = otherText(text, documented);
    const sent = body.sent.find((one) => one.text === text && getItemIndex(steps) < 0);
    const proposals = sent ? assert.isSent(text, sent.target) : assert.hasValue(text);
    const phrase = name === "" ? `another value${where}` : nameOther({ name, where });
    add("value", phrase, set(other), proposals, !sent && earlier.varies(steps, text));
    const form = findForm(text);
    if (!form) return;
    const expected = [...byDocument, ...assert.hasForm(form.pattern)];
    add("form", `${subject} that is not ${form.name}${where}`, set("no such form"), expected);
  }

  function addList(): void {
    const around = steps.slice(0, -1);
    const items = listOwn(parent, step);
    const list = nameList(steps.slice(1), body.document, "");
    if (!earlier.hadNone(around, step)) {
      const all = items.map((item): [MarkupNode, NodeEdit] => [item, "removed"]);
      add("emptyList", `none of the elements ${list}`, all, assert.hasItems());
    }
    const isSteady = earlier.keepsCount(around, step, items.length);
    const count = isSteady && getItemIndex(around) < 0 ? assert.hasCount(items.length) : [];
    if (items.length <= maxCompared && isUnique(items, body.document)) {
      const unique = assert.isUnique(toRelativeXPath([step], body.document));
      add("itemTwice", `the same element ${list} twice`, [[node, "twice"]], [...unique, ...count]);
    }
    if (items.length > 1 && isSteady) {
      add("shorterList", `an element ${list} less`, [[items.at(-1)!, "removed"]], count);
    }
  }
}

function nameList(steps: XmlSteps, document: MarkupDocument, before = " in an element "): string {
  return steps.length === 0 ? "" : `${before}${toRelativeXPath(steps, document)}`;
}

function otherText(text: string, documented: DocumentedElement | undefined): string {
  const listed = (documented?.enumeration ?? []).map(String);
  if (listed.length === 0 && isNumberText(text) && !documented?.isText) return String(findOtherValue(Number(text)));
  if (/^(true|false)$/.test(text)) return text === "true" ? "false" : "true";
  return String(findOtherValue(text, listed));
}

function isUnique(items: readonly MarkupNode[], document: MarkupDocument): boolean {
  const written = items.map((item) => writeTree({ ...document, root: { documentElement: item } as MarkupNode }));
  return new Set(written).size === items.length;
}
