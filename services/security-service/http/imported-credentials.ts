import { Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { CredentialInput } from "#contracts/security-service/credentials.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import { type CredentialRow, insertFreelyNamed, listNamedCredentials } from "../store/credentials.ts";
import type { SecurityDatabase, SecurityTransaction } from "../store/tables.ts";
import { auditedCredential, toNewRow } from "./credentials.ts";
import { requireDomain } from "./domain-rows.ts";
import { findCredentialErrors } from "./given-credential.ts";

/** Numbers that are tried behind a name that is taken. */
const maxNames = 50;

function requireFaultless(items: readonly CredentialInput[]): void {
  const errors = items.flatMap((item) =>
    findCredentialErrors(item).map(({ message }) => ({
      path: "source",
      message: `The credential ${item.name} can't be stored: ${message}`,
    })),
  );
  if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
}

async function insertUnderFreeName(transaction: SecurityTransaction, row: CredentialRow): Promise<CredentialRow> {
  for (let count = 1; count <= maxNames; count += 1) {
    const named = count === 1 ? row : { ...row, name: `${row.name.slice(0, 190)} (${count})` };
    if (await insertFreelyNamed(transaction, named)) return named;
  }
  throw new Problem("conflict", `There are ${maxNames} credentials named ${row.name} already.`);
}

/** Creates the handler of credentials that files of other tools bring. */
export function createImportedCredentialHandlers({
  db,
  clock,
  vault,
}: {
  db: SecurityDatabase;
  clock: Clock;
  vault: Vault;
}): Pick<Handlers<typeof securityServiceContract>, "takeCredentials"> {
  return {
    async takeCredentials({ caller: { organizationId }, body: { items, actor }, record }) {
      requireFaultless(items);
      const now = clock.now();
      const ids = items.map(({ id }) => id);
      const stored = await db.transaction().execute(async (transaction) => {
        const earlier = await listNamedCredentials(transaction, organizationId, ids);
        const rows: CredentialRow[] = [];
        await record(transaction);
        for (const { id, ...credential } of items) {
          const known = earlier.find((row) => row.id === id);
          if (known) {
            rows.push(known);
            continue;
          }
          const row = await insertUnderFreeName(transaction, toNewRow(vault, { id, organizationId, now }, credential));
          await requireDomain(transaction, row, now);
          await record(transaction, { id, after: auditedCredential(row), actor });
          rows.push(row);
        }
        return rows;
      });
      return { items: stored.map(({ id, name, domain }) => ({ id, name, domain })) };
    },
  };
}
