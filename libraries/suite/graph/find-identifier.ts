import type { Evidence } from "#contracts/api-registry/resources.ts";
import { identifierWords, isSameThing, isShared, splitName, toPlain, toWords } from "../names.ts";
import type { FoundResource } from "./find-resources.ts";
import { anyItem, type Member } from "./members.ts";

/** A member of a response that identifies a resource. */
export interface Identifier {
  member: Member;
  evidence: Evidence;
}

type Rating = [score: number, evidence: Evidence];

/** What a path calls a token, its response may call a secret. */
const proofs = new Set(["token", "secret", "apitoken", "accesstoken"]);

/**
 * The member with the identifier of a resource: described by the component of the path's parameter, of the parameter's
 * name, or the identifier of the main object.
 * @param isList whether the items of a list are wanted, rather than one object
 */
export function findIdentifier(
  members: readonly Member[],
  resource: FoundResource,
  isList: boolean,
): Identifier | undefined {
  let best: { rating: Rating; member: Member } | undefined;
  for (const member of members) {
    const rating = rate(member, resource);
    if (!rating) continue;
    rating[0] -= member.steps.length * 3 + (member.steps.includes(anyItem) === isList ? 0 : 30);
    if (!best || rating[0] > best.rating[0]) best = { rating, member };
  }
  return best && best.rating[0] > 20 ? { member: best.member, evidence: best.rating[1] } : undefined;
}

function rate({ steps, reference, owner }: Member, resource: FoundResource): Rating | undefined {
  const names = steps.filter((step) => step !== anyItem);
  const last = names.at(-1);
  // A list of bare identifiers.
  if (last === undefined) return steps.length === 1 ? [60, { kind: "path" }] : undefined;
  const plain = toPlain(last);
  const { parameter, thing, component } = resource;
  if (component !== undefined && reference === component) return [110, { kind: "schema", component }];
  const wanted = toPlain(parameter);
  const isGeneric = isShared(parameter);
  const named: Evidence = { kind: "name", name: last };
  // Within another object it is the identifier of another one: `source.runId` of a run that repeats one.
  const isOwn = isMain(steps, owner, thing);
  if (!isGeneric && plain === wanted) return [isOwn ? 100 : 72, named];
  if (isOwn && proofs.has(wanted) && proofs.has(plain)) return [95, named];
  const above = names.at(-2);
  const identifier = isGeneric ? toPlain(parameter) : resource.identifier;
  if (above !== undefined && isSameThing(toPlain(above), thing)) {
    const rank = rankIdentifier(last, identifier);
    if (rank !== undefined) return [85 - rank, { kind: "name", name: `${above}.${last}` }];
  }
  const { thing: own, identifier: ownIdentifier } = splitName(last);
  // `tokenName` of an API token
  const isOfThing = isSameThing(own, thing) || isSameThing(own, resource.name.split(" ").at(-1) ?? "");
  if (own !== "" && isOfThing && ownIdentifier !== "") {
    return [isOwn && (ownIdentifier === identifier || identifier === "") ? 90 : 60, named];
  }
  if (!isOwn) return undefined;
  const rank = rankIdentifier(last, identifier);
  return rank === undefined ? undefined : [78 - rank, named];
}

/** 0 for the parameter's own identifier; undefined where the member is none. */
function rankIdentifier(name: string, identifier: string): number | undefined {
  const words = toWords(name);
  if (words.length !== 1) return undefined;
  if (words[0] === identifier) return 0;
  const at = (identifierWords as readonly string[]).indexOf(words[0]!);
  // A parameter that wants an id is not given a name.
  if (at < 0 || (identifier !== "" && at > 3)) return undefined;
  return 5 + at * 3;
}

/** Whether a member belongs to the response's main object: at its top, in one wrapper, or in an item of its list. */
function isMain(steps: readonly string[], owner: string | undefined, thing: string): boolean {
  const afterList = steps.slice(steps.lastIndexOf(anyItem) + 1);
  const lists = steps.filter((step) => step === anyItem).length;
  if (lists > 1 || afterList.length > 2) return false;
  if (afterList.length === 1) return true;
  if (lists > 0) return false;
  const component = toPlain(owner?.split("/").at(-1) ?? "");
  return ["data", "result", "response", "item", "payload", "attributes"].includes(toPlain(afterList[0]!))
    ? true
    : isSameThing(toPlain(afterList[0]!), thing) || (thing !== "" && component === thing);
}
