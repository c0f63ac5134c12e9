import { isSameThing, isShared, splitName, toSingular, toVariable, toWords } from "../names.ts";
import type { OperationFacts } from "./operation-facts.ts";

/** The operations of one path, whatever its parameters are called. */
export type Paths = ReadonlyMap<string, OperationFacts[]>;

/** A resource as paths name it, before anything is joined. */
export interface FoundResource {
  key: string;
  collectionKey: string;
  collection: string;
  item: string;
  parameter: string;
  /** In lower case, without spaces. */
  thing: string;
  name: string;
  identifier: string;
  parent: string | undefined;
  /** Whether the parameter identifies what the path names, as in `/books/{bookId}`, but not in `/pins/{messageId}`. */
  isOwn: boolean;
  atItem: readonly OperationFacts[];
  atCollection: readonly OperationFacts[];
  /** The component of the parameter, such as `BookId`, where no other thing has it. */
  component: string | undefined;
  /** Whether the parameter is a text without a form of its own, such as a name. */
  isPlainText: boolean;
}

/** A segment that is one parameter, perhaps with an extension or a prefix: `{id}`, `{id}.json`, `@{name}`. */
const parameterSegment = /^[^{}]*\{([^{}]+)\}[^{}]*$/;

export const parameterOf = (segment: string) => parameterSegment.exec(segment)?.[1];

const toUnnamed = (segment: string) => segment.replace(/\{[^{}]*\}/g, "{}");

/** `/shops/{}/books/{}` for `/shops/{shopId}/books/{bookId}/`. */
export const toKey = (segments: readonly string[]) => `/${segments.map(toUnnamed).join("/")}`;

export function groupByPath(operations: readonly OperationFacts[]): Map<string, OperationFacts[]> {
  const paths = new Map<string, OperationFacts[]>();
  for (const operation of operations) {
    const key = toKey(operation.segments);
    const group = paths.get(key);
    if (group) group.push(operation);
    else paths.set(key, [operation]);
  }
  return paths;
}

/** Every parameter that ends a part of a path names a resource. In document order, outer ones first. */
export function findResources(operations: readonly OperationFacts[], paths: Paths): Map<string, FoundResource> {
  const found = new Map<string, FoundResource>();
  for (const operation of operations) {
    let parent: string | undefined;
    for (const [at, segment] of operation.segments.entries()) {
      const parameter = parameterOf(segment);
      if (parameter === undefined) continue;
      const key = toKey(operation.segments.slice(0, at + 1));
      if (!found.has(key)) found.set(key, toResource(operation, at, parameter, { key, parent, paths }));
      parent = key;
    }
  }
  forgetShared(found);
  return found;
}

/** A component that describes the identifiers of several things tells none of them. */
function forgetShared(found: Map<string, FoundResource>): void {
  const things = new Map<string, Set<string>>();
  for (const { component, thing } of found.values()) {
    if (component !== undefined) things.set(component, (things.get(component) ?? new Set()).add(toSingular(thing)));
  }
  for (const resource of found.values()) {
    if ((things.get(resource.component ?? "")?.size ?? 0) > 1) resource.component = undefined;
  }
}

function toResource(
  operation: OperationFacts,
  at: number,
  parameter: string,
  { key, parent, paths }: { key: string; parent: string | undefined; paths: Paths },
): FoundResource {
  const before = operation.segments.slice(0, at);
  const collectionKey = toKey(before);
  const described = operation.parameters.find((one) => one.in === "path" && one.name === parameter);
  return {
    ...{ key, collectionKey, parent, parameter, ...describeName(parameter, before) },
    collection: `/${before.join("/")}`,
    item: `/${operation.segments.slice(0, at + 1).join("/")}`,
    atItem: paths.get(key) ?? [],
    atCollection: before.length === 0 ? [] : (paths.get(collectionKey) ?? findPlural(before, paths)),
    component: described?.component,
    isPlainText: described?.isPlainText ?? false,
  };
}

/** `/silences` for `/silence/{id}`. */
function findPlural(before: readonly string[], paths: Paths): readonly OperationFacts[] {
  const last = before.at(-1)!;
  return last.includes("{") ? [] : (paths.get(toKey([...before.slice(0, -1), `${last}s`])) ?? []);
}

const versionSegment = /^v\d[\w.-]*$/i;

/** What the parameter identifies, and what the path calls it. */
function describeName(
  parameter: string,
  before: readonly string[],
): Pick<FoundResource, "thing" | "name" | "identifier" | "isOwn"> {
  const words = toWords(before.findLast((one) => !one.includes("{") && !versionSegment.test(one)) ?? "");
  const named = words.length === 0 ? toWords(parameter) : [...words.slice(0, -1), toSingular(words.at(-1)!)];
  const { thing, identifier } = splitName(parameter);
  const name = named.join(" ");
  if (isShared(parameter) || thing === "") return { thing: named.join(""), name, identifier, isOwn: true };
  const isNested = before.at(-1)?.includes("{") ?? true;
  // `/books/{book_title}` identifies a book, too.
  const segment = named.at(-1) ?? "";
  const isPart = identifier === "" && thing !== segment && segment.length > 2 && thing.startsWith(segment);
  if (isPart) return { thing: segment, name, identifier: thing.slice(segment.length), isOwn: true };
  const isOwn = isSameThing(thing, named.join("")) || isSameThing(thing, segment);
  const own = toWords(parameter);
  const ownName = own.length > 1 && identifier !== "" ? own.slice(0, -1) : [thing];
  return { thing, name: isNested && !isOwn ? ownName.join(" ") : name, identifier, isOwn };
}

/** `bookId`: the parameter's name where it says what it identifies, else with the name of the resource. */
export function proposeVariable({ parameter, name, thing }: FoundResource): string {
  const own = splitName(parameter).thing !== "" && !isShared(parameter);
  return own ? toVariable([parameter]) : toVariable([...(name || thing).split(" "), ...toWords(parameter)]);
}
