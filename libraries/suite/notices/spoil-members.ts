import type { ChangeKind } from "#contracts/test-executioner/notices.ts";
import type { Assertion } from "#contracts/test-registry/assertions.ts";
import { equalJson } from "../../json/compare-json.ts";
import { getJsonType, type Json } from "../../json/json.ts";
import { hasExactNumber, writeJson } from "../../json/write-json.ts";
import { type Proposal, propose, rankOf, type SpoiledResponse, type Steps } from "./change.ts";
import type { JsonBody } from "./json-body.ts";
import { findAt, replaceAt, toPointer } from "./json-steps.ts";
import { listShapes } from "./list-shape.ts";
import {
  assertAt,
  proposeDocumented,
  proposeForm,
  proposeItems,
  proposeSent,
  proposeType,
  proposeValue,
  typeName,
} from "./member-proposals.ts";
import { findOtherType, findOtherValue, nameType } from "./other-value.ts";
import { inList, nameMember, nameOther } from "./phrases.ts";
import { countLists, getDepth, getList, isInItem, listPlaces } from "./places.ts";
import { withBody } from "./spoil-body.ts";
import { findForm } from "./value-form.ts";

/** A JSON body with one place changed, in every way for every place: the outermost first. */
export function spoilMembers(body: JsonBody): SpoiledResponse[] {
  const places = listPlaces(body.value);
  // Several times as fast, for nearly all bodies.
  const write = hasExactNumber(body.value) ? writeJson : JSON.stringify;
  const shapes = listShapes(body, places);
  return places.flatMap((steps) => spoilPlace({ ...body, write }, steps, shapes.get(toPointer(getList(steps)))));
}

function spoilPlace(
  body: JsonBody & { write(value: Json): string },
  steps: Steps,
  shape: Assertion | undefined,
): SpoiledResponse[] {
  const { recorded, earlier } = body;
  const value = findAt(body.value, steps)!;
  const documented = body.documented.at(steps);
  const member = steps.at(-1);
  const { name, where } = nameMember(steps);
  const isItem = typeof member === "number";
  const isInList = isInItem(steps);
  const changes: SpoiledResponse[] = [];
  const byDocument = proposeDocumented(body.documented.isDescribed);
  const ofItems = isInList && shape ? propose(shape) : [];
  const isOfItems = isItem || countLists(steps) > 1;
  const items = isOfItems ? proposeItems(steps, { type: typeName(value, documented.isInteger) }) : [];
  const type = [...byDocument, ...ofItems, ...items, ...proposeType(steps, value, documented.isInteger)];

  function add(kind: ChangeKind, phrase: string, to: Json | undefined, proposals: Proposal[], varies = false): void {
    const depth = Math.max(0, getDepth(steps) - (isItem ? 0 : 1));
    const pointer = toPointer(steps);
    changes.push({
      ...{ kind, pointer, phrase, varies, proposals },
      key: `${kind}:${pointer}`,
      rank: rankOf(kind, depth),
      spoil: () => withBody(recorded, body.write(replaceAt(body.value, steps, to))),
    });
  }

  if (typeof member === "string" && earlier.lacked(steps)) return [];
  if (typeof member === "string") {
    const parent = body.documented.at(steps.slice(0, -1));
    if (!parent.isOptional(member)) add("missing", `${name} missing${where}`, undefined, type);
    if (value !== null && !documented.mayBeNull && !earlier.wasNull(steps)) {
      add("null", `null for ${name}${where}`, null, type);
    }
  }
  const otherType = findOtherType(value);
  if (otherType !== undefined && !documented.allowsType(getJsonType(otherType)) && !earlier.hadOtherType(steps)) {
    const place = name === "" ? `in place of ${nameType(value)}${where}` : `for ${name}${where}`;
    add("type", `${nameType(otherType)} ${place}`, otherType, type);
  }
  // The items of a list differ.
  if (!isItem) addValue();
  if (Array.isArray(value)) addList(value);
  return changes;

  function addValue(): void {
    const other = findOtherValue(value, documented.enumeration);
    if (other === undefined) return;
    const sent = body.sent.find(({ text }) => typeof value !== "boolean" && text === String(value));
    const isSent = sent !== undefined && !isInList;
    const proposals = isSent ? proposeSent(steps, value, sent.target) : proposeValue(steps, value);
    add("value", nameOther({ name, where }), other, proposals, !isSent && earlier.varies(steps, value));
    const form = findForm(value);
    if (form)
      add("form", `${name} that is not ${form.name}${where}`, "no such form", [
        ...byDocument,
        ...proposeForm(steps, form),
      ]);
  }

  function addList(items: Json[]): void {
    const [first] = items;
    if (first === undefined) return;
    if (!earlier.hadNoItems(steps)) {
      const filled = proposeItems(steps, { type: "array", minItems: 1 });
      add("emptyList", `an empty list${inList(steps)}`, [], [...filled, ...propose(assertAt(steps, "isNotEmpty"))]);
    }
    if (!isInList && items.length <= maxCompared && isUnique(items)) {
      const unique = assertAt(steps, "matchesSchema", { type: "array", uniqueItems: true });
      add("itemTwice", `the same item twice${inList(steps)}`, [...items, first], propose(unique));
    }
    if (items.length > 1 && earlier.keepsLength(steps, items.length)) {
      const ofEach = proposeItems(steps, { type: "array", minItems: items.length, maxItems: items.length });
      const length = propose(assertAt(steps, "lengthEquals", items.length));
      add("shorterList", `an item less${inList(steps)}`, items.slice(0, -1), [...ofEach, ...length]);
    }
  }
}

/** Comparing each two of them takes some milliseconds. */
const maxCompared = 100;

function isUnique(items: readonly Json[]): boolean {
  return items.every((one, index) => !items.slice(index + 1).some((other) => equalJson(one, other)));
}
