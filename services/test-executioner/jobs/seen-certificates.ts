import type { Logger } from "pino";
import type { ReceivedResponse } from "#contracts/test-executioner/attempts.ts";
import type { ExecutionEvent } from "#contracts/test-executioner/events.ts";
import { Cache } from "#libraries/cache/cache.ts";
import { logFailure } from "../../kit/database/database-problem.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import type { ClaimedExecution } from "../store/claims.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

const toldAgainMilliseconds = 24 * 60 * 60 * 1_000;
const mostRemembered = 10_000;

/** Takes note of the certificate that an answer came by. */
export type NoteCertificate = (
  execution: Pick<ClaimedExecution, "organization_id" | "api_id">,
  received: Pick<ReceivedResponse, "url" | "tls">,
) => void;

/**
 * Tells of certificates beside the results, once a day and process each: what is lost here is met again with the next
 * request.
 */
export function createSeenCertificates(parts: {
  db: ExecutionDatabase;
  publisher: Pick<Publisher<ExecutionEvent>, "publish">;
  log: Logger;
}): { note: NoteCertificate; settle(): Promise<unknown> } {
  const known = new Cache<true>({ maxSize: mostRemembered, maxAgeMilliseconds: toldAgainMilliseconds });
  const telling = new Set<Promise<void>>();

  async function tell(event: Parameters<typeof parts.publisher.publish>[1][number], key: string): Promise<void> {
    try {
      await parts.db.transaction().execute((transaction) => parts.publisher.publish(transaction, [event]));
    } catch (error) {
      known.delete(key);
      logFailure(parts.log, error, "a certificate could not be told of");
    }
  }

  return {
    note({ organization_id: organizationId, api_id: apiId }, { url, tls }) {
      // Some carry no time that can be read.
      if (!tls?.validTo) return;
      const { host } = new URL(url);
      const key = `${organizationId} ${host} ${tls.fingerprint256}`;
      if (known.get(key)) return;
      known.set(key, true);
      const { subject, issuer, validTo } = tls;
      const told = tell(
        {
          type: "certificate.seen",
          organizationId,
          resource: `certificate/${organizationId}/${host}`,
          payload: { host, apiId, subject, issuer, validTo },
        },
        key,
      ).finally(() => telling.delete(told));
      telling.add(told);
    },
    /** Waits for what is being told. */
    settle: () => Promise.all(telling),
  };
}
