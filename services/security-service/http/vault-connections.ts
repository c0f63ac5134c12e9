import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { VaultConnection, VaultConnectionInput } from "#contracts/security-service/vault-connections.ts";
import type { SecretResult, VaultReader, VaultSource } from "#libraries/vault-kv/vault-kv.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import { lockOrganization } from "../store/organizations.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import {
  findVaultConnection,
  removeVaultConnection,
  storeVaultConnection,
  type VaultConnectionRow,
} from "../store/vault-connections.ts";

const sealingContext = (organizationId: string) => ({ organizationId, record: "vault_connections" });

const audited = ({ address, namespace, mount, authentication, role_id: roleId }: VaultConnectionRow) => ({
  ...{ address, namespace, mount, authentication, roleId },
});

const toConnection = (row: VaultConnectionRow): VaultConnection => ({
  ...audited(row),
  updatedAt: row.updated_at.toISOString(),
});

/** With the opened token or secret id. */
export function toVaultSource(vault: Vault, row: VaultConnectionRow): VaultSource {
  const { organization_id: organizationId, address, namespace, mount, authentication, role_id: roleId } = row;
  const secret = vault.open(row.sealed_secret, sealingContext(organizationId));
  return {
    ...{ address, namespace, mount, pool: organizationId },
    authentication:
      authentication === "token" ? { kind: "token", token: secret } : { kind: "appRole", roleId, secretId: secret },
  };
}

/** Reads a secret by the organization's connection; why it can't be read is a sentence. */
export async function readSecretInVault(
  { db, vault, vaultReader }: { db: SecurityDatabase; vault: Vault; vaultReader: VaultReader },
  organizationId: string,
  location: { path: string; key: string },
): Promise<SecretResult> {
  const connection = await findVaultConnection(db, organizationId);
  if (!connection) return { ok: false, detail: "No Vault is connected: see Administration, Vault." };
  return await vaultReader.read(toVaultSource(vault, connection), location);
}

const invalid = (path: string, message: string) =>
  new Problem("invalid_input", undefined, { errors: [{ path, message }] });

/** Why the stored secret can't be used for these settings: it stays with the host that it was given for. */
function findSecretError(input: VaultConnectionInput, stored: VaultConnectionRow | undefined): string | undefined {
  const isToken = input.authentication === "token";
  if (input.secret) return undefined;
  if (!stored) return isToken ? "Enter the token" : "Enter the secret id";
  if (new URL(stored.address).origin !== new URL(input.address).origin) {
    return "Enter it again: it was given for another address";
  }
  return stored.authentication === input.authentication
    ? undefined
    : "Enter it again: it was given for another authentication";
}

/** Creates the handlers of the organization's connection to HashiCorp Vault. */
export function createVaultConnectionHandlers({
  db,
  clock,
  vault,
  vaultReader,
  environmentPrefix,
}: {
  db: SecurityDatabase;
  clock: Clock;
  vault: Vault;
  vaultReader: VaultReader;
  environmentPrefix: string | undefined;
}): Pick<
  Handlers<typeof securityServiceContract>,
  "getVaultConnection" | "setVaultConnection" | "deleteVaultConnection" | "readVaultSecret"
> {
  return {
    async getVaultConnection({ caller }) {
      const row = await findVaultConnection(db, caller.organizationId);
      return { connection: row ? toConnection(row) : null, environmentPrefix: environmentPrefix ?? null };
    },

    async readVaultSecret({ caller: { organizationId }, body }) {
      const read = await readSecretInVault({ db, vault, vaultReader }, organizationId, body);
      return read.ok ? { value: read.value, detail: "" } : { value: null, detail: read.detail };
    },

    async setVaultConnection({ caller: { organizationId }, body, record }) {
      if (body.authentication === "appRole" && !body.roleId) throw invalid("roleId", "Enter the role id");
      return await db.transaction().execute(async (transaction) => {
        await lockOrganization(transaction, organizationId);
        const stored = await findVaultConnection(transaction, organizationId);
        const error = findSecretError(body, stored);
        if (error) throw invalid("secret", error);
        const sealed = body.secret && vault.seal(body.secret, sealingContext(organizationId));
        const row: VaultConnectionRow = {
          organization_id: organizationId,
          ...{ address: body.address, namespace: body.namespace, mount: body.mount },
          authentication: body.authentication,
          role_id: body.authentication === "appRole" ? body.roleId : "",
          sealed_secret: sealed ?? stored!.sealed_secret,
          updated_at: clock.now(),
        };
        await storeVaultConnection(transaction, row);
        const after = { ...audited(row), replaced: body.secret !== undefined };
        await record(transaction, { id: organizationId, before: stored && audited(stored), after });
        return toConnection(row);
      });
    },

    async deleteVaultConnection({ caller: { organizationId }, record }) {
      await db.transaction().execute(async (transaction) => {
        const removed = await removeVaultConnection(transaction, organizationId);
        if (!removed) throw notFound("connection to Vault");
        await record(transaction, { id: organizationId, before: audited(removed) });
      });
      return undefined;
    },
  };
}
