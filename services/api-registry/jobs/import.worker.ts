import { createHash } from "node:crypto";
import { parentPort } from "node:worker_threads";
import { type ComparedDocument, compareDocuments } from "#libraries/openapi/comparison/compare-documents.ts";
import { standardSchema } from "#libraries/openapi/standard-schemas.ts";
import { toComparedDocument } from "../domain/compared/to-compared.ts";
import { toSampleSource } from "../domain/description/describe-document.ts";
import { importDocument } from "../domain/import-document.ts";
import type { FetchedFile, ImportedDocument } from "../domain/imported-document.ts";
import { OperationRelations } from "../domain/relate-operations.ts";
import { type ContentPiece, contentPieces, relationPieces } from "./content-pieces.ts";
import type { BeginImport, FromWorker, PreviousOperation, ReviewedOperation, ToWorker } from "./import-messages.ts";
import { MalformedSource, readFields, readRequestSource } from "./request-source.ts";
import { reviewTests } from "./review-tests.ts";
import type { StoredGraph } from "./review-versions.ts";

const port = parentPort!;
const fetching = new Map<number, (response: FetchedFile) => void>();
let lastFetch = 0;
let pieces: Iterator<ContentPiece> | undefined;
let current: ImportedDocument | undefined;
let previous: ComparedDocument | undefined;
let stored: PreviousOperation[] = [];
let storedGraph: StoredGraph | undefined;

function send(message: FromWorker): void {
  port.postMessage(message);
}

function fetchFile(url: string): Promise<FetchedFile> {
  const id = ++lastFetch;
  return new Promise((resolve) => {
    fetching.set(id, resolve);
    send({ type: "fetch", id, url });
  });
}

async function begin({ source: given, fields: beside, limits }: BeginImport): Promise<void> {
  send({ type: "begun" });
  const { source, fields: withIt } = await readRequestSource(Buffer.concat(given.body), given.contentType);
  const fields = beside ? readFields(Buffer.concat(beside.body)) : withIt;
  const imported: ImportedDocument = await importDocument(source, { fetchFile, standardSchema }, limits);
  const { inspection, metadata, bytes, sourceUrl, fileName } = imported;
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  pieces = contentPieces(imported);
  current = imported;
  previous = { operations: [], components: new Map(), servers: [], securitySchemes: [] };
  send({ type: "imported", summary: { inspection, metadata, fields, sha256, sourceUrl, fileName } });
}

function next(): void {
  const following = pieces?.next();
  if (!following || following.done) {
    pieces = undefined;
    send({ type: "done" });
  } else {
    send({ type: "piece", piece: following.value });
  }
}

function addToGraph(part: StoredGraph | undefined): void {
  if (!part) return;
  storedGraph ??= { resources: [], consumers: [] };
  storedGraph.resources.push(...part.resources);
  storedGraph.consumers.push(...part.consumers);
}

const getOldVersion = (): ComparedDocument => ({ ...previous!, operations: stored });

async function compare(): Promise<void> {
  // Imports do not use Zod: only comparisons pay for it.
  const { parseDescribedOperation } = await import("../store/described-operation.ts");
  const { reviewVersions } = await import("./review-versions.ts");
  const [before, after] = [getOldVersion(), toComparedDocument(current!)];
  send({
    type: "compared",
    comparison: compareDocuments(before, after, parseDescribedOperation),
    review: reviewVersions(before, storedGraph, after, current!),
  });
}

async function review(operations: ReviewedOperation[]): Promise<void> {
  const { parseDescribedOperation } = await import("../store/described-operation.ts");
  send({
    type: "reviewed",
    effects: reviewTests(operations, getOldVersion(), toComparedDocument(current!), parseDescribedOperation),
  });
}

async function relate(): Promise<void> {
  const { parseDescribedOperation } = await import("../store/described-operation.ts");
  const bodies = new Map([...previous!.components.values()].map(({ reference, body }) => [reference, body]));
  const relations = new OperationRelations(toSampleSource({ getBody: (reference) => bodies.get(reference) }));
  for (const { kind, described, position } of stored) {
    if (kind === "operation") relations.add(parseDescribedOperation(described), position);
  }
  pieces = relationPieces(relations.finish());
  send({ type: "related" });
}

function fail(error: unknown): void {
  if (error instanceof MalformedSource) send({ type: "malformed", message: error.message, path: error.path });
  else send({ type: "failed", message: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}

port.on("message", (message: ToWorker) => {
  if (message.type === "next") next();
  else if (message.type === "previous") {
    previous ??= { operations: [], components: new Map(), servers: [], securitySchemes: [] };
    if (message.servers) previous.servers = message.servers;
    if (message.securitySchemes) previous.securitySchemes = message.securitySchemes;
    stored.push(...message.operations);
    addToGraph(message.graph);
    for (const component of message.components) previous.components.set(component.ordinal, component);
    send({ type: "taken" });
  } else if (message.type === "compare") compare().catch(fail);
  else if (message.type === "review") review(message.operations).catch(fail);
  else if (message.type === "relate") relate().catch(fail);
  else if (message.type === "forget") {
    pieces = undefined;
    current = undefined;
    previous = undefined;
    stored = [];
    storedGraph = undefined;
  } else if (message.type === "fetched") {
    fetching.get(message.id)?.(message.answer);
    fetching.delete(message.id);
  } else {
    begin(message).catch(fail);
  }
});
