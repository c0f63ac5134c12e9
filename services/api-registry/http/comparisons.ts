import type { OperationChange } from "#contracts/api-registry/comparisons.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { ChangedOperation, DocumentComparison } from "#libraries/openapi/comparison/compare-documents.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { IssueServiceToken } from "../../kit/identity/identity.ts";
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

export function createComparisonHandlers(
  context: RegistryContext,
  { testRegistry, serviceToken }: TestLookup,
): Pick<RegistryHandlers, "compareDocument"> {
  const { db, importer } = context;

  /** Returns a function that adds the affected tests to a change; nothing is added if they are unavailable. */
  async function findTests(
    caller: { organizationId: string; requestId: string },
    apiId: string,
    changes: OperationChange[],
  ): Promise<(change: OperationChange) => OperationChange> {
    const operations = changes.map(({ method, path }) => ({ method, path }));
    const client = testRegistry({ token: await serviceToken(caller.organizationId), requestId: caller.requestId });
    const found = await client.findTestsOfOperations({ params: { apiId }, body: { operations } });
    if (!found.ok) return (change) => change;
    const tests = new Map(found.value.items.map(({ method, path, ...rest }) => [`${method} ${path}`, rest]));
    return (change) => ({
      ...change,
      tests: tests.get(`${change.method.toLowerCase()} ${change.path}`) ?? { total: 0, items: [] },
    });
  }

  async function compare(organizationId: string, apiId: string, request: Request) {
    const api = await requireApi(context, organizationId, apiId);
    const session = await importer.open(request, organizationId);
    try {
      requireUsable(session.summary);
      return toChanges(await session.compareWith(readStoredDocument(db, api.current_document_id)));
    } finally {
      session.release();
    }
  }

  return {
    async compareDocument({ caller, params, request, requestId }) {
      const { organizationId } = caller;
      const comparison = await compare(organizationId, params.apiId, request);
      const { added, changed, removed, unchangedCount } = comparison;
      const changes = [...added, ...changed, ...removed];
      if (changes.length === 0 || !caller.scopes.includes("tests:read")) return comparison;
      const withTests = await findTests({ organizationId, requestId }, params.apiId, changes);
      return {
        added: added.map(withTests),
        changed: changed.map(withTests),
        removed: removed.map(withTests),
        unchangedCount,
      };
    },
  };
}
