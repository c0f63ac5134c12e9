import type { OperationKey, Resource, ResourceRole } from "#contracts/api-registry/resources.ts";

/** An operation of the version before → what it is in the new one; undefined where it is gone. */
export type FindCounterpart = (operation: OperationKey) => OperationKey | undefined;

const rolesInOrder: readonly ResourceRole[] = ["create", "read", "remove", "change", "replace", "list"];

export const toOperationText = ({ method, path }: OperationKey) => `${method.toUpperCase()} ${path}`;

/**
 * Finds each resource in the new version: by its key and by what its operations became, so that it may move with its
 * path; at last by its name and component, if no other one has them, so that it may get a parent.
 */
export function matchResources(
  before: readonly Resource[],
  after: readonly Resource[],
  findCounterpart: FindCounterpart,
): Map<Resource, Resource> {
  const matched = new Map<Resource, Resource>();
  const taken = new Set<Resource>();
  const match = (find: (resource: Resource) => readonly (Resource | undefined)[]) => {
    for (const resource of before) {
      if (matched.has(resource)) continue;
      const found = find(resource).find((one) => one !== undefined && !taken.has(one));
      if (!found) continue;
      matched.set(resource, found);
      taken.add(found);
    }
  };
  const byKey = new Map(after.map((resource) => [resource.key, resource]));
  const byRole = groupBy(after, (resource) =>
    rolesInOrder.flatMap((role) => {
      const operation = resource.operations[role];
      return operation ? [`${role} ${toOperationText(operation)}`] : [];
    }),
  );
  const findByRoles = ({ operations }: Resource) =>
    rolesInOrder.flatMap((role) => {
      const operation = operations[role];
      const counterpart = operation && findCounterpart(operation);
      return (counterpart && byRole.get(`${role} ${toOperationText(counterpart)}`)) ?? [];
    });
  match((resource) => {
    const same = byKey.get(resource.key);
    return same && findByRoles(resource).includes(same) ? [same] : [];
  });
  match(findByRoles);
  match(({ key }) => [byKey.get(key)]);
  const toThing = ({ name, component }: Resource) => [`${name}\n${component ?? ""}`];
  const old = groupBy(
    before.filter((one) => !matched.has(one)),
    toThing,
  );
  const now = groupBy(
    after.filter((one) => !taken.has(one)),
    toThing,
  );
  match((resource) => {
    const [thing = ""] = toThing(resource);
    const candidates = now.get(thing) ?? [];
    return old.get(thing)?.length === 1 && candidates.length === 1 ? candidates : [];
  });
  return matched;
}

function groupBy(resources: readonly Resource[], toKeys: (resource: Resource) => string[]): Map<string, Resource[]> {
  const groups = new Map<string, Resource[]>();
  for (const resource of resources) {
    for (const key of toKeys(resource)) {
      const group = groups.get(key);
      if (group) group.push(resource);
      else groups.set(key, [resource]);
    }
  }
  return groups;
}
