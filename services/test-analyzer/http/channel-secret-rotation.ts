import { Problem } from "#contracts/kit/problem.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { readIdempotencyKey, reserveKey } from "../../kit/idempotency/idempotency-key.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { createSigningSecret } from "../domain/alert/signature.ts";
import type { ChannelSecrets } from "../jobs/channel-secrets.ts";
import type { RecipientParts } from "../jobs/recipients.ts";
import { type ChannelRow, updateChannel } from "../store/alert-channels.ts";
import { type AnalyzerDatabase, keyTable } from "../store/tables.ts";
import { audited } from "./channel-audit.ts";
import { createShowChannel } from "./show-channels.ts";

const hour = 3_600_000;

type RequireChannel = (caller: Identity, channelId: string) => Promise<ChannelRow>;

/** Replaces the signing secret of a webhook; the previous one also signs for the requested time. */
export function createRotateChannelSecret(
  parts: RecipientParts & { db: AnalyzerDatabase; clock: Clock; secrets: ChannelSecrets },
  require: RequireChannel,
): Handlers<typeof testAnalyzerContract>["rotateChannelSecret"] {
  const { db, clock, secrets } = parts;
  const showOne = createShowChannel(parts);

  return async function rotateChannelSecret({ caller, params, body, request, record, answerHeaders }) {
    const { organizationId } = caller;
    const key = readIdempotencyKey(request, body);
    const stored = await require(caller, params.channelId);
    if (stored.kind !== "webhook") throw new Problem("conflict", "Only webhooks have a signing secret.");
    const now = clock.now();
    const secret = createSigningSecret();
    const isStored = body.previousHours > 0;
    const rotated = {
      id: stored.id,
      organization_id: stored.organization_id,
      sealed_secret: secrets.seal(stored, "secret", secret),
      secret_created_at: now,
      sealed_previous_secret: isStored ? stored.sealed_secret : null,
      previous_secret_created_at: isStored ? stored.secret_created_at : null,
      previous_secret_until: isStored ? new Date(now.getTime() + body.previousHours * hour) : null,
      updated_at: now,
    };
    const row = await db.transaction().execute(async (transaction) => {
      const makes = stored.id;
      const isRepeated = key && (await reserveKey(transaction, keyTable, { ...key, organizationId, makes, now }));
      if (isRepeated) {
        await record(transaction);
        return undefined;
      }
      const changed = await updateChannel(transaction, rotated, [stored.version]);
      if (!changed) throw new Problem("conflict", "Someone else changed this channel at the same moment. Try again.");
      await record(transaction, {
        id: stored.id,
        before: audited(stored),
        after: { ...audited(changed), replaced: true },
      });
      return changed;
    });
    if (row) return await showOne(row, answerHeaders, secret);
    const changed = await require(caller, stored.id);
    return await showOne(changed, answerHeaders, secrets.getSigningSecrets(changed, now)[0]);
  };
}
