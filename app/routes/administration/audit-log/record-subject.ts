import type { AuditRecord } from "#contracts/kit/audit-records.ts";
import { settingWords } from "../setting-words";
import { capitalized, kindWords, plainWords } from "./record-words";

/** A resource that a record is about or that its resource belongs to. */
export interface Reference {
  kind: "api" | "circle" | "test" | "user" | "channel" | "credential";
  id: string;
}

export interface Subject {
  kind: string;
  /** As it was called then; undefined where the record doesn't say. */
  name: string | undefined;
  /** What the record is about, if it can be looked up. */
  self: Reference | undefined;
  /** What it belongs to. */
  owner: Reference | undefined;
  /** The owner's name then. */
  ownerName: string | undefined;
}

type Values = Record<string, unknown>;
const asValues = (value: unknown): Values => (typeof value === "object" && value !== null ? (value as Values) : {});
const text = (value: unknown) => (typeof value === "string" && value.trim() ? value : undefined);

/** Kinds whose id is that of another resource. */
const idsOf: Record<string, Reference["kind"]> = {
  authentication: "api",
  dependency: "api",
  document: "api",
  environments: "api",
  variables: "api",
  "executions of an API": "api",
  "executions of a test": "test",
  "service level": "circle",
  "status page": "circle",
  calendar: "user",
  email: "user",
  password: "user",
  roles: "user",
  "second-factor": "user",
};
const selves: Record<string, Reference["kind"]> = {
  api: "api",
  test: "test",
  "test circle": "circle",
  user: "user",
  "alert channel": "channel",
  credential: "credential",
};
const nameFields = ["name", "title", "schemeName", "fullName", "username", "email", "address", "host", "url"] as const;

/** What a record is about, by its own values. */
export function readSubject({ resource, before, after }: Pick<AuditRecord, "resource" | "before" | "after">): Subject {
  const values = { ...asValues(before), ...asValues(after) };
  // What it was called when it was changed: a new name shows in the change.
  const earlier = asValues(before ?? after);
  const { kind, id } = resource;
  const subject = { kind, name: undefined, self: undefined, owner: undefined, ownerName: undefined };
  if (kind === "setting") {
    const name = (settingWords as Record<string, { name: string }>)[id]?.name ?? capitalized(plainWords(id));
    return { ...subject, name };
  }
  if (idsOf[kind]) return { ...subject, owner: { kind: idsOf[kind], id } };
  if (kind === "run") return { ...subject, ...readSource(asValues(values.source)) };
  const name = nameFields.map((field) => text(earlier[field]) ?? text(values[field])).find(Boolean);
  return { ...subject, name, self: selves[kind] && { kind: selves[kind], id }, owner: readOwner(values) };
}

function readOwner(values: Values): Reference | undefined {
  const scope = asValues(values.scope);
  const testCircleId = text(values.testCircleId) ?? text(scope.testCircleId);
  if (testCircleId) return { kind: "circle", id: testCircleId };
  const apiId = text(values.apiId) ?? text(scope.apiId);
  return apiId ? { kind: "api", id: apiId } : undefined;
}

function readSource(source: Values): Partial<Subject> {
  const [circle, test, api] = [source.testCircleId, source.testId, source.apiId].map(text);
  if (circle) return { owner: { kind: "circle", id: circle }, ownerName: text(source.testCircleName) };
  if (test) return { owner: { kind: "test", id: test }, ownerName: text(source.testName) };
  return api ? { owner: { kind: "api", id: api }, ownerName: text(source.apiName) } : {};
}

const hidden = new Set(["version", "updatedAt"]);

/** Fields whose values differ; the version always does. */
export function changedFields(before: unknown, after: unknown): string[] {
  const [one, other] = [asValues(before), asValues(after)];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (field) => !hidden.has(field) && JSON.stringify(one[field]) !== JSON.stringify(other[field]),
  );
}

const creating = /^(create|register|invite|import|store|propose|set|replace|put)/;
const deleting = /^(delete|remove|revoke|close|forget)/;

/** The change in a few words: “Created”, “Name changed”, “3 fields changed”. */
export function changeSummary({
  operation,
  before,
  after,
}: Pick<AuditRecord, "operation" | "before" | "after">): string {
  if (before === null || after === null) {
    if (before === null && after !== null && creating.test(operation)) return "Created";
    if (before !== null && deleting.test(operation)) return "Deleted";
    return "Details";
  }
  const fields = changedFields(before, after);
  if (fields.length === 0) return "Nothing changed";
  return fields.length === 1 ? `${kindWords(fields[0]!)} changed` : `${fields.length} fields changed`;
}
