import { pino } from "pino";
import { afterAll, expect, test } from "vitest";
import { maximumDocumentBytes, maximumDocumentFiles } from "#contracts/api-registry/document-sources.ts";
import { defaultImportLimits, type ImportLimits } from "../domain/limits.ts";
import { smallDocument } from "../testing/fixtures.ts";
import { tableEgress } from "../testing/registry.ts";
import { createImporter, type Importer } from "./importer.ts";
import type { Staging } from "./staging.ts";

const importers: Importer[] = [];
afterAll(() => Promise.all(importers.map((importer) => importer.stop())));

const noStaging: Staging = {
  stage: async () => ({ id: "", expiresAt: "" }),
  open: async () => undefined,
  stop: async () => {},
};

function importer(limits: ImportLimits = defaultImportLimits, egress = tableEgress()): Importer {
  const created = createImporter({
    egress,
    limits,
    staging: noStaging,
    log: pino({ level: "silent" }),
  });
  importers.push(created);
  return created;
}

function requestWith(document: string): Request {
  const headers = { "content-type": "application/json" };
  return new Request("http://service/", { method: "POST", headers, body: JSON.stringify({ document }) });
}

test("the limits are those of the contract", () => {
  expect(defaultImportLimits).toMatchObject({ bytes: maximumDocumentBytes, files: maximumDocumentFiles });
});

test("more documents than workers wait their turn", async () => {
  const imports = importer();
  const responses = await Promise.all(
    Array.from({ length: 8 }, async (_, index) => {
      const document = JSON.stringify(smallDocument({ info: { title: `Document ${index}`, version: "1" } }));
      const session = await imports.open(requestWith(document), "organization");
      session.release();
      return session.summary.inspection.title;
    }),
  );
  expect(responses).toEqual(Array.from({ length: 8 }, (_, index) => `Document ${index}`));
});

test("documents beyond the queue's limit are refused with a retry time", async () => {
  const imports = importer();
  const responses = await Promise.allSettled(
    Array.from({ length: 120 }, async () => {
      const session = await imports.open(requestWith(JSON.stringify(smallDocument())), "organization");
      session.release();
    }),
  );
  const refused = responses
    .filter((response) => response.status === "rejected")
    .map(({ reason }) => (reason as { code: string }).code);
  expect(refused).toEqual(Array(18).fill("service_unavailable"));
});

test("reading that takes too long is aborted, and the next document gets a new worker", async () => {
  const slow = tableEgress();
  slow.send = () => new Promise(() => {});
  const limits = { ...defaultImportLimits, milliseconds: 2_000 };
  const imports = importer(limits, slow);
  const waiting = new Request("http://service/", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: "https://slow.example.com/openapi.json" }),
  });
  await expect(imports.open(waiting, "organization")).rejects.toMatchObject({
    code: "invalid_input",
    detail: expect.stringContaining("took longer than 2 seconds"),
  });
  // The next one may take longer.
  limits.milliseconds = defaultImportLimits.milliseconds;
  const session = await imports.open(requestWith(JSON.stringify(smallDocument())), "organization");
  session.release();
  expect(session.summary.inspection.usable).toBe(true);
});

test("an imported document arrives in pieces", async () => {
  const description = "x".repeat(1_000_000);
  const document = JSON.stringify({ ...smallDocument(), info: { title: "A", version: "1", description } });
  const session = await importer().open(requestWith(document), "organization");
  const tables: string[] = [];
  for await (const { table } of session.pieces()) tables.push(table);
  session.release();
  expect(tables).toEqual([
    ...Array(4).fill("document_chunks"),
    "operations",
    "operation_tags",
    "operation_details",
    "components",
    "reaches",
    "resources",
    "operation_consumers",
  ]);
});
