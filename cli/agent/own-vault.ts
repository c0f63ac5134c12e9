import type { VaultLocation } from "#contracts/security-service/secret-references.ts";
import type { Egress } from "#libraries/egress/egress.ts";
import { createVaultReader, type SecretResult, type VaultSource } from "#libraries/vault-kv/vault-kv.ts";
import { CommandError, exitCodes } from "../exit-codes.ts";

export interface VaultFlags {
  /** Its address. */
  vault?: string;
  vaultMount?: string;
  vaultNamespace?: string;
  /** Role id of an AppRole. */
  vaultRole?: string;
}

/** Reads a value in the agent's own Vault; undefined where it has none. */
export type ReadVault = ((wanted: VaultLocation) => Promise<SecretResult>) | undefined;

const wrong = (message: string) => new CommandError(exitCodes.usage, message);

/**
 * The Vault that the agent's options name. Its token, or the secret id of its AppRole, is in the environment, which other
 * users of the machine can't read as they can options.
 * @throws CommandError
 */
export function parseVault(
  { vault, vaultMount = "secret", vaultNamespace = "", vaultRole }: VaultFlags,
  environment: Readonly<Record<string, string | undefined>>,
): VaultSource | undefined {
  if (vault === undefined) {
    if (vaultRole === undefined) return undefined;
    throw wrong("--vault-role needs --vault, the address of the Vault.");
  }
  if (!URL.canParse(vault) || !/^https?:$/.test(new URL(vault).protocol))
    throw wrong(`--vault takes an address such as https://vault.internal:8200, got "${vault}".`);
  const source = { address: vault.replace(/\/+$/, ""), namespace: vaultNamespace, mount: vaultMount, pool: "agent" };
  const { VAULT_TOKEN: token, VAULT_SECRET_ID: secretId } = environment;
  if (vaultRole !== undefined) {
    if (!secretId) throw wrong("Set VAULT_SECRET_ID to the secret id of the AppRole.");
    return { ...source, authentication: { kind: "appRole", roleId: vaultRole, secretId } };
  }
  if (!token) throw wrong("Set VAULT_TOKEN, or --vault-role and VAULT_SECRET_ID.");
  return { ...source, authentication: { kind: "token", token } };
}

/** Through the agent's own door: its list of allowed targets has to name the Vault. */
export function createReadVault(source: VaultSource | undefined, egress: Egress): ReadVault {
  if (!source) return undefined;
  const reader = createVaultReader({ egress });
  return (wanted) => reader.read(source, wanted);
}
