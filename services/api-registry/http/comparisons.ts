import type { OperationChange } from "#contracts/api-registry/comparisons.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { ChangedOperation, DocumentComparison } from "#libraries/openapi/comparison/compare-documents.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
import type { EffectsByTest, ReviewedOperation } from "../jobs/import-messages.ts";
import type { ImportSession } from "../jobs/importer.ts";
import { readStoredDocument } from "../store/stored-document.ts";
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

export function createComparisonHandlers(
  context: RegistryContext,
  { testRegistry, serviceToken }: TestLookup,
): Pick<RegistryHandlers, "compareDocument"> {
  const { db, importer } = context;

  /** Undefined if they are unavailable. */
  async function findTests(
    caller: { organizationId: string; requestId: string },
    apiId: string,
    changes: readonly OperationChange[],
  ) {
    const operations = changes.map(({ method, path, pathBefore = path }) => ({ method, path: pathBefore }));
    const client = testRegistry({ token: await serviceToken(caller.organizationId), requestId: caller.requestId });
    const body = { operations, withDefinitions: true };
    const found = await client.findTestsOfOperations({ params: { apiId }, body });
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
      ...(circles ? { circles } : {}),
      ...(effects[id] ? { effects: effects[id] } : {}),
    }));
    return { ...change, tests: { total: found?.total ?? 0, items } };
  }

  return {
    async compareDocument({ caller, params, request, requestId }) {
      const { organizationId } = caller;
      const api = await requireApi(context, organizationId, params.apiId);
      const session = await importer.open(request, organizationId);
      try {
        requireUsable(session.summary);
        const comparison = toChanges(await session.compareWith(readStoredDocument(db, api.current_document_id)));
        const { added, changed, removed, unchangedCount } = comparison;
        const changes = [...added, ...changed, ...removed].filter(({ kind }) => kind === "operation");
        if (changes.length === 0 || !caller.scopes.includes("tests:read")) return comparison;
        const tests = await findTests({ organizationId, requestId }, params.apiId, changes);
        if (!tests) return comparison;
        const effects = await review(session, comparison, tests);
        const add = (change: OperationChange) => addTests(change, tests, effects);
        return { added: added.map(add), changed: changed.map(add), removed: removed.map(add), unchangedCount };
      } finally {
        session.release();
      }
    },
  };
}
