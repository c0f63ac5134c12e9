import { uuidv7 } from "uuidv7";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { testRegistryContract } from "#contracts/test-registry/contract.ts";
import type { TestEvent } from "#contracts/test-registry/events.ts";
import { createTest } from "#contracts/test-registry/tests.ts";
import type { RecordChange } from "../../kit/audit/audit.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Publisher } from "../../kit/events/publisher.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import type { PlanLedger } from "../../kit/plan/plan-ledger.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { decideProposal, findProposal, type ProposalRow } from "../store/proposals.ts";
import type { TestDatabase, TestTransaction } from "../store/tables.ts";
import { findTest, insertTest, type TestRow, updateTest } from "../store/tests.ts";
import { auditedProposal, toProposal } from "./proposals.ts";
import type { RequireApi } from "./require-api.ts";
import type { RequireCredentials } from "./require-credentials.ts";
import { requireFiles } from "./require-files.ts";
import { audited, toColumns, toEvent } from "./tests.ts";

type DecisionHandlers = Pick<Handlers<typeof testRegistryContract>, "acceptTestProposal" | "rejectTestProposal">;

/** A draft is a program's until a person takes it over: no token decides, whatever its scopes. */
function requirePerson({ kind }: Identity): void {
  if (kind !== "user") throw new Problem("forbidden", "Only a signed-in person decides about a proposed test.");
}

const kindOfTest = String(createTest.audit);
const decidedAlready = () => new Problem("conflict", "This proposal was decided already.");
const changedMeanwhile = () =>
  new Problem("stale_version", "The test was changed in the meantime. Compare it with the proposal again.");

/** Creates the handlers that accept and reject proposed tests. */
export function createProposalDecisionHandlers(parts: {
  db: TestDatabase;
  clock: Clock;
  requireApi: RequireApi;
  requireCredentials: RequireCredentials;
  publisher: Publisher<TestEvent>;
  plans: PlanLedger;
}): DecisionHandlers {
  const { db, clock, requireApi, requireCredentials, publisher, plans } = parts;

  async function requireOpen({ organizationId }: Identity, proposalId: string): Promise<ProposalRow> {
    const proposal = await findProposal(db, { organizationId, proposalId });
    if (!proposal) throw notFound("proposal");
    if (proposal.state !== "open") throw decidedAlready();
    return proposal;
  }

  async function create(transaction: TestTransaction, proposal: ProposalRow, record: RecordChange, now: Date) {
    const { organization_id, api_id, test } = proposal;
    const columns = toColumns(test, now);
    const row: TestRow = { id: uuidv7(), organization_id, api_id, ...columns, version: 1, created_at: now };
    await insertTest(transaction, row);
    await record(transaction, { kind: kindOfTest, id: row.id, after: audited(row) });
    await plans.add(transaction, organization_id);
    await publisher.publish(transaction, [toEvent("test.created", row)]);
    return row;
  }

  async function change(
    transaction: TestTransaction,
    { test, test_id, organization_id }: ProposalRow & { test_id: string },
    { record, now, version }: { record: RecordChange; now: Date; version: number | null },
  ) {
    const before = await findTest(transaction, { organizationId: organization_id, testId: test_id });
    const row = { id: test_id, organization_id, ...toColumns(test, now, before?.definition) };
    const updated = version === null ? undefined : await updateTest(transaction, row, [version]);
    if (!before || !updated) throw changedMeanwhile();
    await record(transaction, { kind: kindOfTest, id: row.id, before: audited(before), after: audited(updated) });
    await publisher.publish(transaction, [toEvent("test.changed", updated)]);
    return updated;
  }

  return {
    async acceptTestProposal({ caller, params: { proposalId }, body, requestId, log, record }) {
      requirePerson(caller);
      const { organizationId } = caller;
      const proposal = await requireOpen(caller, proposalId);
      const { test_id: testId, test, api_id: apiId } = proposal;
      const stored = testId ? await findTest(db, { organizationId, testId }) : undefined;
      if (testId) await requireApi(caller, requestId, apiId);
      else await Promise.all([requireApi(caller, requestId, apiId), plans.require(organizationId, requestId)]);
      const named = { requested: test.request.authorization, stored: stored?.definition.request.authorization };
      await requireCredentials({ caller, requestId }, { ...named, pathPrefix: "test." });
      const now = clock.now();
      const [decided, accepted] = await db.transaction().execute(async (transaction) => {
        await requireFiles(transaction, organizationId, [{ test, pathPrefix: "test." }], now);
        const row = testId
          ? await change(transaction, { ...proposal, test_id: testId }, { record, now, version: body.testVersion })
          : await create(transaction, proposal, record, now);
        const decision = { state: "accepted", decided_by: caller.name, decided_at: now } as const;
        const owned = { organizationId, proposalId };
        const updated = await decideProposal(transaction, owned, { ...decision, accepted_test_id: row.id });
        // Another decision was stored first: the transaction removes this test again.
        if (!updated) throw decidedAlready();
        await record(transaction, {
          id: proposalId,
          before: auditedProposal(proposal),
          after: auditedProposal(updated),
        });
        return [updated, row] as const;
      });
      log.info({ proposalId, testId: accepted.id, userId: caller.userId }, "proposed test accepted");
      return toProposal(decided, testId ? accepted : undefined);
    },

    async rejectTestProposal({ caller, params: { proposalId }, log, record }) {
      requirePerson(caller);
      const { organizationId } = caller;
      const proposal = await requireOpen(caller, proposalId);
      const decision = { state: "rejected", decided_by: caller.name, decided_at: clock.now() } as const;
      const rejected = await db.transaction().execute(async (transaction) => {
        const owned = { organizationId, proposalId };
        const updated = await decideProposal(transaction, owned, { ...decision, accepted_test_id: null });
        if (!updated) throw decidedAlready();
        await record(transaction, {
          id: proposalId,
          before: auditedProposal(proposal),
          after: auditedProposal(updated),
        });
        return updated;
      });
      log.info({ proposalId, userId: caller.userId }, "proposed test rejected");
      return toProposal(rejected, undefined);
    },
  };
}
