import { uuidv7 } from "uuidv7";
import { StartRefused } from "../kit/service/start-refused.ts";
import type { Vault } from "../kit/vault/vault.ts";
import { usernameKey } from "./domain/username.ts";
import type { AccountParts } from "./http/new-accounts.ts";
import { generatePassword } from "./secrets/passwords.ts";
import { createSigningKey, type StoredSigningKey } from "./secrets/signing-key.ts";
import { insertMember, insertOrganization } from "./store/new-accounts.ts";
import { findActiveSigningKey, installFirstSigningKey } from "./store/signing-keys.ts";
import type { SecurityDatabase } from "./store/tables.ts";
import { hasAnyUser, lockFirstStart } from "./store/users.ts";

export interface FirstAdministrator {
  username: string;
  /** Used on the first start only; later starts ignore it. */
  password?: string;
  /** Where a password reset can be mailed to; used on the first start only. */
  email?: string;
  /** Called once with the generated password, before the account is stored: an error fails the start. */
  onGenerated?(password: string): void | Promise<void>;
}

/** The signing key, created on the first start. Of several replicas that start at once, one installs its key. */
export async function requireSigningKey(db: SecurityDatabase, vault: Vault, now: Date): Promise<StoredSigningKey> {
  const known = await findActiveSigningKey(db);
  if (known) return known;
  await installFirstSigningKey(db, await createSigningKey(vault), now);
  const installed = await findActiveSigningKey(db);
  if (!installed) throw new Error("The signing key that was just stored is not there.");
  return installed;
}

/**
 * Creates the first administrator and organization in a database without users.
 * @returns whether this start created them
 */
export async function createFirstAdministrator(
  { db, passwords, publisher }: AccountParts,
  administrator: FirstAdministrator,
  now: Date,
): Promise<boolean> {
  if (await hasAnyUser(db)) return false;
  const key = usernameKey(administrator.username);
  if (!key) throw new Error("ADMIN_USERNAME must be a name of 1 to 320 printable characters.");
  if (administrator.password === undefined && !administrator.onGenerated) {
    throw new StartRefused(
      "ADMIN_PASSWORD is needed at the first start: it becomes the first administrator's password.",
    );
  }
  const password = administrator.password ?? generatePassword();
  const passwordHash = await passwords.hash(password);
  return await db.transaction().execute(async (transaction) => {
    await lockFirstStart(transaction);
    if (await hasAnyUser(transaction)) return false;
    const organizationId = uuidv7();
    await insertOrganization(transaction, {
      id: organizationId,
      kind: "organization",
      name: "My organization",
      serviceId: null,
      createdAt: now,
    });
    const userId = uuidv7();
    const roles = ["SYSTEM_ADMIN", "ADMIN"];
    await insertMember(transaction, {
      userId,
      username: administrator.username.trim(),
      usernameKey: key,
      email: administrator.email ?? "",
      fullName: "Administrator",
      passwordHash,
      organizationId,
      roles,
      createdAt: now,
    });
    await publisher.publish(transaction, [
      { type: "user.created", organizationId, resource: `user/${userId}`, payload: { userId, roles } },
    ]);
    if (administrator.password === undefined) await administrator.onGenerated?.(password);
    return true;
  });
}
