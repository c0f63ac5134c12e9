import type { z } from "zod";
import type { compareDocument, LifeChange, OperationChange } from "#contracts/api-registry/comparisons.ts";
import type { circleOfTest } from "#contracts/test-registry/affected-tests.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { ChangedOperation, DocumentComparison } from "#libraries/openapi/comparison/compare-documents.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import { moveBaseUrls } from "../domain/moved-base-urls.ts";
import type { EffectsByTest, PreviousPart, ReviewedOperation } from "../jobs/import-messages.ts";
import type { ImportSession } from "../jobs/importer.ts";
import type { VersionReview } from "../jobs/review-versions.ts";
import type { ApiRow } from "../store/apis.ts";
import { listEnvironments } from "../store/environments.ts";
import { readStoredDocument, readStoredGraph } from "../store/stored-document.ts";
import type { RegistryDatabase } from "../store/tables.ts";
import { type RegistryContext, type RegistryHandlers, requireApi } from "./context.ts";
import { requireUsable } from "./source.ts";

export interface TestLookup {
  testRegistry: Connect<typeof testRegistryContract>;
  serviceToken: IssueServiceToken;
}

function toChange(change: ChangedOperation): OperationChange {
  return { ...change, reasons: change.changes.map(({ sentence }) => sentence) };
}

function toChanges({ added, changed, removed, unchangedCount }: DocumentComparison) {
  return { added: added.map(toChange), changed: changed.map(toChange), removed: removed.map(toChange), unchangedCount };
}

/** An operation's tests are those of its path in the current version. */
const toKey = ({ method, path, pathBefore = path }: Pick<OperationChange, "method" | "path" | "pathBefore">) =>
  `${method.toLowerCase()} ${pathBefore}`;

const maxCirclesOfLife = 10;

const toCircle = ({ id, name, schedules }: z.infer<typeof circleOfTest>) => ({ id, name, schedules });

async function* readStored(db: RegistryDatabase, documentId: string): AsyncGenerator<PreviousPart> {
  yield* readStoredDocument(db, documentId);
  yield* readStoredGraph(db, documentId);
}

interface Asking {
  organizationId: string;
  requestId: string;
  apiId: string;
}

export type Compared = z.output<NonNullable<typeof compareDocument.response>>;
/** Compares a session's document with the current version. @param asking for the tests; undefined: without them */
export type Compare = (session: ImportSession, api: ApiRow, asking: Asking | undefined) => Promise<Compared>;

export function createCompare(
  { db }: Pick<RegistryContext, "db">,
  { testRegistry, serviceToken }: TestLookup,
): Compare {
  /** Undefined if they are unavailable. */
  async function findTests(
    { organizationId, requestId, apiId }: Asking,
    operations: { method: string; path: string }[],
    parts: { withDefinitions: true } | { withCircles: true },
  ) {
    if (operations.length === 0) return new Map<string, never>();
    const client = testRegistry({ token: await serviceToken(organizationId), requestId });
    const found = await client.findTestsOfOperations({ params: { apiId }, body: { operations, ...parts } });
    return found.ok ? new Map(found.value.items.map((item) => [toKey(item), item])) : undefined;
  }
  type FoundTests = NonNullable<Awaited<ReturnType<typeof findTests>>>;

  async function review(
    session: ImportSession,
    { changed, removed }: ReturnType<typeof toChanges>,
    tests: FoundTests,
  ): Promise<EffectsByTest> {
    const toReviewed = (change: OperationChange, pathAfter: string | undefined): ReviewedOperation[] => {
      const items = tests.get(toKey(change))?.items ?? [];
      const reviewed = items.flatMap(({ id, definition }) => (definition ? [{ id, test: definition }] : []));
      const { method, path, pathBefore = path } = change;
      return reviewed.length > 0 ? [{ method, path: pathBefore, pathAfter, tests: reviewed }] : [];
    };
    const operations = [
      ...changed.flatMap((change) => toReviewed(change, change.path)),
      ...removed.flatMap((change) => toReviewed(change, undefined)),
    ];
    return operations.length > 0 ? await session.review(operations) : {};
  }

  function addTests(change: OperationChange, tests: FoundTests, effects: EffectsByTest): OperationChange {
    const found = tests.get(toKey(change));
    const items = (found?.items ?? []).map(({ id, name, circles }) => ({
      id,
      name,
      ...(circles ? { circles: circles.map(toCircle) } : {}),
      ...(effects[id] ? { effects: effects[id] } : {}),
    }));
    return { ...change, tests: { total: found?.total ?? 0, items } };
  }

  /** With the circles that name a test which creates one. */
  async function addCircles(
    lives: NonNullable<VersionReview["lives"]>,
    asking: Asking | undefined,
  ): Promise<{ items: LifeChange[]; moreCount: number }> {
    const operations = lives.lives.flatMap(({ create }) => create ?? []);
    const tests = asking && (await findTests(asking, operations, { withCircles: true }));
    const items = lives.lives.map(({ create, ...life }) => {
      if (!tests) return life;
      const found = (create && tests.get(toKey(create))?.items) ?? [];
      const circles = found.flatMap((one) => (one.circles ?? []).filter(({ isMember }) => isMember));
      const byId = new Map(circles.map((circle) => [circle.id, toCircle(circle)]));
      return { ...life, circles: [...byId.values()].slice(0, maxCirclesOfLife) };
    });
    return { items, moreCount: lives.moreCount };
  }

  return async (session, api, asking) => {
    const compared = await session.compareWith(readStored(db, api.current_document_id));
    const { lives, movedPrefix } = compared.review;
    const comparison = toChanges(compared.comparison);
    const { added, changed, removed, unchangedCount } = comparison;
    const environments = movedPrefix ? await listEnvironments(db, api.id) : [];
    const more = {
      ...(lives ? { lives: await addCircles(lives, asking) } : {}),
      baseUrls: moveBaseUrls(movedPrefix, { baseUrl: api.base_url, environments }),
    };
    const changes = [...added, ...changed, ...removed].filter(({ kind }) => kind === "operation");
    if (changes.length === 0 || !asking) return { ...comparison, ...more };
    const operations = changes.map(({ method, path, pathBefore = path }) => ({ method, path: pathBefore }));
    const tests = await findTests(asking, operations, { withDefinitions: true });
    if (!tests) return { ...comparison, ...more };
    const effects = await review(session, comparison, tests);
    const add = (change: OperationChange) => addTests(change, tests, effects);
    return { added: added.map(add), changed: changed.map(add), removed: removed.map(add), unchangedCount, ...more };
  };
}

export function createComparisonHandlers(
  context: RegistryContext,
  compare: Compare,
): Pick<RegistryHandlers, "compareDocument"> {
  return {
    async compareDocument({ caller, params, request, requestId }) {
      const { organizationId } = caller;
      const api = await requireApi(context, organizationId, params.apiId);
      const session = await context.importer.open(request, organizationId);
      try {
        requireUsable(session.summary);
        const asking = caller.scopes.includes("tests:read") ? { organizationId, requestId, apiId: api.id } : undefined;
        return await compare(session, api, asking);
      } finally {
        session.release();
      }
    },
  };
}
