import { randomUUID } from "node:crypto";
import type { OperationWithComponents } from "#contracts/api-registry/operations.ts";
import { defaultSettings } from "#contracts/kit/setting-defaults.ts";
import type { Test, TestInput } from "#contracts/test-registry/tests.ts";
import type { Egress } from "#libraries/egress/egress.ts";
import { createJudging } from "#libraries/judging/judging.ts";
import { createHiding } from "#libraries/running/hiding/hiding.ts";
import { type RunningParts, runTest } from "#libraries/running/run-test.ts";
import { createAccessTokens } from "#libraries/running/sending/access-tokens.ts";
import type { TestResult, TestToRun } from "#libraries/running/test-to-run.ts";
import { type PlanInput, toKey } from "#libraries/suite/plan/known.ts";
import { openEgress, userAgent } from "../document/open-egress.ts";
import type { Credentials } from "./credentials.ts";

/** One test as a member of a run, with what the run knows. */
export type TestCall = Pick<TestToRun, "captures"> &
  Partial<
    Pick<
      TestToRun,
      "row" | "cookies" | "onlyOwn" | "explainMissing" | "explainNothingToDo" | "mayRequireAuthentication"
    >
  > & {
    test: TestInput;
    id?: string;
    /** Of its circle; they precede those of the command. */
    variables?: Readonly<Record<string, string>>;
  };

export type RunOne = (call: TestCall, signal: AbortSignal) => Promise<TestResult>;

export interface Engine {
  egress: Egress;
  /** Sends to one server, with these credentials where a test inherits its authorization. */
  connect(target: {
    baseUrl: string;
    input: PlanInput;
    credentials: Pick<Credentials, "items" | "bindings">;
    variables: Readonly<Record<string, string>>;
  }): RunOne;
  stop(): Promise<void>;
}

const owner = "command line";

/**
 * The engine that the portal runs tests with, in this process: nothing is stored.
 * @param urls addresses that are requested even if they are on this machine or in a private network
 */
export function createEngine(urls: readonly string[]): Engine {
  const egress = openEgress(urls);
  const judging = createJudging();
  // It starts while the document is read.
  judging.prepare();
  const hiding = createHiding();
  const clock = { now: () => new Date() };
  const accessTokens = createAccessTokens({ egress, clock });

  return {
    egress,
    connect({ baseUrl, input: { operations }, credentials: { items, bindings }, variables }) {
      const described = new Map<string, OperationWithComponents>(operations.map((one) => [toKey(one.operation), one]));
      const authorizationConfigs = bindings.map((binding) => ({ ...binding }));
      const parts: RunningParts = {
        ...{ egress, judging, hiding, userAgent, clock },
        settings: { current: () => ({ ...defaultSettings, verifiedDomainsOnly: false }) },
        findHostRules: async () => ({
          isVerified: true,
          ruledBy: null,
          unsafeMethods: "allowed",
          authorizationConfigs,
        }),
        findFile: async () => undefined,
        openCredentials: async () => ({ items, refused: [] }),
        accessTokens,
      };
      return async ({ test, id = randomUUID(), variables: own = {}, ...call }, signal) =>
        await runTest(
          parts,
          {
            ...{ organizationId: owner, test: toStored(test, id), baseUrls: [baseUrl], isConfirmed: true },
            findVariable: (name) => own[name] ?? variables[name],
            ...call,
            findOperation: async () => described.get(toKey(test)),
          },
          { signal },
        );
    },
    async stop() {
      await judging.stop();
      hiding.stop();
      await egress.close();
    },
  };
}

function toStored(test: TestInput, id: string): Test {
  return { ...test, id, apiId: owner, version: 1, createdAt: "", updatedAt: "" } as Test;
}
