import type { Assertion } from "#contracts/test-registry/assertions.ts";
import type { Json } from "../../json/json.ts";
import { setMember } from "../../json/json-value.ts";
import type { Steps } from "./change.ts";
import type { JsonBody } from "./json-body.ts";
import { findAt, toPointer } from "./json-steps.ts";
import { assertAt, typeName } from "./member-proposals.ts";
import { countLists, getList } from "./places.ts";

interface ObjectSchema {
  type: "object";
  required: string[];
  properties: { [name: string]: object };
}

/** A member that every item of a list has, and of which type. */
interface ItemMember {
  steps: Steps;
  type: string;
  isOptional: boolean;
}

type Body = Pick<JsonBody, "value" | "documented" | "earlier">;

/** By the list's pointer: what its items have in common. */
export function listShapes({ value, documented, earlier }: Body, places: readonly Steps[]): Map<string, Assertion> {
  // Of a list within an item only its type: what its items are is expected by themselves.
  const ofItems = places.filter((steps) => countLists(steps) === 1 && typeof steps.at(-1) === "string");
  const common = ofItems.filter((steps) => !earlier.lacked(steps) && !earlier.hadOtherType(steps));
  const members = common.filter((steps) => !earlier.wasNull(steps));
  const lists = new Map(members.map((steps) => [toPointer(getList(steps)), getList(steps)]));
  return new Map(
    [...lists].map(([pointer, list]) => {
      const own = members.filter((steps) => toPointer(getList(steps)) === pointer);
      const described = own.map((steps) => ({
        steps,
        type: typeName(findAt(value, steps)!, documented.at(steps).isInteger),
        isOptional: documented.at(steps.slice(0, -1)).isOptional(steps.at(-1) as string),
      }));
      return [pointer, assertShape(list, described)];
    }),
  );
}

/** That each item of a list has these members, in their types: one assertion for the list. */
function assertShape(list: Steps, members: readonly ItemMember[]): Assertion {
  const items: ObjectSchema = { type: "object", required: [], properties: {} };
  const schemas = new Map<string, ObjectSchema>([["[]", items]]);
  for (const { steps, type, isOptional } of members) {
    const inside = steps.slice(list.length + 1) as string[];
    const parent = schemas.get(JSON.stringify(inside.slice(0, -1)));
    const name = inside.at(-1);
    if (!parent || name === undefined) continue;
    const schema = type === "object" ? { type, required: [], properties: {} } : { type };
    setMember(parent.properties, name, schema);
    if (!isOptional) parent.required.push(name);
    if (type === "object") schemas.set(JSON.stringify(inside), schema as ObjectSchema);
  }
  return assertAt(list, "matchesSchema", { type: "array", items } as unknown as Json);
}
