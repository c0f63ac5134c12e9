import { uuidv7 } from "uuidv7";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import { maxOpenProposals, type ProposalFindings, type TestProposal } from "#contracts/test-registry/test-proposals.ts";
import type { TestInput } from "#contracts/test-registry/tests.ts";
import type { Connect } from "../../kit/client/client.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import { pageFrom } from "../../kit/database/keyset.ts";
import type { Identity, IssueServiceToken } from "../../kit/identity/identity.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { findTestErrors } from "../domain/test-rules.ts";
import {
  countProposals,
  findProposal,
  insertProposal,
  listProposals,
  lockProposals,
  type ProposalRow,
  removeDecided,
} from "../store/proposals.ts";
import type { TestDatabase } from "../store/tables.ts";
import { listTests } from "../store/test-lists.ts";
import { findTest, findTests, type TestRow } from "../store/tests.ts";
import type { RequireApi } from "./require-api.ts";
import { toTest } from "./tests.ts";

type ProposalHandlers = Pick<
  Handlers<typeof testRegistryContract>,
  "proposeTest" | "listTestProposals" | "getTestProposal"
>;

/** For which decided proposals are stored. */
const retentionMilliseconds = 90 * 24 * 60 * 60 * 1_000;
/** Tests of the operation whose recorded responses may serve. */
const maxTests = 20;

export function toProposal(row: ProposalRow, current: TestRow | undefined): TestProposal {
  const { decided_by: by, decided_at: at, accepted_test_id: testId } = row;
  return {
    id: row.id,
    apiId: row.api_id,
    testId: row.test_id,
    testVersion: row.test_version,
    test: row.test,
    reason: row.reason,
    findings: row.findings,
    state: row.state,
    proposedBy: row.proposed_by,
    createdAt: row.created_at.toISOString(),
    decided: by !== null && at !== null ? { by, at: at.toISOString(), testId } : null,
    current: current ? toTest(current) : null,
  };
}

/** For audit records: a request may contain typed-in secrets. */
export const auditedProposal = ({ api_id, test_id, test, state }: ProposalRow) => ({
  ...{ apiId: api_id, testId: test_id, state },
  ...{ name: test.name, method: test.method, path: test.path },
});

const prefixed = ({ path, message }: { path: string; message: string }) => ({ path: `test.${path}`, message });

/** Creates the handlers of proposed tests, except for those that decide. */
export function createProposalHandlers(parts: {
  db: TestDatabase;
  clock: Clock;
  requireApi: RequireApi;
  testExecutioner: Connect<typeof testExecutionerContract>;
  serviceToken: IssueServiceToken;
}): ProposalHandlers {
  const { db, clock, requireApi } = parts;

  /** The test to change, which must be of this API and operation. */
  async function requireChanged({ organizationId }: Identity, apiId: string, testId: string, input: TestInput) {
    const row = await findTest(db, { organizationId, testId });
    if (row?.api_id !== apiId) throw notFound("test");
    if (row.method === input.method && row.path === input.path) return row;
    const message = `This test sends ${row.method.toUpperCase()} ${row.path}. Propose a new test for another operation.`;
    throw new Problem("invalid_input", undefined, { errors: [{ path: "test.path", message }] });
  }

  /** A proposal is worth storing without it, so that a missing executioner is no failure. */
  async function judge(
    { organizationId }: Identity,
    requestId: string,
    { apiId, testId, test }: { apiId: string; testId?: string; test: TestInput },
  ): Promise<ProposalFindings> {
    const { method, path } = test;
    const page = { sort: "-updatedAt", limit: maxTests } as const;
    const tests = await listTests(db, { organizationId, apiId, method, path }, page);
    const others = tests.map(({ id }) => id).filter((id) => id !== testId);
    const testIds = [...(testId ? [testId] : []), ...others].slice(0, maxTests);
    const unknown = { changes: 0, noticed: 0, setAside: 0, missed: [] };
    if (testIds.length === 0) return { state: "no_response", ...unknown };
    const client = parts.testExecutioner({ token: await parts.serviceToken(organizationId), requestId });
    const judged = await client.judgeProposedTest({ params: { apiId }, body: { test, testIds } });
    return judged.ok ? judged.value : { state: "not_judged", ...unknown };
  }

  return {
    async proposeTest({ caller, params: { apiId }, body, requestId, log, record }) {
      const { organizationId } = caller;
      const { testId, test, reason } = body;
      const errors = findTestErrors(test).map(prefixed);
      if (errors.length > 0) throw new Problem("invalid_input", undefined, { errors });
      await requireApi(caller, requestId, apiId);
      const current = testId === undefined ? undefined : await requireChanged(caller, apiId, testId, test);
      const findings = await judge(caller, requestId, { apiId, testId, test });
      const now = clock.now();
      const row: ProposalRow = {
        ...{ id: uuidv7(), organization_id: organizationId, api_id: apiId },
        ...{ test_id: current?.id ?? null, test_version: current?.version ?? null },
        ...{ test, reason, findings, state: "open" as const },
        ...{ proposed_by: { name: caller.name, apiToken: caller.apiToken ?? null }, created_at: now },
        ...{ decided_by: null, decided_at: null, accepted_test_id: null },
      };
      await db.transaction().execute(async (transaction) => {
        await lockProposals(transaction, apiId);
        await removeDecided(transaction, organizationId, new Date(now.getTime() - retentionMilliseconds));
        if ((await countProposals(transaction, { organizationId, apiId, state: "open" })) >= maxOpenProposals)
          throw new Problem("conflict", "Too many proposals wait for a decision. Accept or reject some first.");
        await insertProposal(transaction, row);
        await record(transaction, { id: row.id, after: auditedProposal(row) });
      });
      log.info({ proposalId: row.id, apiId, userId: caller.userId }, "test proposed");
      return toProposal(row, current);
    },

    async listTestProposals({ caller, params: { apiId }, query, requestId }) {
      const { organizationId } = caller;
      const filter = { organizationId, apiId, state: query.state };
      const rows = await listProposals(db, filter, query);
      if (rows.length === 0) await requireApi(caller, requestId, apiId);
      const testIds = rows.flatMap(({ test_id }) => test_id ?? []);
      const tests = testIds.length > 0 ? await findTests(db, organizationId, testIds) : [];
      const show = (row: ProposalRow) =>
        toProposal(
          row,
          tests.find(({ id }) => id === row.test_id),
        );
      const page = pageFrom(rows, query.limit, ({ id }) => [id], show);
      return query.cursor === undefined ? { ...page, total: await countProposals(db, filter) } : page;
    },

    async getTestProposal({ caller: { organizationId }, params: { proposalId } }) {
      const row = await findProposal(db, { organizationId, proposalId });
      if (!row) throw notFound("proposal");
      const testId = row.test_id;
      return toProposal(row, testId ? await findTest(db, { organizationId, testId }) : undefined);
    },
  };
}
