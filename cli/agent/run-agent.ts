import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createEgress } from "#libraries/egress/egress.ts";
import { createJudging } from "#libraries/judging/judging.ts";
import { createHiding } from "#libraries/running/hiding/hiding.ts";
import { createAccessTokens } from "#libraries/running/sending/access-tokens.ts";
import { CommandError, type ExitCode, exitCodes } from "../exit-codes.ts";
import { productVersion } from "../version.ts";
import { defaultFolder, requireAgent } from "./agent-file.ts";
import { parseAllowed } from "./allowed-targets.ts";
import { createLog } from "./log.ts";
import { Outbox } from "./outbox.ts";
import { AgentCalls, PortalCalls, type PortalOptions } from "./portal-calls.ts";
import { ResultSender } from "./result-sender.ts";
import type { SharedParts } from "./task.ts";
import { TaskRunner } from "./task-runner.ts";
import { WorkLoop } from "./work-loop.ts";

export interface AgentFlags extends PortalOptions {
  allow: string[];
  concurrency?: string;
  folder?: string;
  json?: true;
  secrets?: string;
}

const defaultConcurrency = 32;
const maxConcurrency = 500;
/** How long running tests may take after SIGTERM. */
const stopMilliseconds = 30_000;

/** Runs the tests of a location until it is stopped or revoked. */
export async function runAgent({ folder = defaultFolder(), ...flags }: AgentFlags): Promise<ExitCode> {
  const concurrency = parseConcurrency(flags.concurrency);
  const { targets: allow, onlyListed } = parseAllowed(flags.allow);
  const stored = await requireAgent(folder);
  const log = createLog(flags.json === true, (line) => void process.stdout.write(line));
  const portal = await PortalCalls.open(stored.url, flags);
  const calls = await AgentCalls.open(stored, portal);
  const outbox = new Outbox(join(folder, "results"));
  await outbox.load();
  const clock = { now: () => calls.now() };
  const userAgent = `api-assurance-agent/${productVersion}`;
  const egress = createEgress({ policy: { allow, allowLoopback: false, onlyListed, ownTargets: [] }, userAgent });
  const judging = createJudging();
  const hiding = createHiding();
  const shared: SharedParts = {
    ...{ egress, judging, hiding, clock, userAgent },
    accessTokens: createAccessTokens({ egress, clock }),
  };
  const prefix = flags.secrets ?? "ASSURANCE_SECRET_";
  const secrets = { prefix, find: (name: string) => process.env[name] };
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  const sender = new ResultSender({ calls, outbox, log });
  const runner = new TaskRunner({ shared, keys: stored.keys, secrets, log, onResult: (result) => sender.add(result) });
  log.info(`agent ${productVersion} of ${stored.locationName} started`, { concurrency, waiting: outbox.size });
  try {
    await new WorkLoop({ calls, runner, sender, outbox, log, concurrency }).run(stopping.signal);
    log.info("stopping", { running: runner.size });
    await Promise.race([runner.whenIdle(), pause(stopMilliseconds, undefined, { ref: false })]);
    await handBack(calls, runner);
    await sender.finish();
    return exitCodes.passed;
  } finally {
    process.off("SIGTERM", stop);
    process.off("SIGINT", stop);
    await sender.stop();
    await judging.stop();
    hiding.stop();
    await egress.close();
    await portal.close();
  }
}

/** What has not ended starts again with another agent, at once instead of after its lease. */
async function handBack(calls: AgentCalls, runner: TaskRunner): Promise<void> {
  const handedBack = runner.interrupt();
  if (handedBack.length === 0) return;
  await calls.post("/api/v1/agent-leases", { handedBack }, { seconds: 5 }).catch(() => {});
}

function parseConcurrency(text: string | undefined): number {
  if (text === undefined) return defaultConcurrency;
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= maxConcurrency) return number;
  throw new CommandError(
    exitCodes.usage,
    `--concurrency takes a whole number from 1 to ${maxConcurrency}, got "${text}".`,
  );
}
