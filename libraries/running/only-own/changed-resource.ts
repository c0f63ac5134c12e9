import type { Pair, RequestBody } from "#contracts/test-registry/requests.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import { findWholeName } from "../found-values.ts";
import { readPlaces } from "./json-places.ts";

/** Texts of a request that say which resource it changes. */
export interface ChangedResource {
  /** With its article, as the path names it: "a book"; "something" where it names nothing. */
  noun: string;
  /** Name of the last path parameter; undefined for a path without one. */
  parameter?: string;
  /**
   * Templates, such as `{{bookId}}` or `7`. Those of one group are alternatives or items of one list: a request that
   * names one of its own there may name no other.
   */
  groups: string[][];
}

/**
 * What a test's request identifies as its target: the value of the last path parameter, otherwise identifiers in the
 * query and, for POST and PUT, in the body. The content of a DELETE has no defined meaning (RFC 9110, 9.3.5), and a PATCH
 * without a filter in its address changes every row of a list.
 */
export function findChangedResource({
  method,
  path,
  request,
}: Pick<Test, "method" | "path" | "request">): ChangedResource {
  const [template = ""] = path.replace(/#.*$/, "").split("?");
  const last = findLastParameter({ path, request });
  const noun = toNoun(template, last?.name);
  if (last) return { noun, parameter: last.name, groups: [[last.value]] };
  const readsBody = /^(post|put)$/i.test(method);
  return { noun, groups: [...listOfPairs(request.query), ...(readsBody ? listOfBody(request.body) : [])] };
}

/** The last parameter of a path, with its text; "" if the request has none for it. */
export function findLastParameter({
  path,
  request,
}: Pick<Test, "path" | "request">): { name: string; value: string } | undefined {
  const [template = ""] = path.replace(/#.*$/, "").split("?");
  const name = [...template.matchAll(/\{([^{}]+)\}/g)].at(-1)?.[1];
  if (name === undefined) return undefined;
  const pair = request.pathParameters.findLast((one) => one.enabled && one.name === name);
  return { name, value: pair?.value ?? "" };
}

/**
 * Names that a request sends as what identifies a resource: as the whole value of its last path parameter, of an
 * identifier in its query or body, or of a member that the name ends with, as `username` or `{"name": "{{shopName}}"}`.
 */
export function listIdentifyingNames({ path, request }: Pick<Test, "path" | "request">): string[] {
  const identifiers = [...listOfPairs(request.query), ...listOfBody(request.body)].flat();
  const texts = [findLastParameter({ path, request })?.value ?? "", ...identifiers];
  const members = [...toMembers(request.query), ...membersOf(request.body)];
  const named = members.flatMap(({ name, value }) => {
    const whole = findWholeName(value);
    return whole !== undefined && name !== "" && toPlain(whole).endsWith(toPlain(name)) ? [whole] : [];
  });
  return [...new Set([...texts.flatMap((text) => findWholeName(text) ?? []), ...named])];
}

const toPlain = (name: string) => name.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();

interface NamedValue {
  name: string;
  value: string;
}

function membersOf(body: RequestBody): NamedValue[] {
  switch (body.kind) {
    case "json":
      return readPlaces(body.text).map(({ path, value }) => ({ name: path.at(-1) ?? "", value }));
    case "form":
      return toMembers(body.fields);
    case "multipart":
      return toMembers(body.parts);
    default:
      return [];
  }
}

const toMembers = (pairs: Pair[]): NamedValue[] => pairs.filter(({ enabled }) => enabled);

function listOfBody(body: RequestBody): string[][] {
  switch (body.kind) {
    case "none":
    // Bytes hold no placeholder.
    case "file":
      return [];
    case "json":
      return listIdentifiers(body.text, "ids");
    // Its members can't be distinguished: one placeholder is enough.
    case "text":
      return [...body.text.matchAll(/\{\{[^{}]+\}\}/g)].map(([placeholder]) => [placeholder]);
    case "form":
      return listOfPairs(body.fields);
    case "multipart":
      return listOfPairs(body.parts);
  }
}

function listOfPairs(pairs: Pair[]): string[][] {
  const groups = new Map<string, string[]>();
  const nested: string[][] = [];
  for (const { name, value } of pairs.filter(({ enabled }) => enabled)) {
    if (/^\s*[[{](?!\{)/.test(value)) nested.push(...listIdentifiers(value, name));
    else if (namesIdentifier(name)) groups.set(name, [...(groups.get(name) ?? []), value]);
  }
  return [...groups.values(), ...nested];
}

/** @param name of the whole text */
function listIdentifiers(text: string, name: string): string[][] {
  const groups = new Map<string, string[]>();
  for (const { path, value } of readPlaces(text)) {
    const named = path.slice(0, path.findLastIndex((one) => !equality.test(one)) + 1);
    if (path.some((one) => widening.test(one)) || !namesIdentifier(named.at(-1) ?? name)) continue;
    const key = path.join("\0");
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return [...groups.values()];
}

/** Operators of filters such as `{"id": {"inq": [1, 2]}}`, and those that let others through. */
const equality = /^\$?(eq|in|inq)$/i;
const widening = /^\$?(or|nor|not|ne|neq|nin)$/i;

/** No keys or tokens: those prove who asks. */
const identifying = new Set(["id", "ids", "uuid", "uuids", "guid", "guids"]);

/** `id`, `bookId`, `book_ids` and `filter[id]`, but not `paid` or `title`. */
export function namesIdentifier(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").split(/[^A-Za-z0-9]+/);
  return identifying.has(words.findLast(Boolean)?.toLowerCase() ?? "");
}

/** The segment before the last parameter, or the last one, in the singular where that is evident. */
function toNoun(template: string, parameter: string | undefined): string {
  const segments = template.split("/");
  const end =
    parameter === undefined ? segments.length : segments.findLastIndex((one) => one.includes(`{${parameter}}`));
  const word = segments.slice(0, Math.max(end, 0)).findLast((one) => /^[a-z][a-z_-]*$/i.test(one));
  if (parameter === undefined || !word) return "something";
  const words = word
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .toLowerCase();
  const singular = words.replace(/ies$/, "y").replace(/(?<=[^aious])s$/, "");
  return `${/^[aeio]/.test(singular) ? "an" : "a"} ${singular}`;
}
