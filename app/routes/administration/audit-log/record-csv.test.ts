import { expect, test } from "vitest";
import type { AuditRecord } from "#contracts/kit/audit-records.ts";
import { nameRecord } from "./named-record";
import { csvHeader, writeRecordCsv } from "./record-csv";

const record: AuditRecord = {
  id: "01900000-0000-7000-8000-000000000001",
  organizationId: "01900000-0000-7000-8000-000000000002",
  recordedAt: "2026-04-01T08:00:00.000Z",
  actor: { kind: "visitor", id: null, name: '=HYPERLINK("x")' },
  clientAddress: null,
  requestId: "request-1",
  operation: "changeUser",
  resource: { kind: "user", id: "u1" },
  before: { name: "a, b" },
  after: null,
};

test("each record is a line; quotes are doubled, formulas are disarmed, and missing values are empty", () => {
  expect((csvHeader + writeRecordCsv([nameRecord(record, {})])).split("\r\n")).toEqual([
    "recordedAt,organizationId,actorKind,actorId,actorName,clientAddress,operation,resourceKind,resourceId,before,after,requestId,id,actorFullName,resourceName,resourceOf",
    `"2026-04-01T08:00:00.000Z","${record.organizationId}","visitor",,"'=HYPERLINK(""x"")",,"changeUser","user","u1","{""name"":""a, b""}",,"request-1","${record.id}",,"a, b",`,
    "",
  ]);
});
