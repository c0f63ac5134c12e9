import type { AuditRecord } from "#contracts/kit/audit-records.ts";

const columns = [
  ...["recordedAt", "organizationId", "actorKind", "actorId", "actorName", "clientAddress"],
  ...["operation", "resourceKind", "resourceId", "before", "after", "requestId", "id"],
];

export const csvHeader = `${columns.join(",")}\r\n`;

/** One record per line (RFC 4180), times in UTC. */
export function writeRecordCsv(records: readonly AuditRecord[]): string {
  return records
    .map(({ actor, resource, before, after, ...record }) => [
      ...[record.recordedAt, record.organizationId, actor.kind, actor.id, actor.name, record.clientAddress],
      ...[record.operation, resource.kind, resource.id, toJson(before), toJson(after), record.requestId, record.id],
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
