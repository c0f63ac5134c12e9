import { isOneLine } from "#contracts/security-service/credential-types/credential-type.ts";
import type { SecretReference } from "#contracts/security-service/secret-references.ts";
import type { SecretResult, VaultReader } from "#libraries/vault-kv/vault-kv.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import type { CredentialRow } from "../store/credentials.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { findVaultConnection } from "../store/vault-connections.ts";
import { secretFor } from "./given-credential.ts";
import { toVaultSource } from "./vault-connections.ts";

/** A secret as it is sent to the service that uses it. */
export interface ResolvedSecret {
  /** Empty if the environment has it, or if it could not be read. */
  secret: string;
  /** To be read in the environment of the process that sends the request. */
  environmentName?: string;
  /** Why it could not be read, as a sentence. */
  problem?: string;
}

interface ReferenceParts {
  db: SecurityDatabase;
  vault: Vault;
  vaultReader: VaultReader;
}

/** Reads secrets that are not stored when a credential is opened; what went wrong is for the test that uses it. */
export function createReadReferencedSecret({ db, vault, vaultReader }: ReferenceParts) {
  async function readVault(
    { organization_id }: CredentialRow,
    { path, key }: Extract<SecretReference, { kind: "vault" }>,
  ): Promise<SecretResult> {
    const connection = await findVaultConnection(db, organization_id);
    if (!connection) return { ok: false, detail: "No Vault is connected: see Administration, Vault." };
    return await vaultReader.read(toVaultSource(vault, connection), { path, key });
  }

  return async (row: CredentialRow, reference: SecretReference): Promise<ResolvedSecret> => {
    if (reference.kind === "environment") return { secret: "", environmentName: reference.name };
    const fail = (detail: string) => ({
      secret: "",
      problem: `The secret of the credential ${row.name} could not be read. ${detail}`,
    });
    const read = await readVault(row, reference);
    if (!read.ok) return fail(read.detail);
    const secret = secretFor(row.type, read.value);
    if (row.type !== "mutualTls" && !isOneLine(secret)) return fail(`The value of ${reference.key} is not one line.`);
    return { secret };
  };
}
