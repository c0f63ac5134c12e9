import type { CodeAddress } from "#contracts/code/objects.ts";
import { isJsonObject, type Json, type JsonObject } from "#libraries/json/json.ts";
import { circleChildren, circleSingles, listNames, lists, nameKind } from "./code-object.ts";
import type { Pointer } from "./positions.ts";

/** An object within a file's value. */
export interface Part {
  address: CodeAddress;
  /** Without its key and the objects nested in it. */
  value: JsonObject;
  pointer: Pointer;
}

type Report = (pointer: Pointer, message: string) => void;

/** Objects of a file's value; what has no key, or is not known at the top, is reported. */
export function listParts(file: JsonObject, report: Report): Part[] {
  const known = ["$schema", "api", ...listNames];
  for (const name of Object.keys(file))
    if (!known.includes(name))
      report([name], `"${name}" is not known. A file has ${new Intl.ListFormat("en").format(known.slice(1))}.`);
  return listNames.flatMap((name) => {
    const parts = listItems(file[name], [name], lists[name], report);
    if (lists[name] === "test") return parts.flatMap((part) => toTest(part, file.api, report));
    if (lists[name] === "circle") return parts.flatMap((part) => splitCircle(part, report));
    return parts;
  });
}

function toTest(part: Part, api: Json | undefined, report: Report): Part[] {
  if (typeof api === "string") return [{ ...part, address: { ...part.address, parent: api } }];
  if (part.pointer[1] === 0) report(["tests"], 'The file has no "api", which is the key of the API of its tests.');
  return [];
}

function listItems(list: Json | undefined, pointer: Pointer, kind: CodeAddress["kind"], report: Report): Part[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) {
    report(pointer, `"${pointer.at(-1)}" is a list.`);
    return [];
  }
  return list.flatMap((item, index) => {
    const at = [...pointer, index];
    if (!isJsonObject(item)) {
      report(at, `This is no ${nameKind(kind)}: it has a key and fields.`);
      return [];
    }
    const { key, ...value } = item;
    if (typeof key === "string") return [{ address: { kind, key }, value, pointer: at }];
    const proposal = toKey(item.name);
    report(
      key === undefined ? at : [...at, "key"],
      `The ${nameKind(kind)} has no key, by which it is recognized when its name changes${proposal ? `. Add "key: ${proposal}"` : ""}.`,
    );
    return [];
  });
}

function splitCircle({ address, value: whole, pointer }: Part, report: Report): Part[] {
  const { schedules, serviceLevel, statusPage, ...value } = whole;
  const children = listItems(schedules, [...pointer, "schedules"], circleChildren.schedules, report);
  const singles = circleSingles.flatMap((kind): Part[] => {
    const single = { serviceLevel, statusPage }[kind];
    if (single === undefined || single === null) return [];
    if (isJsonObject(single))
      return [{ address: { kind, key: address.key }, value: single, pointer: [...pointer, kind] }];
    report([...pointer, kind], `"${kind}" has fields.`);
    return [];
  });
  const ofCircle = children.map((part) => ({ ...part, address: { ...part.address, parent: address.key } }));
  return [{ address, value, pointer }, ...ofCircle, ...singles];
}

/** A key that a name suggests: "lists-all-books". */
function toKey(name: Json | undefined): string | undefined {
  if (typeof name !== "string") return undefined;
  const words = name
    .normalize("NFKD")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join("-").slice(0, 60).replace(/-$/, "");
}
