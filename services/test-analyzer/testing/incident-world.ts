import { uuidv7 } from "uuidv7";
import type { Event } from "#contracts/kit/event.ts";
import type { ReceivedEvent } from "#contracts/test-analyzer/received-events.ts";
import { requireValue } from "../../kit/client/client.ts";
import { movableClock } from "../../kit/clock/clock.ts";
import type { Database } from "../../kit/database/database.ts";
import type { TestEngine } from "../../kit/testing/databases.ts";
import { startTarget } from "../../test-executioner/testing/target.ts";
import { createAlertWorld } from "./alert-world.ts";
import { type Came, createToldRuns, type KnownTest } from "./told-runs.ts";

const minute = 60_000;

/** What incidents are tried on: runs as the test tells them, and a webhook that is told what comes of them. */
export async function createIncidentWorld(engine: TestEngine, options: { database?: Database } = {}) {
  const clock = movableClock(new Date());
  const runs = createToldRuns(clock);
  const world = await createAlertWorld(engine, {
    ...options,
    clock,
    testExecutioner: runs.connect,
    lookEveryMilliseconds: 20,
  });
  const hook = await startTarget((_, response) => void response.writeHead(204).end());
  return {
    ...world,
    clock,
    runs,
    hook,
    async createTenant() {
      const tenant = await world.createTenant();
      const { organizationId } = tenant;
      const apiId = uuidv7();
      const secret = uuidv7();
      async function tell(event: ReceivedEvent): Promise<void> {
        requireValue(await tenant.internal.receiveEvent({ body: event }), "The event was refused");
      }
      return {
        ...tenant,
        apiId,
        tell,
        /** What is deleted elsewhere. */
        tellGone: (type: "tests.deleted" | "api.deleted" | "circle.deleted", payload: object) =>
          tell({
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
        /** A run that ends a minute after whatever came before, and is told of at once. */
        async run(
          results: [KnownTest, Came][],
          place: { testCircleId?: string; isWhole?: boolean } = {},
        ): Promise<string> {
          clock.advance(minute);
          const event = runs.add(organizationId, results, place);
          await tell(event);
          return event.payload.runId;
        },
        /** A webhook of this tenant's own. */
        createHook: (name = "Hook") =>
          tenant.createChannel({ kind: "webhook", name, enabled: true, url: `${hook.baseUrl}/${secret}/${name}` }),
        /** Types and titles of what a webhook was told, in order; waits for so many. */
        async told(count: number, name = "Hook"): Promise<string[]> {
          const own = () => hook.requests.filter(({ url }) => url === `/${secret}/${name}`);
          while (own().length < count) await new Promise((resolve) => setTimeout(resolve, 10));
          // Those that wait together are sent together; their ids rise as they are made.
          const idOf = ({ headers }: (typeof hook.requests)[number]) => String(headers["webhook-id"]);
          const inOrder = own().toSorted((one, other) => idOf(one).localeCompare(idOf(other)));
          return inOrder.map(({ text }) => JSON.parse(text)).map(({ type, data }) => `${type}: ${data.title}`);
        },
        listIncidents: async (query: object = {}) =>
          requireValue(await tenant.client.listIncidents({ query }), "incidents").items,
        entriesOf: async (incidentId: string) =>
          requireValue(await tenant.client.listIncidentEntries({ params: { incidentId }, query: {} }), "entries")
            .items.map(({ kind, text }) => `${kind}: ${text}`)
            .reverse(),
      };
    },
    async close() {
      await world.close();
      await hook.close();
    },
  };
}

export type IncidentWorld = Awaited<ReturnType<typeof createIncidentWorld>>;
export type IncidentTenant = Awaited<ReturnType<IncidentWorld["createTenant"]>>;
