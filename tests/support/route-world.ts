import pg from "pg";
import { vi } from "vitest";
import { requireValue } from "../../services/kit/client/client.ts";
import { createAuthenticator } from "../../services/security-service/testing/authenticator.ts";
import { startTarget } from "../../services/test-executioner/testing/target.ts";
import { addMember, furnish, registerOrganization, subscribe } from "./furnished-organization.ts";
import { newPassword } from "./handled-newcomer.ts";
import { openHandledPortal, type Visitor } from "./handled-portal.ts";
import { isQuiet, keepLocationsHeard } from "./organization-rows.ts";
import { openPayPalSandbox } from "./paypal-sandbox.ts";
import type { PortalBackend } from "./portal-backend.ts";
import { removeFurniture } from "./removed-furniture.ts";
import { toRandom } from "./route-attempts.ts";
import type { Ids } from "./tried-operations.ts";

export const roles = ["ADMIN", "EDITOR", "VIEWER", "SYSTEM_ADMIN"] as const;
export type Role = (typeof roles)[number];

/** In every resource of the other organization, and in no other. */
const word = "Quokkas";

export type RouteWorld = Awaited<ReturnType<typeof openRouteWorld>>;

async function addPasskey({ securityService }: PortalBackend): Promise<string> {
  const body = { currentPassword: newPassword };
  const options = requireValue(await securityService.beginPasskey({ body }), "asking for options");
  const credential = createAuthenticator().create(options as never);
  const added = await securityService.addPasskey({ body: { name: `${word} laptop`, credential } });
  return requireValue(added, "adding a passkey").passkey.id;
}

async function newestAuditRecord({ securityService }: PortalBackend): Promise<string> {
  return requireValue(await securityService.listAuditRecords({ query: {} }), "audit records").items[0]!.id;
}

/** Two furnished organizations, and a user of each role in the first; the operator is in neither. */
export async function openRouteWorld() {
  const target = await startTarget(({ url }, response) => void response.end(JSON.stringify({ asked: url })));
  const sandbox = await openPayPalSandbox();
  const portal = await openHandledPortal(sandbox.environment);
  const database = new pg.Client({ connectionString: portal.databaseUrl });
  await database.connect();
  await portal.limitPlans({ members: 100, apis: 100 });
  const ours = await registerOrganization(portal, "Ours");
  const theirs = await registerOrganization(portal, word);
  const furnished = async ({ id, backend }: typeof ours, name: string): Promise<Ids> => ({
    ...(await furnish(backend, target, name)),
    ...(await subscribe(backend, sandbox)),
    auditRecordId: await newestAuditRecord(backend),
    organizationId: id,
  });
  const theirIds = { ...(await furnished(theirs, word)), passkeyId: await addPasskey(theirs.backend) };
  const deleted = await furnish(ours.backend, target, "Gone");
  await removeFurniture(ours.backend, deleted);
  const ourIds = await furnished(ours, "Ours");
  // Not used for signing in.
  ourIds.passkeyId = toRandom(theirIds).passkeyId!;
  // These are deleted only with their organization; incidents are still found by a deleted test.
  const { userId, sessionId, notificationId, incidentId, address, calendarToken, sha256, ...others } = deleted;
  const { invitationId, testId, ...goneIds } = others;

  const editor = await addMember(portal, ours, "EDITOR");
  const viewer = await addMember(portal, ours, "VIEWER");
  await database.query(
    "update security_service.memberships set roles = '{SYSTEM_ADMIN}' where roles @> '{SYSTEM_ADMIN}'",
  );
  const accounts = {
    ADMIN: { username: ours.person.username, password: newPassword },
    EDITOR: { username: editor.person.username, password: newPassword },
    VIEWER: { username: viewer.person.username, password: newPassword },
    SYSTEM_ADMIN: portal.administrator,
  };
  await keepLocationsHeard(database, theirs.id);
  await vi.waitUntil(() => isQuiet(database, theirs.id), { timeout: 300_000 });
  const traces = [word, theirs.person.username, theirs.person.email, ...Object.values(theirIds)].filter(Boolean);

  return {
    portal,
    database,
    ourIds,
    theirIds,
    /** Of resources that ours had and deleted. */
    goneIds: goneIds as Ids,
    randomIds: toRandom(theirIds),
    theirOrganizationId: theirs.id,
    /** A user of this role who has just signed in: a token is valid for minutes. */
    async signIn(role: Role): Promise<Visitor> {
      const visitor = portal.visit();
      await (await visitor.open("/login")).submit("log in", accounts[role]);
      return visitor;
    },
    /** Traces of the other organization in a response. */
    findForeign(revealed: string): string[] {
      const text = revealed.toLowerCase();
      return traces.filter((one) => text.includes(one.toLowerCase()));
    },
    async stop() {
      await database.end();
      await portal.stop();
      await Promise.all([sandbox.stop(), target.close()]);
    },
  };
}
