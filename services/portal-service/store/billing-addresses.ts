import { addressInput } from "#contracts/portal-service/billing-address.ts";
import { type Executor, json } from "../../kit/database/database.ts";
import type { Address } from "../address/address.ts";
import type { PortalTables } from "./tables.ts";

type Db = Executor<PortalTables>;

export async function findBillingAddress(db: Db, organizationId: string): Promise<Address | undefined> {
  const row = await db
    .selectFrom("billing_addresses")
    .select("address")
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  return row && addressInput.parse(row.address);
}

export async function putBillingAddress(db: Db, organizationId: string, address: Address, now: Date): Promise<void> {
  const columns = { address: json(address), updated_at: now };
  await db
    .insertInto("billing_addresses")
    .values({ organization_id: organizationId, ...columns })
    .onConflict((conflict) => conflict.column("organization_id").doUpdateSet(columns))
    .execute();
}
