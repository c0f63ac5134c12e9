import { randomUUID } from "node:crypto";
import type { OpenedCredential } from "#libraries/running/authorization.ts";
import type { Call } from "#libraries/suite/exploration/exploring.ts";
import type { PlanInput } from "#libraries/suite/plan/known.ts";
import { createEngine as createCheckEngine } from "../../cli/check/engine.ts";

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
  const engine = createCheckEngine([]);

  /** Sends to one server, with its key for whatever inherits a credential. */
  function connect({ origin, credential }: Target, input: PlanInput, signal: AbortSignal): Call {
    const items = credential ? [{ id: randomUUID(), name: "Own", ...credential }] : [];
    const runOne = engine.connect({
      ...{ baseUrl: origin, input, variables: {} },
      credentials: { items, bindings: [] },
    });
    return async ({ test, captures, effect }) => {
      const onlyOwn = effect ? { effect } : {};
      return await runOne({ test, captures, onlyOwn, mayRequireAuthentication: credential !== undefined }, signal);
    };
  }

  return { connect, stop: () => engine.stop() };
}

export type Engine = ReturnType<typeof createEngine>;
