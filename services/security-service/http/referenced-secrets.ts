import { isOneLine } from "#contracts/security-service/credential-types/credential-type.ts";
import type { SecretReference, VaultLocation } from "#contracts/security-service/secret-references.ts";
import type { VaultReader } from "#libraries/vault-kv/vault-kv.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import type { CredentialRow } from "../store/credentials.ts";
import type { SecurityDatabase } from "../store/tables.ts";
import { secretFor } from "./given-credential.ts";
import { readSecretInVault } from "./vault-connections.ts";

/** A secret as it is sent to the service that uses it. */
export interface ResolvedSecret {
  /** Empty if the environment has it, or if it could not be read. */
  secret: string;
  /** To be read in the environment of the process that sends the request. */
  environmentName?: string;
  /** To be read in Vault by the process that sends the request. */
  vault?: VaultLocation;
  /** Why it could not be read, as a sentence. */
  problem?: string;
}

interface ReferenceParts {
  db: SecurityDatabase;
  vault: Vault;
  vaultReader: VaultReader;
}

/** Reads secrets that are not stored when a credential is opened; what went wrong is for the test that uses it. */
export function createReadReferencedSecret(parts: ReferenceParts) {
  return async (row: CredentialRow, reference: SecretReference, leavesVault = false): Promise<ResolvedSecret> => {
    if (reference.kind === "environment") return { secret: "", environmentName: reference.name };
    if (leavesVault) return { secret: "", vault: { path: reference.path, key: reference.key } };
    const fail = (detail: string) => ({
      secret: "",
      problem: `The secret of the credential ${row.name} could not be read. ${detail}`,
    });
    const read = await readSecretInVault(parts, row.organization_id, reference);
    if (!read.ok) return fail(read.detail);
    const secret = secretFor(row.type, read.value);
    if (row.type !== "mutualTls" && !isOneLine(secret)) return fail(`The value of ${reference.key} is not one line.`);
    return { secret };
  };
}
