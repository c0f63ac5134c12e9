import { randomUUID } from "node:crypto";
import { defaultSettings } from "#contracts/kit/setting-defaults.ts";
import type { Test } from "#contracts/test-registry/tests.ts";
import { createEgress } from "#libraries/egress/egress.ts";
import { createJudging } from "#libraries/judging/judging.ts";
import type { OpenedCredential } from "#libraries/running/authorization.ts";
import { createHiding } from "#libraries/running/hiding/hiding.ts";
import { type RunningParts, runTest } from "#libraries/running/run-test.ts";
import type { Call } from "#libraries/suite/exploration/exploring.ts";
import { type PlanInput, toKey } from "#libraries/suite/plan/known.ts";

export interface Target {
  /** Where operations are that the document has no whole address of. */
  origin: string;
  /** Sent with whatever inherits its authorization. */
  credential?: Pick<OpenedCredential, "type" | "settings" | "secret"> | undefined;
}

export const toCredential = ({ header, key }: { header: string; key: string }): Target["credential"] => ({
  ...{ type: "apiKey", settings: { in: "header", parameterName: header }, secret: key },
});

/** The engine that runs tests, as the worker has it, without a database and without a pace. */
export function createEngine() {
  const egress = createEgress({ policy: { allow: [], allowLoopback: true, ownTargets: [] } });
  const judging = createJudging();
  const hiding = createHiding();

  /** Sends to one server, with its key for whatever inherits a credential. */
  function connect({ origin, credential }: Target, { operations }: PlanInput, signal: AbortSignal): Call {
    const described = new Map(operations.map((one) => [toKey(one.operation), one]));
    const items = credential ? [{ id: randomUUID(), name: "Own", ...credential }] : [];
    const parts: RunningParts = {
      ...{ egress, judging, hiding, clock: { now: () => new Date() }, userAgent: "bench-exploration" },
      settings: { current: () => ({ ...defaultSettings, verifiedDomainsOnly: false }) },
      findHostRules: async () => ({
        ...{ isVerified: true, ruledBy: null, unsafeMethods: "allowed", authorizationConfigs: [] },
      }),
      findFile: async () => undefined,
      openCredentials: async () => ({ items, refused: [] }),
      accessTokens: { require: async () => "", renew: async () => "" },
    };
    const stored = { id: randomUUID(), apiId: randomUUID(), version: 1, createdAt: "", updatedAt: "" };
    return async ({ test, captures, effect }) =>
      await runTest(
        parts,
        {
          ...{ organizationId: "bench", test: { ...test, ...stored } as Test, captures, baseUrls: [origin] },
          ...{ findVariable: () => undefined, isConfirmed: true, mayRequireAuthentication: credential !== undefined },
          findOperation: async () => described.get(toKey(test)),
          onlyOwn: effect ? { effect } : {},
        },
        { signal },
      );
  }

  return {
    connect,
    async stop() {
      await judging.stop();
      hiding.stop();
      await egress.close();
    },
  };
}

export type Engine = ReturnType<typeof createEngine>;
