import { decodeJwt } from "jose";
import type { Logger } from "pino";
import type { ProblemDetails } from "#contracts/kit/problem.ts";
import type { Configuration } from "../configuration.ts";
import type { Wiring } from "../wiring.ts";
import {
  breakShop,
  type ExampleBackend,
  ExampleRefused,
  registerExample,
  removeExample,
  runCircle,
} from "./make-example.ts";
import {
  expectedBase,
  keepOrganization,
  newShopKey,
  type OrganizationsExample,
  readOrganizations,
  resumeExampleShop,
  startExampleShop,
} from "./shop-process.ts";

/** Every six hours: a month takes an eighth of what the smallest plan includes. */
const schedule = { name: "Four times a day", cron: "7 */6 * * *" };
/** Delay before the shop of a deleted API is closed. */
const lookEveryMilliseconds = 60_000;

export type InstalledExample =
  | { ok: true; apiId: string; runId: string; isNew: boolean }
  | { ok: false; problem: Pick<ProblemDetails, "detail"> };

/** "Try it with an example": a shop for an organization, within this process. */
export interface ExampleShops {
  /** Whether the operator allows tests to reach loopback addresses. */
  isOffered(): Promise<boolean>;
  /**
   * Registers the shop, its tests, a circle and a schedule in the user's name, and runs it twice: as it should be, and
   * after it broke two promises. The second run may still be in progress. Returns what is there where it already is.
   */
  install(backend: ExampleBackend, accessToken: string): Promise<InstalledExample>;
  /** Closes the shops whose API was deleted, with the circle that is left without tests. */
  closeUnused(): Promise<void>;
  close(): Promise<void>;
}

interface Given {
  configuration: Pick<Configuration, "dataDirectory" | "serviceUrls" | "run">;
  wiring: Pick<Wiring, "connections" | "portalToken" | "egress">;
  log: Logger;
}

/** With the shops that organizations had at the last start. */
export async function openExampleShops({ configuration, wiring, log }: Given): Promise<ExampleShops> {
  const { dataDirectory, serviceUrls, run } = configuration;
  const { connections, portalToken, egress } = wiring;
  let running = await resumeExampleShop(dataDirectory, log);
  const underWay = new Map<string, Promise<InstalledExample>>();
  // A worker elsewhere would find nothing at its own loopback address.
  const testsHere = !serviceUrls["test-executioner"] && run.includes("worker");
  const isReachable = async (base: string) => (await egress.check(base)).isAllowed;

  async function asPortal(organizationId: string): Promise<ExampleBackend> {
    const token = await portalToken(organizationId);
    return {
      apiRegistry: connections.apiRegistry({ token }),
      testRegistry: connections.testRegistry({ token }),
      testExecutioner: connections.testExecutioner({ token }),
      testAnalyzer: connections.testAnalyzer({ token }),
    };
  }
  const baseOf = async (key: string) => `${running?.base ?? (await expectedBase(dataDirectory))}/${key}`;

  /** Undefined if the registry is unavailable. */
  async function isRegistered(organizationId: string, { made }: OrganizationsExample): Promise<boolean | undefined> {
    if (!made) return false;
    const { apiRegistry } = await asPortal(organizationId);
    const found = await apiRegistry.getApi({ params: { apiId: made.apiId } });
    return found.ok || (found.status === 404 ? false : undefined);
  }

  async function forget(organizationId: string, { key, made }: OrganizationsExample): Promise<void> {
    const { testRegistry } = await asPortal(organizationId);
    const params = { testCircleId: made?.testCircleId ?? "" };
    const circle = made && (await testRegistry.getCircle({ params }));
    running?.shut(key);
    if (circle?.ok) {
      const { members, apiIds } = circle.value;
      // Its tests are deleted a little after their API.
      if (made && apiIds.includes(made.apiId)) return;
      if (members.length === 0) await testRegistry.deleteCircle({ params });
    }
    await keepOrganization(dataDirectory, organizationId, undefined);
  }

  async function make(user: ExampleBackend, organizationId: string): Promise<InstalledExample> {
    const kept = (await readOrganizations(dataDirectory))[organizationId];
    if (kept?.made && (await isRegistered(organizationId, kept)) !== false)
      return { ok: true, isNew: false, ...kept.made };
    if (kept) {
      const base = await baseOf(kept.key);
      await removeExample(user, ({ effectiveBaseUrl }) => effectiveBaseUrl === base);
      await forget(organizationId, kept);
    }
    running ??= await startExampleShop(dataDirectory);
    const key = newShopKey();
    await keepOrganization(dataDirectory, organizationId, { key });
    const shop = running.open(key);
    const { base } = shop;
    try {
      if (!(await isReachable(base))) return notAllowed;
      const { apiId, testCircleId } = await registerExample(user, shop, schedule.name, schedule.cron);
      // What a user starts is manual and opens no incident.
      const portal = await asPortal(organizationId);
      shop.setProblems(false);
      await runCircle(portal, { testCircleId, trigger: "api", wait: true });
      await breakShop(user, shop, apiId);
      const runId = await runCircle(portal, { testCircleId, trigger: "api", wait: false });
      await keepOrganization(dataDirectory, organizationId, { key, made: { apiId, testCircleId, runId } });
      return { ok: true, isNew: true, apiId, runId };
    } catch (error) {
      await removeExample(user, ({ effectiveBaseUrl }) => effectiveBaseUrl === base).catch(() => {});
      await forget(organizationId, { key });
      if (!(error instanceof ExampleRefused)) throw error;
      log.warn({ err: error }, "the example was refused");
      return { ok: false, problem: error.problem };
    }
  }

  async function closeUnused(): Promise<void> {
    const organizations = Object.entries(await readOrganizations(dataDirectory));
    for (const [organizationId, example] of organizations) {
      if (underWay.has(organizationId) || (await isRegistered(organizationId, example)) !== false) continue;
      await forget(organizationId, example);
    }
  }
  const timer = setInterval(() => {
    closeUnused().catch((err: unknown) => log.warn({ err }, "unused example shops are still open"));
  }, lookEveryMilliseconds).unref();

  return {
    closeUnused,
    isOffered: async () => testsHere && (await isReachable(await expectedBase(dataDirectory))),
    async install(backend, accessToken) {
      if (!testsHere) return notAllowed;
      const { org: organizationId } = decodeJwt<{ org: string }>(accessToken);
      const first = underWay.get(organizationId);
      if (first) return await first.then((result) => (result.ok ? { ...result, isNew: false } : result));
      const making = make(backend, organizationId).finally(() => underWay.delete(organizationId));
      underWay.set(organizationId, making);
      return await making;
    },
    async close() {
      clearInterval(timer);
      await running?.close();
    },
  };
}

const notAllowed: InstalledExample = {
  ok: false,
  problem: { detail: "The operator of this portal does not allow tests of the example shop." },
};
