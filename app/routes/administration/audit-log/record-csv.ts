import type { NamedRecord } from "./named-record";

const columns = [
  ...["recordedAt", "organizationId", "actorKind", "actorId", "actorName", "clientAddress"],
  ...["operation", "resourceKind", "resourceId", "before", "after", "requestId", "id"],
  // Added later, so that the positions of the others stay.
  ...["actorFullName", "resourceName", "resourceOf"],
];

export const csvHeader = `${columns.join(",")}\r\n`;

/** One record per line (RFC 4180), times in UTC. */
export function writeRecordCsv(records: readonly NamedRecord[]): string {
  return records
    .map(({ actor, resource, before, after, who, self, owner, ...record }) => [
      ...[record.recordedAt, record.organizationId, actor.kind, actor.id, actor.name, record.clientAddress],
      ...[record.operation, resource.kind, resource.id, toJson(before), toJson(after), record.requestId, record.id],
      ...[who.username === undefined ? null : who.name, self?.name ?? null, owner?.name ?? null],
    ])
    .map((cells) => `${cells.map(quoted).join(",")}\r\n`)
    .join("");
}

const toJson = (value: unknown) => (value === null ? null : JSON.stringify(value));

/** Text that starts like a formula gets an apostrophe, which makes spreadsheets treat it as text. */
function quoted(text: string | null): string {
  if (text === null) return "";
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${plain.replaceAll('"', '""')}"`;
}
