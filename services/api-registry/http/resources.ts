import type { Consumer, Resource } from "#contracts/api-registry/resources.ts";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import { addSeenProducers, applySeen, type StoredSeenDependency } from "../domain/seen-dependencies.ts";
import {
  findConsumers,
  findResource,
  findResources,
  findResourcesOf,
  forget,
  listResources,
  listSaid,
  maxSaid,
  type SaidDependency,
  say,
} from "../store/resources.ts";
import { listSeen } from "../store/seen-dependencies.ts";
import { type RegistryContext, type RegistryHandlers, requireApi } from "./context.ts";

type ResourceHandlers = Pick<
  RegistryHandlers,
  "listResources" | "getResource" | "findDependencies" | "setDependency" | "forgetDependency"
>;

const placeOf = ({ operation: { method, path }, in: location, name }: Omit<SaidDependency, "resource">) =>
  JSON.stringify([method, path, location, name]);

const refused = (path: string, message: string) =>
  new Problem("invalid_input", undefined, { errors: [{ path, message }] });

export function createResourceHandlers(context: RegistryContext): ResourceHandlers {
  const { db, clock } = context;

  return {
    async listResources({ caller, params, query }) {
      const api = await requireApi(context, caller.organizationId, params.apiId);
      const page = await listResources(db, api.current_document_id, query);
      const seen = await listSeen(db, api.id);
      return { ...page, items: page.items.map((one) => addSeenProducers(one, seen)) };
    },

    async getResource({ caller, params: { apiId, resourceKey } }) {
      const api = await requireApi(context, caller.organizationId, apiId);
      const stored = await findResource(db, api.current_document_id, resourceKey);
      if (!stored) throw notFound("resource");
      const [said, seen] = [await listSaid(db, apiId), await listSeen(db, apiId)];
      const found = addSeenProducers(stored, seen);
      const others = await findOthers(api.current_document_id, found.key, seen);
      const consumers = applySaid(applySeen([...found.consumers, ...others], seen, found.key), said, found.key);
      return { ...found, consumers, consumerCount: found.consumerCount + consumers.length - found.consumers.length };
    },

    async findDependencies({ caller, params, body }) {
      const api = await requireApi(context, caller.organizationId, params.apiId);
      const found = await findConsumers(db, api.current_document_id, body.operations);
      const operations = new Set(body.operations.map(({ method, path }) => `${method} ${path}`));
      const isWanted = ({ operation: { method, path } }: Pick<Consumer, "operation">) =>
        operations.has(`${method} ${path}`);
      const said = (await listSaid(db, api.id)).filter(isWanted);
      const seen = await listSeen(db, api.id);
      const wanted = seen.filter(({ to }) => isWanted(to));
      const consumers = applySaid(applySeen(found, wanted), said);
      const own = await findResourcesOf(db, api.current_document_id, body.operations);
      const keys = [...consumers.map(({ resource }) => resource), ...own.map(({ key }) => key)];
      const resources = await findWithParents(api.current_document_id, keys);
      return { consumers, resources: resources.map((one) => addSeenProducers(one, seen)) };
    },

    async setDependency({ caller, params: { apiId }, body, record }) {
      const api = await requireApi(context, caller.organizationId, apiId);
      const { operation, resource } = body;
      if (resource !== null && !(await findResource(db, api.current_document_id, resource))) {
        throw refused("resource", "The current document has no such resource");
      }
      if ((await listSaid(db, apiId)).length >= maxSaid) {
        throw refused("resource", `At most ${maxSaid.toLocaleString("en")} dependencies of an API can be corrected`);
      }
      await db.transaction().execute(async (transaction) => {
        const before = await say(transaction, apiId, body, clock.now());
        const place = { operation: `${operation.method} ${operation.path}`, in: body.in, name: body.name };
        await record(transaction, { id: apiId, before: { ...place, resource: before }, after: { ...place, resource } });
      });
    },

    async forgetDependency({ caller, params: { apiId }, body, record }) {
      await requireApi(context, caller.organizationId, apiId);
      await db.transaction().execute(async (transaction) => {
        const before = await forget(transaction, apiId, body);
        if (before === undefined) return;
        const place = { operation: `${body.operation.method} ${body.operation.path}`, in: body.in, name: body.name };
        await record(transaction, { id: apiId, before: { ...place, resource: before }, after: place });
      });
    },
  };

  /** What the document says of places that were seen to take this resource's identifier: links count before. */
  async function findOthers(documentId: string, key: string, seen: readonly StoredSeenDependency[]) {
    const operations = seen.filter(({ resource }) => resource === key).map(({ to }) => to.operation);
    const consumers = operations.length === 0 ? [] : await findConsumers(db, documentId, operations);
    return consumers.filter(({ resource }) => resource !== key);
  }

  /** These resources, what gives their identifiers, and what they are part of. */
  async function findWithParents(documentId: string, wanted: readonly string[]): Promise<Resource[]> {
    const found = new Map<string, Resource>();
    let keys = [...new Set(wanted)];
    while (keys.length > 0) {
      const resources = await findResources(db, documentId, keys);
      for (const resource of resources) found.set(resource.key, resource);
      keys = [...new Set(resources.flatMap(({ parent, source }) => [parent ?? source, source]))].filter(
        (key) => !found.has(key) && resources.length > 0,
      );
      if (resources.length === 0) break;
    }
    return [...found.values()];
  }
}

/**
 * What a person said comes before what the document says, and before what was seen.
 * @param key only the consumers of this resource
 */
function applySaid(consumers: readonly Consumer[], said: readonly SaidDependency[], key?: string): Consumer[] {
  if (said.length === 0) return [...consumers];
  const byPlace = new Map(said.map((one) => [placeOf(one), one]));
  const kept = consumers.flatMap((consumer): Consumer[] => {
    const one = byPlace.get(placeOf(consumer));
    if (!one) return [consumer];
    byPlace.delete(placeOf(consumer));
    return one.resource === null ? [] : [{ ...consumer, resource: one.resource, evidence: { kind: "person" } }];
  });
  const added = [...byPlace.values()].flatMap(({ resource, ...place }): Consumer[] =>
    resource === null ? [] : [{ ...place, required: true, resource, evidence: { kind: "person" } }],
  );
  return [...kept, ...added].filter(({ resource }) => key === undefined || resource === key);
}
