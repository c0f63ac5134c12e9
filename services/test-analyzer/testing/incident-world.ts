import { uuidv7 } from "uuidv7";
import { afterAll } from "vitest";
import type { Event } from "#contracts/kit/event.ts";
import type { ReceivedEvent } from "#contracts/test-analyzer/received-events.ts";
import type { RunTrigger } from "#contracts/test-executioner/verdicts.ts";
import { requireValue } from "../../kit/client/client.ts";
import { movableClock } from "../../kit/clock/clock.ts";
import type { Database } from "../../kit/database/database.ts";
import type { TestEngine } from "../../kit/testing/databases.ts";
import { startTarget } from "../../test-executioner/testing/target.ts";
import { createAlertWorld } from "./alert-world.ts";
import { type Came, createReportedRuns, type KnownTest } from "./reported-runs.ts";

const minute = 60_000;

/** For tests of incidents: runs as the test reports them, and a webhook that receives the alerts. */
export async function createIncidentWorld(engine: TestEngine, options: { database?: Database } = {}) {
  const clock = movableClock(new Date());
  const runs = createReportedRuns(clock);
  const world = await createAlertWorld(engine, {
    ...options,
    clock,
    testExecutioner: runs.connect,
    lookEveryMilliseconds: 20,
  });
  const hook = await startTarget((_, response) => void response.writeHead(204).end());
  async function createTenant() {
    const tenant = await world.createTenant();
    const { organizationId } = tenant;
    const apiId = uuidv7();
    const secret = uuidv7();
    async function receive(event: ReceivedEvent): Promise<void> {
      requireValue(await tenant.internal.receiveEvent({ body: event }), "The event was refused");
    }
    /** A webhook of this tenant. */
    const createHook = (name = "Hook") =>
      tenant.createChannel({ kind: "webhook", name, enabled: true, url: `${hook.baseUrl}/${secret}/${name}` });
    return {
      ...tenant,
      apiId,
      receive,
      /** Reports a deletion in another service. */
      receiveDeleted: (type: "tests.deleted" | "api.deleted" | "circle.deleted", payload: object) =>
        receive({
          id: uuidv7(),
          type,
          organizationId,
          occurredAt: clock.now().toISOString(),
          payload,
        } satisfies Event as ReceivedEvent),
      knownTest: (name: string, changes: Partial<KnownTest> = {}): KnownTest => ({
        id: uuidv7(),
        name,
        apiId,
        ...changes,
      }),
      /** A run that ends a minute after the previous one, and is reported immediately. */
      async run(
        results: [KnownTest, Came][],
        location: { testCircleId?: string; isWhole?: boolean; trigger?: RunTrigger } = {},
      ): Promise<string> {
        clock.advance(minute);
        const event = runs.add(organizationId, results, location);
        await receive(event);
        return event.payload.runId;
      },
      createHook,
      /** A webhook that the organization's rule notifies; returns its id. */
      async watchAll(rule: object = {}): Promise<string> {
        const { id } = await createHook();
        await tenant.createRule({ channelIds: [id], ...rule });
        return id;
      },
      /** Types and titles of the messages that a webhook received, in order; waits for this many. */
      async waitForAlerts(count: number, name = "Hook"): Promise<string[]> {
        const own = () => hook.requests.filter(({ url }) => url === `/${secret}/${name}`);
        while (own().length < count) await new Promise((resolve) => setTimeout(resolve, 10));
        // Messages that wait together are sent together; their ids are in the order of creation.
        const getId = ({ headers }: (typeof hook.requests)[number]) => String(headers["webhook-id"]);
        const inOrder = own().toSorted((one, other) => getId(one).localeCompare(getId(other)));
        return inOrder.map(({ text }) => JSON.parse(text)).map(({ type, data }) => `${type}: ${data.title}`);
      },
      listIncidents: async (query: object = {}) =>
        requireValue(await tenant.client.listIncidents({ query }), "incidents").items,
      entriesOf: async (incidentId: string) =>
        requireValue(await tenant.client.listIncidentEntries({ params: { incidentId }, query: {} }), "entries")
          .items.map(({ kind, text }) => `${kind}: ${text}`)
          .reverse(),
    };
  }

  return {
    ...world,
    clock,
    runs,
    hook,
    createTenant,
    /** For tests at one moment each. */
    async createTenantAtNoon() {
      clock.moveTo(new Date("2026-03-10T12:00:00Z"));
      return await createTenant();
    },
    async close() {
      await world.close();
      await hook.close();
    },
  };
}

/** For the tests of a file, which closes it at its end. */
export async function openIncidentWorld(engine: TestEngine): Promise<IncidentWorld> {
  const world = await createIncidentWorld(engine);
  afterAll(world.close);
  return world;
}

export type IncidentWorld = Awaited<ReturnType<typeof createIncidentWorld>>;
export type IncidentTenant = Awaited<ReturnType<IncidentWorld["createTenant"]>>;
