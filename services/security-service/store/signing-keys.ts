import { type PublicKey, publicKey } from "#contracts/kit/public-keys.ts";
import { type Executor, json } from "../../kit/database/database.ts";
import type { StoredSigningKey } from "../secrets/signing-key.ts";
import type { SecurityTables } from "./tables.ts";

type Db = Executor<SecurityTables>;

export async function findActiveSigningKey(db: Db): Promise<StoredSigningKey | undefined> {
  const row = await db.selectFrom("signing_keys").selectAll().where("state", "=", "active").executeTakeFirst();
  return row && { id: row.id, publicJwk: publicKey.parse(row.public_jwk), sealedPrivateJwk: row.sealed_private_jwk };
}

/** Does nothing when another replica installed its key first. */
export async function installFirstSigningKey(db: Db, key: StoredSigningKey, createdAt: Date): Promise<void> {
  await db
    .insertInto("signing_keys")
    .values({
      id: key.id,
      public_jwk: json(key.publicJwk),
      sealed_private_jwk: key.sealedPrivateJwk,
      state: "active",
      created_at: createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The signing key and its predecessors. */
export async function listPublicKeys(db: Db): Promise<PublicKey[]> {
  const rows = await db.selectFrom("signing_keys").select("public_jwk").orderBy("created_at", "desc").execute();
  return rows.map((row) => publicKey.parse(row.public_jwk));
}
