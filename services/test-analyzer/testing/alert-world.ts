import { pino } from "pino";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { AlertChannelInput } from "#contracts/test-analyzer/alert-channels.ts";
import type { AlertRuleInput } from "#contracts/test-analyzer/alert-rules.ts";
import { connectTo, requireValue } from "../../kit/client/client.ts";
import { type MovableClock, movableClock } from "../../kit/clock/clock.ts";
import { createSmtpDelivery } from "../../kit/mail/smtp.ts";
import { createQueue } from "../../kit/queue/queue.ts";
import type { TestEngine } from "../../kit/testing/databases.ts";
import { type MailServer, startMailServer } from "../../kit/testing/mail-server.ts";
import { createSecurityService } from "../../security-service/service.ts";
import { type SecurityTables, schemaName as securitySchema } from "../../security-service/store/tables.ts";
import { addMember, type MemberSketch } from "../../security-service/testing/members.ts";
import { createSurroundings as createSecuritySurroundings } from "../../security-service/testing/surroundings.ts";
import type { TestAnalyzerOptions } from "../service.ts";
import { createTestAnalyzerWorld } from "./world.ts";

/** A test analyzer with the real security-service and a real mail server. Its clock follows real time until moved. */
export async function createAlertWorld(
  engine: TestEngine,
  options: Partial<TestAnalyzerOptions> & { clock?: MovableClock } = {},
) {
  const database = await engine.open();
  const log = pino({ level: "silent" });
  const mailServer: MailServer = await startMailServer();
  const clock = options.clock ?? movableClock(new Date());
  const queue = await createQueue({ database, log });
  const surroundings = await createSecuritySurroundings(database, log, queue);
  const security = await createSecurityService({
    ...surroundings,
    ...{ database, log, clock, version: "1.2.3", secretsKey: "a key for tests" },
    // The key that createTestIdentities signs service tokens with.
    serviceKey: new Uint8Array(32).fill(7),
    administrator: { username: "admin", password: "correct horse battery staple" },
  });
  const delivery = createSmtpDelivery({ url: mailServer.url, from: "API Assurance <portal@example.com>" });
  const securityRows = { db: database.inSchema<SecurityTables>(securitySchema), clock };
  const world = await createTestAnalyzerWorld(engine, {
    ...{ database, clock },
    securityService: connectTo(securityServiceContract, { transport: (request) => security.app.fetch(request) }),
    delivery,
    tries: { attempts: 4, retryDelaySeconds: 0 },
    ...options,
  });
  return {
    ...world,
    clock,
    mailServer,
    /** An organization with its own members and channels. */
    async createTenant(name = "Example Ltd") {
      const tenant = await world.createTenant();
      const { organizationId: id, client } = tenant;
      const row = { id, kind: "organization" as const, name, created_at: clock.now() };
      await securityRows.db.insertInto("organizations").values(row).execute();
      return {
        ...tenant,
        addMember: (sketch: MemberSketch) => addMember(securityRows, id, sketch),
        createChannel: async (body: AlertChannelInput) =>
          requireValue(await client.createChannel({ body }), "The channel could not be created"),
        createRule: async (body: Partial<AlertRuleInput>) =>
          requireValue(
            await client.createRule({ body: { scope: { kind: "organization" }, ...body } }),
            "The rule could not be created",
          ),
      };
    },
    async close() {
      await world.service.stop();
      await security.stop();
      await queue.stop();
      await surroundings.egress.close();
      await delivery.close();
      await mailServer.stop();
      await world.close();
    },
  };
}

export type AlertWorld = Awaited<ReturnType<typeof createAlertWorld>>;
export type AlertTenant = Awaited<ReturnType<AlertWorld["createTenant"]>>;
