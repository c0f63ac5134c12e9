import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { createShop } from "../../sandbox/shop/app.ts";
import { type Listener, listen } from "../../services/kit/service/listener.ts";

/** In the data folder once the example was requested: from then on each process on it starts the shop. */
export const shopFile = "example-shop.json";
/** Fixed, so that `EGRESS_ALLOW` can name it beforehand; any free port when another program uses it. */
const usualPort = 4010;

export interface RunningShop {
  /** e.g. `http://127.0.0.1:4010`: the same at every start, since tests contain it. */
  base: string;
  /** Whether it breaks two of its promises; by default it does. */
  setProblems(has: boolean): void;
  close(): Promise<void>;
}

interface KeptShop {
  port?: number;
  /** Whether the example is complete. */
  isComplete?: boolean;
}

async function readStored(dataDirectory: string): Promise<KeptShop> {
  const text = await readFile(join(dataDirectory, shopFile), "utf8").catch(() => "{}");
  return JSON.parse(text) as KeptShop;
}

async function keep(dataDirectory: string, stored: KeptShop): Promise<void> {
  await writeFile(join(dataDirectory, shopFile), `${JSON.stringify(stored)}\n`, { mode: 0o600 });
}

/** An interrupted one is created again from the beginning. */
export const isExampleComplete = async (dataDirectory: string) => Boolean((await readStored(dataDirectory)).isComplete);

export async function completeExample(dataDirectory: string): Promise<void> {
  await keep(dataDirectory, { ...(await readStored(dataDirectory)), isComplete: true });
}

async function listenAt(port: number, hasProblems: () => boolean): Promise<Listener> {
  let base = "";
  const shop = createShop({ base: () => base, hasProblems });
  const listener = await listen(shop.fetch, { host: "127.0.0.1", port, maximumConnections: 50 });
  base = `http://127.0.0.1:${listener.port}`;
  return listener;
}

/** The listener refuses the start; its cause is the network's error. */
const isTaken = (error: unknown) => ((error as Error).cause as NodeJS.ErrnoException)?.code === "EADDRINUSE";

/** Starts the example shop on its own loopback port, and from now on with every process on this data folder. */
export async function startExampleShop(dataDirectory: string): Promise<RunningShop> {
  let hasProblems = true;
  const { port: known } = await readStored(dataDirectory);
  const listener = await listenAt(known ?? usualPort, () => hasProblems).catch(async (error: unknown) => {
    if (known !== undefined || !isTaken(error)) throw error;
    return await listenAt(0, () => hasProblems);
  });
  if (known === undefined) await keep(dataDirectory, { port: listener.port });
  return {
    base: `http://127.0.0.1:${listener.port}`,
    setProblems(has) {
      hasProblems = has;
    },
    close: () => listener.close(),
  };
}

/** The shop if the example was requested; undefined otherwise, or when another program uses its port now. */
export async function resumeExampleShop(dataDirectory: string, log: Logger): Promise<RunningShop | undefined> {
  if ((await readStored(dataDirectory)).port === undefined) return undefined;
  return await startExampleShop(dataDirectory).catch((err: unknown) => {
    log.warn({ err }, "the example shop can't be started: tests of it will fail");
    return undefined;
  });
}
