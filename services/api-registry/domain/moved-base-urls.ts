import type { BaseUrlChange } from "#contracts/api-registry/comparisons.ts";
import type { Environment } from "#contracts/api-registry/environments.ts";
import { joinBaseUrl, moveBaseUrl, type PrefixOfOperations } from "#libraries/openapi/comparison/moved-prefix.ts";

interface OwnBaseUrls {
  /** The API's own; null where it uses the document's server. */
  baseUrl: string | null;
  environments: readonly Pick<Environment, "name" | "baseUrl">[];
}

/**
 * What becomes of base URLs that are not the document's when a part of the address moves between servers and paths. If
 * every operation moved by it, a base URL follows as the document's server did, so that requests stay the same.
 * @returns also those that stay and then send other requests; none where nothing moved
 */
export function moveBaseUrls(moved: PrefixOfOperations | undefined, own: OwnBaseUrls): BaseUrlChange[] {
  if (!moved) return [];
  const all = [
    ...(own.baseUrl === null ? [] : [{ environment: null, baseUrl: own.baseUrl }]),
    ...own.environments.map(({ name, baseUrl }) => ({ environment: name, baseUrl })),
  ];
  return all.map(({ environment, baseUrl: before }) => {
    const after = (moved.isWhole ? moveBaseUrl(before, moved) : undefined) ?? before;
    const sent = {
      before: joinBaseUrl(before, moved.example.before),
      after: joinBaseUrl(after, moved.example.after),
    };
    return { environment, before, after, sent };
  });
}

/** Environments with their new base URLs. */
export function withMovedBaseUrls(
  environments: readonly Environment[],
  changes: readonly BaseUrlChange[],
): Environment[] {
  const moved = new Map(changes.map(({ environment, after }) => [environment, after]));
  return environments.map((one) => ({ ...one, baseUrl: moved.get(one.name) ?? one.baseUrl }));
}
