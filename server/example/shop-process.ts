import { randomBytes } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { createShop } from "../../sandbox/shop/app.ts";
import { type Listener, listen } from "../../services/kit/service/listener.ts";

/** In the data folder once an example was requested: from then on each process on it starts the shops. */
export const shopFile = "example-shop.json";
/** Fixed, so that `EGRESS_ALLOW` can name it beforehand; any free port when another program uses it. */
export const usualPort = 4010;

/** What an organization tests. */
export interface Shop {
  /** e.g. `http://127.0.0.1:4010`: the same at every start, since tests contain it. */
  base: string;
  /** Whether it breaks two of its promises; by default it does. */
  setProblems(has: boolean): void;
}

/** The shop of `npm run seed`, and below it one for each organization that pressed the button. */
export interface RunningShop extends Shop {
  /** A shop with its own products, orders and base path. */
  open(key: string): Shop;
  shut(key: string): void;
  close(): Promise<void>;
}

/** The example that an organization got by the button. */
export interface OrganizationsExample {
  /** The first part of its shop's paths. */
  key: string;
  /** Set once it is complete: an interrupted one is made again from the beginning. */
  made?: { apiId: string; testCircleId: string; runId: string };
}

interface KeptShop {
  port?: number;
  /** Whether the example of `npm run seed` is complete. */
  isComplete?: boolean;
  /** By the organization's id. */
  organizations?: Record<string, OrganizationsExample>;
}

async function readStored(dataDirectory: string): Promise<KeptShop> {
  const text = await readFile(join(dataDirectory, shopFile), "utf8").catch(() => "{}");
  return JSON.parse(text) as KeptShop;
}

/** Replaced at once: a process killed while writing leaves the earlier content. */
async function keep(dataDirectory: string, changes: KeptShop): Promise<void> {
  const path = join(dataDirectory, shopFile);
  const text = JSON.stringify({ ...(await readStored(dataDirectory)), ...changes });
  await writeFile(`${path}.new`, `${text}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** An interrupted one is created again from the beginning. */
export const isExampleComplete = async (dataDirectory: string) => Boolean((await readStored(dataDirectory)).isComplete);

export const completeExample = (dataDirectory: string) => keep(dataDirectory, { isComplete: true });

export const readOrganizations = async (dataDirectory: string) => (await readStored(dataDirectory)).organizations ?? {};

/** @param example undefined once the organization has none any more */
export async function keepOrganization(
  dataDirectory: string,
  organizationId: string,
  example: OrganizationsExample | undefined,
): Promise<void> {
  const { [organizationId]: _, ...others } = await readOrganizations(dataDirectory);
  const organizations = example ? { ...others, [organizationId]: example } : others;
  await keep(dataDirectory, { organizations });
}

export const newShopKey = () => `shop-${randomBytes(6).toString("hex")}`;

/** Where the shop is, or will be. */
export const expectedBase = async (dataDirectory: string) =>
  `http://127.0.0.1:${(await readStored(dataDirectory)).port ?? usualPort}`;

function createShops() {
  let base = "";
  const shops = new Map<string, ReturnType<typeof createShop>>();
  function open(key: string): Shop {
    let hasProblems = true;
    const at = () => (key ? `${base}/${key}` : base);
    shops.set(key, createShop({ base: at, hasProblems: () => hasProblems }));
    return {
      get base() {
        return at();
      },
      setProblems(has) {
        hasProblems = has;
      },
    };
  }
  const root = open("");
  function fetch(request: Request): Response | Promise<Response> {
    const url = new URL(request.url);
    const [, key = "", rest = ""] = /^\/(shop-[0-9a-f]+)(\/.*|$)/.exec(url.pathname) ?? [];
    if (!key) return shops.get("")!.fetch(request);
    const shop = shops.get(key);
    if (!shop) return Response.json({ status: 404, message: "No such shop." }, { status: 404 });
    return shop.fetch(new Request(new URL((rest || "/") + url.search, url), request));
  }
  return {
    ...{ root, open, fetch },
    shut: (key: string) => void shops.delete(key),
    settle(address: string) {
      base = address;
    },
  };
}

/** The listener refuses the start; its cause is the network's error. */
const isTaken = (error: unknown) => ((error as Error).cause as NodeJS.ErrnoException)?.code === "EADDRINUSE";

/** Starts the example shop on its own loopback port, and from now on with every process on this data folder. */
export async function startExampleShop(dataDirectory: string): Promise<RunningShop> {
  const { root, open, fetch, shut, settle } = createShops();
  const listenAt = (port: number): Promise<Listener> =>
    listen(fetch, { host: "127.0.0.1", port, maximumConnections: 50 });
  const { port: known } = await readStored(dataDirectory);
  const listener = await listenAt(known ?? usualPort).catch(async (error: unknown) => {
    if (known !== undefined || !isTaken(error)) throw error;
    return await listenAt(0);
  });
  const base = `http://127.0.0.1:${listener.port}`;
  settle(base);
  if (known === undefined) await keep(dataDirectory, { port: listener.port });
  return { base, setProblems: root.setProblems, open, shut, close: () => listener.close() };
}

/** The shop if an example was requested; undefined otherwise, or when another program uses its port now. */
export async function resumeExampleShop(dataDirectory: string, log: Logger): Promise<RunningShop | undefined> {
  const { port, isComplete, organizations = {} } = await readStored(dataDirectory);
  const isWanted = isComplete || Object.keys(organizations).length > 0;
  if (port === undefined || !isWanted) return undefined;
  const shop = await startExampleShop(dataDirectory).catch((err: unknown) => {
    log.warn({ err }, "the example shop can't be started: tests of it will fail");
    return undefined;
  });
  for (const { key } of Object.values(organizations)) shop?.open(key);
  return shop;
}
