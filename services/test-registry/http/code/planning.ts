import { uuidv7 } from "uuidv7";
import { type CodeObject, codeKinds, codeValues } from "#contracts/code/objects.ts";
import type { CodeReferences, PartChanges, PartObject } from "#contracts/code/parts.ts";
import type { CodeInput, CodePlan } from "#contracts/code/plans.ts";
import { type FieldError, Problem } from "#contracts/kit/problem.ts";
import type { JsonRecord } from "#libraries/json/json-value.ts";
import { canonicalText, hashOfValue, withoutDefaults } from "../../../kit/code/written.ts";
import { addressOf, type Compared, compareObjects, describePlan, type FileObject } from "../../domain/code-plan.ts";
import type { OfOrganization, PartDoors } from "../../jobs/code-parts.ts";
import { type CodeWork, type PartName, partNames } from "../../store/code-applications.ts";
import { addReference, type createReadPortal, isOfCircle, partOfKind } from "./portal-objects.ts";

export interface Planned {
  plan: CodePlan;
  compared: Compared[];
  work: CodeWork;
}

/** Lists whose order and repetitions mean nothing are stored without repetitions. */
function withoutRepetitions(value: JsonRecord): JsonRecord {
  const { tags } = value as { tags?: unknown };
  return Array.isArray(tags) ? { ...value, tags: [...new Set(tags)] } : value;
}

function nameOf({ kind, key, value }: CodeObject): string {
  if (kind === "alertRule") return `Alert rule ${key}`;
  if (kind === "serviceLevel") return `${value.objective} % in ${value.days} days`;
  if (kind === "statusPage") return value.title;
  if (kind === "schedule") return value.name ?? value.cron ?? key;
  return value.name;
}

function toFileObject(object: CodeObject, index: number): FileObject {
  const { kind, key } = object;
  const parent = "parent" in object ? object.parent : undefined;
  const value = withoutDefaults(codeValues[kind], withoutRepetitions(object.value as JsonRecord)) as JsonRecord;
  return { kind, key, ...(parent ? { parent } : {}), index, name: nameOf(object), value, hash: hashOfValue(value) };
}

/** @throws Problem where two have one address, or one isn't of the API that the call is about */
function requireAddresses(files: readonly FileObject[], api: string | undefined): void {
  const seen = new Set<string>();
  const errors = files.flatMap((file): FieldError[] => {
    const address = addressOf(file);
    const path = `objects[${file.index}].key`;
    if (seen.has(address)) return [{ path, message: `Another object is ${address}` }];
    seen.add(address);
    const isOfApi = file.kind === "api" ? file.key === api : file.kind === "test" && file.parent === api;
    return api === undefined || isOfApi ? [] : [{ path, message: `This is not of the API ${api}` }];
  });
  if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
}

/** Ids of new objects, and references to all that there is once the files are applied. */
function drawIds(compared: readonly Compared[], references: CodeReferences): Map<string, string> {
  const ids = new Map<string, string>();
  for (const { address, file, portal } of compared) {
    if (!file) continue;
    // Circles come before what belongs to them.
    const id = portal?.id ?? (isOfCircle(file.kind) ? references.circle[file.key] : undefined) ?? uuidv7();
    ids.set(address, id);
    addReference(references, { ...file, id });
  }
  return ids;
}

function listEnvironments(compared: readonly Compared[], apis: readonly PartObject[]): PartChanges["environments"] {
  const names = (value: JsonRecord) =>
    ((value as { environments?: { name: string }[] }).environments ?? []).map(({ name }) => name);
  const environments = Object.fromEntries(apis.map(({ key, value }) => [key, names(value)]));
  for (const { file } of compared) if (file?.kind === "api") environments[file.key] = names(file.value);
  return environments;
}

function toWork(
  compared: readonly Compared[],
  ids: Map<string, string>,
  objects: readonly CodeObject[],
): CodeWork["parts"] {
  const empty = () => ({ changes: [], kept: [], deletions: [] });
  const parts: CodeWork["parts"] = { "api-registry": empty(), "test-registry": empty(), "test-analyzer": empty() };
  for (const { address, file, portal, change } of compared) {
    const { kind, parent, key } = (file ?? portal)!;
    const part = parts[partOfKind[kind]];
    const one = { kind, key, ...(parent ? { parent } : {}) };
    if (!file) part.deletions.push({ ...one, index: -1, action: "delete", id: portal!.id });
    else if (!change) part.kept.push({ ...one, id: portal!.id });
    else {
      const value = withoutRepetitions(objects[file.index]!.value as JsonRecord);
      const before = portal ? { before: portal.hash } : {};
      part.changes.push({
        ...{
          ...one,
          index: file.index,
          action: portal ? "change" : "create",
          id: ids.get(address)!,
          value,
          hash: file.hash,
        },
        ...before,
      } as CodeWork["parts"][PartName]["changes"][number]);
    }
  }
  return parts;
}

const none = { errors: [] as FieldError[], missingSecrets: [] as string[], missingDocuments: [] as string[] };

/** Creates the function that compares files with the portal, and has each service check its part. */
export function createPlanning({
  doors,
  readPortal,
}: {
  doors: PartDoors;
  readPortal: ReturnType<typeof createReadPortal>;
}) {
  async function check(of: OfOrganization, work: CodeWork, secrets: CodeInput["secrets"]) {
    const checked = {
      ...none,
      errors: [...none.errors],
      missingSecrets: new Set<string>(),
      missingDocuments: new Set<string>(),
    };
    for (const name of partNames) {
      const { changes } = work.parts[name];
      if (changes.length === 0) continue;
      const { references, documents, environments } = work;
      const response = await doors[name].change(of, {
        ...{ applicationId: uuidv7(), mode: "check", changes, kept: [], references, documents, environments, secrets },
        provenance: { repository: "", commit: "" },
      });
      checked.errors.push(...response.errors);
      for (const secret of response.missingSecrets) checked.missingSecrets.add(secret);
      for (const document of response.missingDocuments) checked.missingDocuments.add(document);
    }
    if (checked.errors.length > 0)
      throw new Problem("invalid_input", undefined, { errors: checked.errors.slice(0, 1_000) });
    return checked;
  }

  /** @throws Problem with the errors of all services, at `objects[12].value.…` */
  return async function plan(of: OfOrganization, input: CodeInput): Promise<Planned> {
    const { api, secrets, documents } = input;
    const files = input.objects.map(toFileObject);
    requireAddresses(files, api);
    const { objects, references, apis } = await readPortal.readAll(of, { api, secrets });
    const base = new Map((input.base ?? []).map((one) => [addressOf(one), one]));
    const compared = compareObjects(files, objects, { base, order: codeKinds });
    const ids = drawIds(compared, references);
    const parts = toWork(compared, ids, input.objects);
    const work = { parts, references, documents, environments: listEnvironments(compared, apis) };
    const { missingSecrets, missingDocuments } = await check(of, work, secrets);
    const items = compared.flatMap(({ change }) => change ?? []);
    const count = (action: string) => items.filter((item) => item.action === action).length;
    return {
      ...{ compared, work },
      plan: {
        version: hashOfValue(canonicalText(describePlan(compared))),
        items: [
          ...items.filter(({ action }) => action !== "delete"),
          ...items.filter(({ action }) => action === "delete"),
        ],
        counts: {
          ...{ create: count("create"), change: count("change"), delete: count("delete") },
          unchanged: compared.length - items.length,
        },
        ...{ missingSecrets: [...missingSecrets].sort(), missingDocuments: [...missingDocuments].sort() },
      },
    };
  };
}
