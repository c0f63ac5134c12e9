import type { AuditRecord } from "#contracts/kit/audit-records.ts";
import { available } from "~/backend/responses";
import { circleAddress } from "~/features/circles/circle-addresses";
import { href } from "~/href";
import type { Viewer } from "~/session/guards";
import { type Reference, readSubject } from "./record-subject";

export interface KnownResource {
  name: string;
  /** Its page. */
  address: string;
  /** A user's other name. */
  username?: string;
  /** The API of a test. */
  apiId?: string;
}

/** Resources of the viewer's organization that exist, by kind and id. */
export type KnownNames = Partial<Record<Reference["kind"], Record<string, KnownResource>>>;

/** Page size of what is few. */
const all = 200;

/** What records refer to, with one call for each kind. What was deleted or belongs to others is missing. */
export async function findNames({ backend }: Viewer, records: readonly AuditRecord[]): Promise<KnownNames> {
  const { testAnalyzer, testRegistry, apiRegistry, securityService } = backend;
  const wanted = collectReferences(records);
  const ids = (kind: Reference["kind"]) => [...(wanted.get(kind) ?? [])].slice(0, all);
  const list = (kind: Reference["kind"]) => ids(kind).join(",") as never;
  const has = (kind: Reference["kind"]) => ids(kind).length > 0;
  const limit = all;
  const [users, tests, circles, channels, credentials] = await Promise.all([
    has("user") ? testAnalyzer.listRecipients({ query: { ids: list("user"), limit } }).then(available) : undefined,
    has("test") ? testRegistry.listAllTests({ query: { ids: list("test"), limit } }).then(available) : undefined,
    has("circle") ? testRegistry.listCircles({ query: { ids: list("circle"), limit } }).then(available) : undefined,
    has("channel") ? testAnalyzer.listChannels({ query: { limit } }).then(available) : undefined,
    has("credential") ? securityService.listCredentials({ query: { limit } }).then(available) : undefined,
  ]);
  for (const { apiId } of tests?.items ?? []) add(wanted, { kind: "api", id: apiId });
  const apis = has("api")
    ? await apiRegistry.listApis({ query: { ids: list("api"), limit } }).then(available)
    : undefined;
  return {
    user: byId(users?.items, ({ id, fullName, username }) => ({
      name: fullName,
      username,
      address: href("/administration/user-management/users/:userId/edit", { userId: id }),
    })),
    test: byId(tests?.items, ({ id, name, apiId }) => ({
      name,
      apiId,
      address: href("/test-management/:apiId/tests/:testId/edit", { apiId, testId: id }),
    })),
    circle: byId(circles?.items, (circle) => ({ name: circle.name, address: circleAddress(circle) })),
    api: byId(apis?.items, ({ id, name }) => ({
      name,
      address: href("/api-management/:apiId/details", { apiId: id }),
    })),
    channel: byId(channels?.items, ({ id, name }) => ({
      name,
      address: href("/test-management/alert-channels/:channelId", { channelId: id }),
    })),
    credential: byId(credentials?.items, ({ id, name }) => ({
      name,
      address: href("/administration/credentials/:credentialId/edit", { credentialId: id }),
    })),
  };
}

function byId<Item extends { id: string }>(items: readonly Item[] | undefined, toKnown: (item: Item) => KnownResource) {
  return Object.fromEntries((items ?? []).map((item) => [item.id, toKnown(item)]));
}

type Wanted = Map<Reference["kind"], Set<string>>;
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

function add(wanted: Wanted, { kind, id }: Reference): void {
  if (uuid.test(id)) wanted.set(kind, (wanted.get(kind) ?? new Set()).add(id));
}

function collectReferences(records: readonly AuditRecord[]): Wanted {
  const wanted: Wanted = new Map();
  for (const record of records) {
    const { self, owner } = readSubject(record);
    const { kind, id } = record.actor;
    if (kind === "user" && id) add(wanted, { kind: "user", id });
    for (const reference of [self, owner]) if (reference) add(wanted, reference);
  }
  return wanted;
}
