import { randomUUID } from "node:crypto";
import { basename, relative } from "node:path";
import type { z } from "zod";
import type { Inspection } from "#contracts/api-registry/documents.ts";
import type { CodeProvenance } from "#contracts/code/objects.ts";
import type { CodeBase, CodePlan } from "#contracts/code/plans.ts";
import type { CodeApplication, pullCode } from "#contracts/test-registry/code.ts";
import { isJsonObject, type Json, type JsonObject } from "#libraries/json/json.ts";
import { readReferredFiles } from "../document/local-files.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";
import { type Connection, Refused } from "../portal/connection.ts";
import { type CodeValue, parseAddress } from "./code-object.ts";
import { type FileError, locate, toCommandError, toPointer } from "./positions.ts";
import type { CodeFiles, FileObject, LocalDocument } from "./read-files.ts";
import type { State } from "./state-file.ts";

type PulledPage = z.output<NonNullable<typeof pullCode.response>>;
/** An object of the portal. */
export type PulledObject = PulledPage["items"][number] & CodeValue;

const path = "/api/v1/code";

/** What a key looks like, e.g. nightly-run. */
export const isKey = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Everything that files can hold, or one API with its tests. */
export async function pullObjects(connection: Connection, api?: string): Promise<PulledObject[]> {
  const objects: PulledObject[] = [];
  let cursor: string | undefined;
  do {
    const page = await connection.exactly<PulledPage>("test-registry", `${path}/objects`, {
      query: { limit: 1_000, api, cursor },
    });
    objects.push(...(page.items as PulledObject[]).map((one) => ({ ...one, value: withoutTexts(one.value) })));
    // Keys become names of files.
    const wrong = objects.find((one) => ![one.key, one.parent ?? "x"].every((key) => isKey.test(key)));
    if (wrong) throw new CommandError(exitCodes.notJudged, `The portal gave the key "${wrong.key}", which is none.`);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return objects;
}

/** Without the texts of numbers that travel beside them (decision 054): these numbers have all their digits. */
function withoutTexts<Value extends Json>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutTexts) as Value;
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => name !== "targetJson" || !("comparison" in value));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutTexts(member)])) as Value;
}

/** What a plan and its application send. */
export interface CodeRequest {
  objects: readonly FileObject[];
  /** Key of the only API. */
  api: string | undefined;
  base: readonly CodeBase[];
  secrets: Record<string, string>;
}

/** @throws CommandError with what is wrong, each at its line of the files */
export async function planObjects(connection: Connection, request: CodeRequest): Promise<CodePlan> {
  const body = toBody(request);
  return await atTheirLines(request.objects, () =>
    connection.exactly<CodePlan>("test-registry", `${path}/plan`, { body, onlyReads: true }),
  );
}

export interface Application {
  /** Of the plan. */
  version: string;
  prune: boolean;
  overwrite: boolean;
  provenance: CodeProvenance;
  /** Staged ones, by SHA-256. */
  documents: Record<string, string>;
}

/** Starts the application. */
export async function applyObjects(
  connection: Connection,
  request: CodeRequest,
  application: Application,
): Promise<CodeApplication> {
  const body = { ...toBody(request), ...application, provenance: { ...application.provenance } };
  return await atTheirLines(request.objects, () =>
    connection.exactly<CodeApplication>("test-registry", `${path}/applications`, {
      ...{ body, headers: { "idempotency-key": randomUUID() } },
    }),
  );
}

export async function readApplication(connection: Connection, id: string): Promise<CodeApplication> {
  return await connection.call<CodeApplication>("test-registry", `${path}/applications/${id}`);
}

function toBody({ objects, api, base, secrets }: CodeRequest): JsonObject {
  return {
    objects: objects.map(({ kind, parent, key, value }) => ({
      kind,
      ...(parent === undefined ? {} : { parent }),
      key,
      value,
    })),
    ...(api === undefined ? {} : { api }),
    base: base as unknown as Json,
    secrets,
  };
}

/**
 * The base of the comparison: what files had when they were pulled. Where files were applied since, the portal knows the
 * base itself.
 */
export async function toBase(connection: Connection, { objects }: State): Promise<CodeRequest["base"]> {
  const apiIds = new Set(Object.values(objects).flatMap(({ id }) => id ?? []));
  if (apiIds.size > 0) {
    // Of another organization of the portal, nothing was pulled.
    const apis = await connection.all<{ id: string }>("api-registry", "/api/v1/apis");
    if (!apis.some(({ id }) => apiIds.has(id))) return [];
  }
  return Object.entries(objects)
    .filter(([, { isApplied }]) => !isApplied)
    .map(([address, { hash, appliedAt }]) => ({
      ...{ ...parseAddress(address), hash },
      ...(appliedAt === undefined ? {} : { appliedAt }),
    }));
}

/**
 * Sends new documents, each with the files that it refers to; the portal stores them for an hour.
 * @returns by SHA-256 what an application calls them
 * @throws CommandError if one can't be used, with the reasons at its lines
 */
export async function stageDocuments(
  connection: Connection,
  hashes: readonly string[],
  documents: CodeFiles["documents"],
): Promise<Record<string, string>> {
  const staged: Record<string, string> = {};
  for (const sha256 of hashes) {
    const document = documents.get(sha256);
    if (document) staged[sha256] = await stageDocument(connection, document);
  }
  return staged;
}

async function stageDocument(connection: Connection, { paths: [file = ""], bytes }: LocalDocument): Promise<string> {
  const toText = (content: Uint8Array) => new TextDecoder().decode(content);
  const referred = [...(await readReferredFiles(file, bytes))].map(([name, content]) => [name, toText(content)]);
  const { usable, problems, staged } = await connection.call<Inspection>("api-registry", "/api/v1/documents/inspect", {
    query: { keep: "true" },
    body: { document: toText(bytes), fileName: basename(file), files: Object.fromEntries(referred) },
    onlyReads: true,
  });
  if (usable && staged) return staged.id;
  const name = relative(process.cwd(), file);
  const errors = problems.filter(({ severity }) => severity === "error");
  throw toCommandError(errors.map(({ line, message }) => ({ file: name, line, message })));
}

/** Runs a call; what it refuses of `objects[12].value.…` is said at its line. */
async function atTheirLines<Result>(objects: readonly FileObject[], call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof Refused) || error.errors.length === 0) throw error;
    throw toCommandError(error.errors.map((one) => toFileError(objects, one)));
  }
}

/** At the line of the object's part; of what is no part of an object, at the first line of the first file. */
export function toFileError(
  objects: readonly FileObject[],
  { path: at, message }: { path: string; message: string },
): FileError {
  const [list, index, part, ...rest] = toPointer(at);
  const object = list === "objects" ? objects[Number(index)] : undefined;
  if (!object) return { file: objects[0]?.file.name ?? "", line: 1, message: `${at}: ${message}` };
  const inObject = part === "value" ? rest : part === undefined ? [] : [part, ...rest];
  const field = inObject.length > 0 ? `${at.replace(/^objects\[\d+\]\.(value\.)?/, "")}: ` : "";
  return {
    file: object.file.name,
    line: locate(object.file, [...object.pointer, ...inObject]),
    // As zod says it.
    message: `${field}${message.replace(/^Invalid input: expected .*, received undefined$/, "This is missing")}`,
  };
}
