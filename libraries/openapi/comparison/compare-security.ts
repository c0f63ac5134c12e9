import type { SecurityScheme } from "#contracts/api-registry/documents.ts";
import type { DescribedOperation } from "#contracts/api-registry/operations.ts";
import { getMember, toRecord, toText } from "../../json/json-value.ts";
import type { DocumentSide, OperationContext } from "./operation-context.ts";

type Security = DescribedOperation["security"];
type Schemes = DocumentSide["securitySchemes"];

/** Schemes are the same if a client sends the same, whatever the document calls them. */
export function compareSecurity(before: Security, after: Security, context: OperationContext): void {
  const { documents, changes } = context;
  const [old, now] = [documents.before.securitySchemes, documents.after.securitySchemes];
  const names = matchNames(before, after, old, now);
  for (const [name, other] of names) {
    if (listNames(before).has(name)) compareScheme(old.get(name), now.get(other), other, context);
  }
  const renamed = before.map((all) =>
    all.map(({ schemeName, scopes }) => ({ schemeName: names.get(schemeName) ?? schemeName, scopes })),
  );
  const refused = listUncovered(renamed, after);
  const [oldText, newText] = [describe(before), describe(after)];
  if (wantsNothing(before) && !wantsNothing(after)) {
    changes.add("security.required", `It needs authorization now: ${newText}.`);
  } else if (!wantsNothing(before) && wantsNothing(after)) {
    changes.add("security.none", "It no longer needs authorization.");
  } else if (refused.length > 0) {
    changes.add("security.narrowed", `Its authorization changed from ${oldText} to ${newText}.`);
  } else if (listUncovered(after, renamed).length > 0) {
    changes.add("security.widened", `It accepts other authorization now: ${newText}, not only ${oldText}.`);
  } else if (oldText !== newText) context.noteTexts();
}

function wantsNothing(security: Security): boolean {
  return security.length === 0 || security.some((all) => all.length === 0);
}

function describe(security: Security): string {
  const describeScheme = ({ schemeName, scopes }: Security[number][number]) =>
    scopes.length > 0 ? `${schemeName} (${scopes.join(", ")})` : schemeName;
  return security.map((all) => all.map(describeScheme).join(" with ") || "none").join(" or ") || "none";
}

/** Alternatives with which a client satisfies none of the others. */
function listUncovered(alternatives: Security, by: Security): Security {
  const satisfies = (sent: Security[number], wanted: Security[number]) =>
    wanted.every(({ schemeName, scopes }) =>
      sent.some((one) => one.schemeName === schemeName && scopes.every((scope) => one.scopes.includes(scope))),
    );
  return alternatives.filter((sent) => by.length > 0 && !by.some((wanted) => satisfies(sent, wanted)));
}

function listNames(security: Security): Set<string> {
  return new Set(security.flatMap((all) => all.map(({ schemeName }) => schemeName)));
}

/** Names of before with those of after: of the same name, else of the same definition. */
function matchNames(before: Security, after: Security, old: Schemes, now: Schemes): Map<string, string> {
  const [names, others] = [listNames(before), listNames(after)];
  const matched = new Map<string, string>();
  for (const name of names) {
    if (others.has(name)) matched.set(name, name);
  }
  for (const name of names) {
    if (matched.has(name)) continue;
    const text = toIdentity(old.get(name));
    const same = [...others].find((other) => !names.has(other) && text !== "" && toIdentity(now.get(other)) === text);
    if (same !== undefined) matched.set(name, same);
  }
  return matched;
}

/** What of a scheme a client depends on. */
function toIdentity(scheme: SecurityScheme | undefined): string {
  if (!scheme) return "";
  const { in: location, parameterName, openIdConnectUrl, flows } = scheme;
  const urls = Object.entries(toRecord(flows)).map(([flow, value]) => [flow, listUrls(value)]);
  return JSON.stringify([scheme.type, location, parameterName, scheme.scheme, openIdConnectUrl, urls.sort()]);
}

const urlMembers = ["authorizationUrl", "tokenUrl", "refreshUrl", "deviceAuthorizationUrl"];

function listUrls(flow: unknown): string[] {
  return urlMembers.map((member) => toText(getMember(flow, member)));
}

function compareScheme(
  old: SecurityScheme | undefined,
  now: SecurityScheme | undefined,
  name: string,
  context: OperationContext,
): void {
  const { changes } = context;
  const differs = (words: string) => changes.add("security.scheme-changed", `The security scheme "${name}" ${words}.`);
  if (!old && !now) return;
  if (!old || !now) differs(now ? "is described now" : "is no longer described");
  else if (old.type !== now.type || old.scheme !== now.scheme) {
    differs(`is ${nameType(now)} now, not ${nameType(old)} as before`);
  } else if (old.in !== now.in || !isSameName(old, now)) {
    differs(`is sent in the ${now.in} ${now.parameterName} now, not in the ${old.in} ${old.parameterName} as before`);
  } else if (old.openIdConnectUrl !== now.openIdConnectUrl) {
    differs(`is discovered at ${now.openIdConnectUrl} now, not at ${old.openIdConnectUrl} as before`);
  } else {
    compareFlows(toRecord(old.flows), toRecord(now.flows), name, context);
    if (old.description !== now.description || old.bearerFormat !== now.bearerFormat) context.noteTexts();
  }
}

function isSameName(old: SecurityScheme, now: SecurityScheme): boolean {
  const isHeader = old.in === "header";
  const toKey = ({ parameterName = "" }: SecurityScheme) => (isHeader ? parameterName.toLowerCase() : parameterName);
  return toKey(old) === toKey(now);
}

function nameType({ type, scheme }: SecurityScheme): string {
  return scheme ? `${type} ${scheme}` : type;
}

function compareFlows(
  old: Record<string, unknown>,
  now: Record<string, unknown>,
  name: string,
  { changes, noteTexts }: OperationContext,
): void {
  const subject = (flow: string) => `The flow "${flow}" of the security scheme "${name}"`;
  for (const [flow, value] of Object.entries(old)) {
    if (flow.startsWith("x-")) continue;
    const other = getMember(now, flow);
    if (other === undefined) {
      changes.add("security.scheme-changed", `${subject(flow)} was removed.`);
      continue;
    }
    const [before, after] = [listUrls(value), listUrls(other)];
    for (const [index, member] of urlMembers.entries()) {
      if (before[index] === after[index]) continue;
      const words = `${member} changed from ${before[index] || "none"} to ${after[index] || "none"}`;
      changes.add("security.scheme-changed", `${subject(flow)} is elsewhere: its ${words}.`);
    }
    const [oldScopes, newScopes] = [toRecord(getMember(value, "scopes")), toRecord(getMember(other, "scopes"))];
    for (const [scope, description] of Object.entries(oldScopes)) {
      if (!Object.hasOwn(newScopes, scope)) {
        changes.add("security.scheme-changed", `${subject(flow)} no longer has the scope ${scope}.`);
      } else if (newScopes[scope] !== description) noteTexts();
    }
    const added = Object.keys(newScopes).filter((scope) => !Object.hasOwn(oldScopes, scope));
    for (const scope of added) changes.add("security.scheme-extended", `${subject(flow)} has the scope ${scope} now.`);
  }
  for (const flow of Object.keys(now)) {
    if (!Object.hasOwn(old, flow) && !flow.startsWith("x-")) {
      changes.add("security.scheme-extended", `${subject(flow)} is new.`);
    }
  }
}
