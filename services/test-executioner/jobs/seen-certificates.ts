import type { Logger } from "pino";
import type { ReceivedResponse } from "#contracts/test-executioner/attempts.ts";
import type { ExecutionEvent } from "#contracts/test-executioner/events.ts";
import { Cache } from "#libraries/cache/cache.ts";
import { logFailure } from "../../kit/database/database-problem.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import type { ClaimedExecution } from "../store/claims.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

const republishMilliseconds = 24 * 60 * 60 * 1_000;
const maxRemembered = 10_000;

/** Records the certificate of a response. */
export type NoteCertificate = (
  execution: Pick<ClaimedExecution, "organization_id" | "api_id">,
  received: Pick<ReceivedResponse, "url" | "tls">,
) => void;

/**
 * Reports certificates separately from results, once a day per process: one that is lost is reported with the next
 * request.
 */
export function createSeenCertificates(parts: {
  db: ExecutionDatabase;
  publisher: Pick<Publisher<ExecutionEvent>, "publish">;
  log: Logger;
}): { note: NoteCertificate; settle(): Promise<unknown> } {
  const known = new Cache<true>({ maxSize: maxRemembered, maxAgeMilliseconds: republishMilliseconds });
  const publishing = new Set<Promise<void>>();

  async function publish(event: Parameters<typeof parts.publisher.publish>[1][number], key: string): Promise<void> {
    try {
      await parts.db.transaction().execute((transaction) => parts.publisher.publish(transaction, [event]));
    } catch (error) {
      known.delete(key);
      logFailure(parts.log, error, "a certificate could not be reported");
    }
  }

  return {
    note({ organization_id: organizationId, api_id: apiId }, { url, tls }) {
      // Some have no readable expiry.
      if (!tls?.validTo) return;
      const { host } = new URL(url);
      const key = `${organizationId} ${host} ${tls.fingerprint256}`;
      if (known.get(key)) return;
      known.set(key, true);
      const { subject, issuer, validTo } = tls;
      const published = publish(
        {
          type: "certificate.seen",
          organizationId,
          resource: `certificate/${organizationId}/${host}`,
          payload: { host, apiId, subject, issuer, validTo },
        },
        key,
      ).finally(() => publishing.delete(published));
      publishing.add(published);
    },
    /** Waits for pending reports. */
    settle: () => Promise.all(publishing),
  };
}
