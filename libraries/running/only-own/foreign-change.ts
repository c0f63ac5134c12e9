import type { MemberEffect } from "#contracts/test-registry/circle-members.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import { isSafe } from "../../openapi/safe-methods.ts";
import { placeholderPattern } from "../../template/placeholders.ts";
import { findWholeName } from "../found-values.ts";
import type { ChangedResource } from "./changed-resource.ts";
import { canMake } from "./made.ts";

/** Code of a request that would change what its run did not make. */
export const changeNotOwn = "change_not_own";

/** Whether a variable's value identifies something that the run made; otherwise why not, to follow its name. */
export type Origin = { isMade: true } | { isMade: false; why: string };
export type FindOrigin = (name: string) => Origin;

/** Whether a test may only change what its run made: its method may change something, and its effect allows no other. */
export function isBound({ method }: Pick<Test, "method">, effect: MemberEffect | undefined): boolean {
  if (isSafe(method) || effect === "allowed") return false;
  return effect !== "makes" || !canMake(method);
}

/**
 * Why a test that may only change what its run made is not sent; undefined if it may be. What it changes has to be
 * identified by a whole captured value: a text that merely contains one names another. Contains no values.
 */
export function explainForeignChange(
  test: Pick<Test, "method" | "path">,
  { noun, parameter, groups }: ChangedResource,
  findOrigin: FindOrigin,
): string | undefined {
  const refuse = (why: string) =>
    `Not sent: ${test.method.toUpperCase()} ${test.path} would change ${noun} that this run did not create. ${why}`;
  const subject = parameter === undefined ? "An identifier" : `{${parameter}}`;
  const reasons = groups.map((texts) => texts.map((text) => whyNotMade(text, subject, findOrigin)));
  const mixed = reasons.find((group) => group.includes(undefined) && group.some(Boolean));
  if (mixed) return refuse(`It names another beside its own: ${mixed.find(Boolean)}`);
  const all = reasons.flat();
  if (all.includes(undefined)) return undefined;
  if (parameter !== undefined) return refuse(all[0]!);
  return refuse(
    ["Neither its query nor its body identifies something that this run made.", all[0]].filter(Boolean).join(" "),
  );
}

/** A sentence, or undefined for the whole value of something that the run made. */
function whyNotMade(text: string, subject: string, findOrigin: FindOrigin): string | undefined {
  const names = [...text.matchAll(placeholderPattern())].map(([, name]) => name!);
  const [name] = names;
  if (name === undefined) return `${subject} is typed into the test.`;
  const origins = names.map((one) => ({ name: one, origin: findOrigin(one) }));
  for (const { name: one, origin } of origins) if (!origin.isMade) return `${one} ${origin.why}`;
  return findWholeName(text) === undefined ? `${subject} is more than one captured value.` : undefined;
}

/**
 * Whether a redirect that keeps its method leads to what the request named: the same host, path and query, with https or
 * a slash at its end.
 */
export function leadsToSame(sent: string, { url }: { url: URL }): boolean {
  const first = new URL(sent);
  const toPath = ({ pathname }: URL) => pathname.replace(/\/$/, "");
  return first.host === url.host && toPath(first) === toPath(url) && first.search === url.search;
}
