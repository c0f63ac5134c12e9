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
import { HeldOccurrences } from "./held-occurrences.ts";
import { createLog } from "./log.ts";
import { OccurrenceReporter } from "./occurrence-reporter.ts";
import { OccurrenceStarter } from "./occurrence-starter.ts";
import { Outbox } from "./outbox.ts";
import { createReadVault, parseVault, type VaultFlags } from "./own-vault.ts";
import { Plan } from "./plan.ts";
import { AgentCalls, PortalCalls, type PortalOptions } from "./portal-calls.ts";
import { ResultSender } from "./result-sender.ts";
import type { SharedParts } from "./task.ts";
import { TaskRunner } from "./task-runner.ts";
import { WorkLoop } from "./work-loop.ts";

export interface AgentFlags extends PortalOptions, VaultFlags {
  allow: string[];
  concurrency?: string;
  folder?: string;
  json?: true;
  secrets?: string;
  startAfter?: string;
}

const defaultConcurrency = 32;
const maxConcurrency = 500;
const defaultStartAfterSeconds = 30;
/** Seconds: enough for the portal to start an occurrence itself, and less than its scheduler treats as on time. */
const startAfterRange = [5, 50] as const;
/** How long running tests may take after SIGTERM. */
const stopMilliseconds = 30_000;

/** Runs the tests of a location until it is stopped or revoked. */
export async function runAgent({ folder = defaultFolder(), ...flags }: AgentFlags): Promise<ExitCode> {
  const concurrency = parseWhole("--concurrency", flags.concurrency, [1, maxConcurrency]) ?? defaultConcurrency;
  const startAfter = parseWhole("--start-after", flags.startAfter, startAfterRange) ?? defaultStartAfterSeconds;
  const { targets: allow, onlyListed } = parseAllowed(flags.allow);
  const vault = parseVault(flags, process.env);
  const stored = await requireAgent(folder);
  const log = createLog(flags.json === true, (line) => void process.stdout.write(line));
  const portal = await PortalCalls.open(stored.url, flags);
  const calls = await AgentCalls.open(stored, portal);
  const outbox = new Outbox(join(folder, "results"));
  await outbox.load();
  const held = new HeldOccurrences(join(folder, "occurrences"));
  await held.load();
  const plan = new Plan(folder);
  await plan.load();
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
  const readVault = createReadVault(vault, egress);
  const secrets = { prefix, find: (name: string) => process.env[name], readVault };
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  const sender = new ResultSender({ calls, outbox, log });
  const running = { shared, keys: stored.keys, secrets, log };
  const runner = new TaskRunner({ ...running, onResult: (result) => sender.add(result) });
  const startAfterMilliseconds = startAfter * 1_000;
  const starter = new OccurrenceStarter({ ...running, calls, plan, held, concurrency, startAfterMilliseconds });
  const readsVault = vault !== undefined;
  const reporter = new OccurrenceReporter({ calls, plan, held, starter, sender, outbox, log, readsVault });
  const countBlocked = () => runner.blocked + starter.blocked;
  const waiting = outbox.size + held.size;
  log.info(`agent ${productVersion} of ${stored.locationName} started`, { concurrency, waiting });
  try {
    starter.start();
    await new WorkLoop({ calls, runner, sender, outbox, reporter, log, concurrency, countBlocked, readsVault }).run(
      stopping.signal,
    );
    starter.end();
    log.info("stopping", { running: runner.size });
    const idle = Promise.all([runner.whenIdle(), starter.whenIdle()]);
    await Promise.race([idle, pause(stopMilliseconds, undefined, { ref: false })]);
    await handBack(calls, runner);
    await sender.finish();
    return exitCodes.passed;
  } finally {
    process.off("SIGTERM", stop);
    process.off("SIGINT", stop);
    await starter.interrupt();
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

/** @throws CommandError if it is not a whole number in the range */
function parseWhole(option: string, text: string | undefined, [least, most]: readonly [number, number]) {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isInteger(number) && number >= least && number <= most) return number;
  throw new CommandError(exitCodes.usage, `${option} takes a whole number from ${least} to ${most}, got "${text}".`);
}
