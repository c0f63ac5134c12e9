import { z } from "zod";
import {
  type VaultConnection,
  type VaultConnectionInput,
  vaultAuthentications,
  vaultConnectionInput,
} from "#contracts/security-service/vault-connections.ts";

const { address, namespace, mount, roleId } = vaultConnectionInput.shape;

export const vaultForm = z.object({
  ...{ address, namespace, mount, roleId },
  authentication: z.enum(vaultAuthentications, { error: "Choose how to authenticate" }),
  /** The token or secret id. */
  secret: z.string().optional(),
});
export type VaultForm = z.input<typeof vaultForm>;

export function toInput({ secret, ...form }: z.output<typeof vaultForm>): VaultConnectionInput {
  return { ...form, secret: secret?.trim() || undefined };
}

export function toFormValues(connection: VaultConnection | null): VaultForm {
  if (!connection) return { address: "", namespace: "", mount: "secret", authentication: "token", roleId: "" };
  const { address, namespace, mount, authentication, roleId } = connection;
  return { address, namespace, mount, authentication, roleId };
}
