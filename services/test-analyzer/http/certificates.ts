import type { Certificate } from "#contracts/test-analyzer/certificates.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { pageFrom, readMomentCursor } from "../../kit/database/keyset.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { daysUntil, seenSince } from "../domain/alert/certificate-warnings.ts";
import { type CertificateRow, getWarnedDays, listCertificates } from "../store/certificates.ts";
import type { AnalyzerDatabase } from "../store/tables.ts";

function toCertificate(row: CertificateRow, now: Date): Certificate {
  const { id, host, valid_to: validTo, subject, issuer, api_id: apiId } = row;
  return {
    ...{ id, host, subject, issuer, apiId, validTo: validTo.toISOString(), daysLeft: daysUntil(validTo, now) },
    seenAt: row.seen_at.toISOString(),
    warnedDays: getWarnedDays(row, validTo) as Certificate["warnedDays"],
  };
}

/** Creates the handler for certificates of tested hosts. */
export function createCertificateHandlers({
  db,
  clock,
}: {
  db: AnalyzerDatabase;
  clock: Clock;
}): Pick<Handlers<typeof testAnalyzerContract>, "listCertificates"> {
  return {
    async listCertificates({ caller: { organizationId }, query: { limit, cursor, ...filter } }) {
      const now = clock.now();
      const after = cursor === undefined ? undefined : readMomentCursor(cursor);
      const page = { ...filter, seenSince: seenSince(now), after, limit };
      const rows = await listCertificates(db, organizationId, page);
      return pageFrom(
        rows,
        limit,
        ({ valid_to, id }) => [valid_to.toISOString(), id],
        (row) => toCertificate(row, now),
      );
    },
  };
}
