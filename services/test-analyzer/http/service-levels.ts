import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { testAnalyzerContract } from "#contracts/test-analyzer/contract.ts";
import type { ServiceLevel } from "#contracts/test-analyzer/service-levels.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { entityTag, parseIfMatch } from "../../kit/service/entity-tag.ts";
import type { Handlers } from "../../kit/service/service.ts";
import type { MeasureLevels } from "../jobs/measure-levels.ts";
import {
  findServiceLevels,
  putServiceLevel,
  removeServiceLevel,
  type ServiceLevelRow,
} from "../store/service-levels.ts";
import type { AnalyzerDatabase } from "../store/tables.ts";
import { requireCircle } from "./own-circle.ts";

type LevelHandlers = Pick<
  Handlers<typeof testAnalyzerContract>,
  "listServiceLevels" | "getServiceLevel" | "setServiceLevel" | "deleteServiceLevel"
>;

function toServiceLevel({
  test_circle_id,
  objective,
  days,
  counts,
  burning_since,
  version,
  created_at,
  updated_at,
}: ServiceLevelRow): ServiceLevel {
  return {
    ...{ testCircleId: test_circle_id, objective, days, counts, version },
    burningSince: burning_since?.toISOString() ?? null,
    ...{ createdAt: created_at.toISOString(), updatedAt: updated_at.toISOString() },
  };
}

const audited = ({ objective, days, counts, version }: ServiceLevelRow) => ({ objective, days, counts, version });

const stale = () =>
  new Problem("stale_version", "Someone else changed this service level in the meantime. View again.");

/** Creates the handlers for service levels, at most one per circle. */
export function createServiceLevelHandlers(parts: {
  db: AnalyzerDatabase;
  clock: Clock;
  testRegistry: Connect<typeof testRegistryContract>;
  measureLevels: MeasureLevels;
}): LevelHandlers {
  const { db, clock, measureLevels } = parts;

  async function listMeasured(organizationId: string, testCircleIds: string[], requestId: string) {
    const rows = await findServiceLevels(db, organizationId, testCircleIds);
    const measured = await measureLevels(organizationId, rows, requestId);
    return rows.map((row, index) => ({ ...toServiceLevel(row), measured: measured[index]! }));
  }

  return {
    async listServiceLevels({ caller: { organizationId }, query, requestId }) {
      return { items: await listMeasured(organizationId, query.testCircleIds, requestId) };
    },

    async getServiceLevel({ caller: { organizationId }, params, requestId, answerHeaders }) {
      const [level] = await listMeasured(organizationId, [params.testCircleId], requestId);
      if (!level) throw notFound("service level");
      answerHeaders.set("etag", entityTag(level.version));
      return level;
    },

    async setServiceLevel({ caller, params: { testCircleId }, body, request, requestId, record, answerHeaders }) {
      await requireCircle(parts.testRegistry, caller, testCircleId, requestId);
      const { organizationId } = caller;
      const [stored] = await findServiceLevels(db, organizationId, [testCircleId]);
      const now = clock.now();
      const row = {
        ...{ organization_id: organizationId, test_circle_id: testCircleId, ...body },
        ...{ created_at: now, updated_at: now },
      };
      const written = await db.transaction().execute(async (transaction) => {
        const level = await putServiceLevel(transaction, row, parseIfMatch(request.headers.get("if-match")));
        if (!level) throw stale();
        await record(transaction, {
          id: testCircleId,
          ...(stored && { before: audited(stored) }),
          after: audited(level),
        });
        return level;
      });
      answerHeaders.set("etag", entityTag(written.version));
      return toServiceLevel(written);
    },

    async deleteServiceLevel({ caller: { organizationId }, params: { testCircleId }, request, record }) {
      const [stored] = await findServiceLevels(db, organizationId, [testCircleId]);
      if (!stored) throw notFound("service level");
      await db.transaction().execute(async (transaction) => {
        const versions = parseIfMatch(request.headers.get("if-match"));
        const removed = await removeServiceLevel(transaction, organizationId, testCircleId, versions);
        if (!removed) throw stale();
        await record(transaction, { id: testCircleId, before: audited(removed) });
      });
      return undefined;
    },
  };
}
