import { type CodeKind, codeKinds, kindsOfCircle } from "#contracts/code/objects.ts";
import type { CodeReferences, PartObject } from "#contracts/code/parts.ts";
import { noParent } from "../../../kit/code/code-tables.ts";
import { emptyReferences } from "../../../kit/code/part-reading.ts";
import type { OfOrganization, PartDoors } from "../../jobs/code-parts.ts";
import type { PartName } from "../../store/code-applications.ts";

/** The service that owns the objects of each kind. */
export const partOfKind: Record<CodeKind, PartName> = {
  api: "api-registry",
  test: "test-registry",
  circle: "test-registry",
  schedule: "test-registry",
  maintenanceWindow: "test-registry",
  alertChannel: "test-analyzer",
  alertRule: "test-analyzer",
  serviceLevel: "test-analyzer",
  statusPage: "test-analyzer",
};

const pageSize = 2_000;

export interface ReadOptions {
  /** Only this API with its tests, by key. */
  api?: string;
  secrets: Record<string, string>;
}

/** Adds an object's id to the references that others name it by. */
export function addReference(
  references: CodeReferences,
  { kind, parent, key, id }: Pick<PartObject, "kind" | "parent" | "key" | "id">,
) {
  if (kind === "test") references.test[`${parent}/${key}`] = id;
  else if (kind === "api" || kind === "circle" || kind === "alertChannel") references[kind][key] = id;
}

/** Whether a circle's key and id are those of the object. */
export const isOfCircle = (kind: CodeKind) => kindsOfCircle.some((one) => one === kind);

/** Reads objects of an organization from the services that own them. */
export function createReadPortal(doors: PartDoors) {
  async function readPages(
    of: OfOrganization,
    part: PartName,
    query: { kinds: CodeKind[]; apiId?: string; references: CodeReferences; secrets: Record<string, string> },
  ): Promise<PartObject[]> {
    const items: PartObject[] = [];
    let after: { kind: CodeKind; id: string } | null = null;
    for (;;) {
      const page = await doors[part].exportObjects(of, { ...query, after, limit: pageSize });
      items.push(...page.items);
      const last: PartObject | undefined = page.items.at(-1);
      if (page.isLast || !last) return items;
      after = { kind: last.kind, id: last.id };
    }
  }

  const kindsOf = (part: PartName) => codeKinds.filter((kind) => partOfKind[kind] === part);

  /** All objects, or those of one API, and the ids by which they are referred to. */
  async function readAll(of: OfOrganization, { api, secrets }: ReadOptions) {
    const references = emptyReferences();
    const apis = await readPages(of, "api-registry", { kinds: ["api"], references, secrets });
    for (const one of apis) addReference(references, one);
    const apiId = api === undefined ? undefined : references.api[api];
    const own = await readPages(of, "test-registry", {
      ...{ kinds: api === undefined ? kindsOf("test-registry") : ["test"], references, secrets },
      ...(apiId ? { apiId } : {}),
    });
    const owned = api !== undefined && !apiId ? [] : own;
    for (const one of owned) addReference(references, one);
    if (api !== undefined) return { objects: [...apis.filter(({ key }) => key === api), ...owned], references, apis };
    const analyzed = await readPages(of, "test-analyzer", { kinds: kindsOf("test-analyzer"), references, secrets });
    for (const one of analyzed) addReference(references, one);
    return { objects: [...apis, ...owned, ...analyzed], references, apis };
  }

  /** One page, in the order of kinds. */
  async function readPage(
    of: OfOrganization,
    { api, after, limit }: { api?: string; after: { kind: CodeKind; id: string } | null; limit: number },
  ) {
    const references = emptyReferences();
    const secrets = {};
    const apis = await readPages(of, "api-registry", { kinds: ["api"], references, secrets });
    for (const one of apis) addReference(references, one);
    const apiId = api === undefined ? undefined : references.api[api];
    const kinds: CodeKind[] = api === undefined ? [...codeKinds] : ["api", "test"];
    const from = after ? kinds.indexOf(after.kind) : 0;
    const left = from < 0 ? [] : kinds.slice(from);
    if (left.length === 0 || (api !== undefined && !apiId)) return { items: [], next: null };
    const part = partOfKind[left[0]!];
    if (part === "test-analyzer") {
      // Its objects name circles; few keys are read for them.
      for (const one of await readPages(of, "test-registry", { kinds: ["circle"], references, secrets }))
        addReference(references, one);
    }
    const ofPart = left.filter((kind) => partOfKind[kind] === part);
    const page = await doors[part].exportObjects(of, {
      ...{ kinds: ofPart, references, secrets, after, limit },
      ...(apiId ? { apiId } : {}),
    });
    const next = left[ofPart.length];
    const last = page.items.at(-1);
    if (!page.isLast && last) return { items: page.items, next: { kind: last.kind, id: last.id } };
    return { items: page.items, next: next ? { kind: next, id: noParent } : null };
  }

  return { readAll, readPage };
}
