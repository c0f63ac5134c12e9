import { z } from "zod";
import { alertHeader } from "#contracts/test-analyzer/alert-templates.ts";
import type { Vault } from "../../kit/vault/vault.ts";
import type { ChannelRow } from "../store/alert-channels.ts";

type SecretName = "url" | "secret" | "key";
type Location = Pick<ChannelRow, "organization_id" | "id">;

const getPlace = ({ organization_id, id }: Location, what: SecretName) => ({
  organizationId: organization_id,
  record: `alert_channels/${id}/${what}`,
});

/** Addresses, keys and signing secrets of channels, sealed in their rows. */
export function createChannelSecrets(vault: Vault) {
  const open = (row: Location, what: SecretName, sealed: string) => vault.open(sealed, getPlace(row, what));
  const getKey = (row: Location & Pick<ChannelRow, "sealed_key">) =>
    row.sealed_key ? open(row, "key", row.sealed_key) : "";
  return {
    /** The routing key or token; empty without one. */
    getKey,
    /** Additional headers of a webhook. */
    getHeaders(row: ChannelRow): [name: string, value: string][] {
      const stored = getKey(row);
      return stored
        ? z
            .array(alertHeader)
            .parse(JSON.parse(stored))
            .map(({ name, value }) => [name, value])
        : [];
    },
    seal: (row: Location, what: SecretName, text: string) => vault.seal(text, getPlace(row, what)),
    /** Target of deliveries; undefined for mail. */
    addressOf: (row: ChannelRow) => (row.sealed_url ? open(row, "url", row.sealed_url) : (row.url ?? undefined)),
    /** The valid ones, newest first. */
    getSigningSecrets(row: ChannelRow, now: Date): string[] {
      const { sealed_secret, sealed_previous_secret, previous_secret_until } = row;
      const isPreviousValid = previous_secret_until !== null && previous_secret_until > now;
      return [sealed_secret, isPreviousValid ? sealed_previous_secret : null].flatMap((sealed) =>
        sealed ? [open(row, "secret", sealed)] : [],
      );
    },
  };
}

export type ChannelSecrets = ReturnType<typeof createChannelSecrets>;
