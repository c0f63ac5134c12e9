import pino, { type Logger } from "pino";
import { securityServiceContract } from "#contracts/security-service/contract.ts";
import type { SignedIn } from "#contracts/security-service/sessions.ts";
import { connectTo } from "../../kit/client/client.ts";
import { movableClock } from "../../kit/clock/clock.ts";
import type { Database } from "../../kit/database/database.ts";
import type { Identity } from "../../kit/identity/identity.ts";
import { createLastingServiceTokens } from "../../kit/testing/identities.ts";
import { createSecurityService, type SecurityServiceOptions } from "../service.ts";
import { type SecurityTables, schemaName } from "../store/tables.ts";
import { createSurroundings } from "./surroundings.ts";

export const administratorPassword = "correct horse battery staple";
export const serviceKey = new Uint8Array(32).fill(3);

/** security-service on a fresh database with its administrator, a movable clock and all its log lines. */
export async function createSecurityWorld(database: Database, options: Partial<SecurityServiceOptions> = {}) {
  // Tokens end by the real time: those created while this clock is fixed outlast the slowest test.
  const clock = movableClock(new Date(Date.now() + 60 * 60 * 1_000));
  const logged: string[] = [];
  const log: Logger = pino({ level: "debug" }, { write: (line: string) => void logged.push(line) });
  const surroundings = await createSurroundings(database, log);
  const service = await createSecurityService({
    ...surroundings,
    database,
    log,
    clock,
    readTime: async () => clock.now(),
    version: "0.0.0",
    secretsKey: "a key for tests",
    serviceKey,
    administrator: { username: "Admin", password: administratorPassword },
    ...options,
  });
  const connect = connectTo(securityServiceContract, { transport: (request) => service.app.fetch(request) });
  const serviceToken = createLastingServiceTokens(serviceKey, "portal");

  function logIn(username: string, password: string, headers: Record<string, string> = {}, token?: string) {
    return connect({ token }).login({
      headers: { username: encodeURIComponent(username), password: encodeURIComponent(password), ...headers },
    });
  }

  async function requireLogin(headers: Record<string, string> = {}): Promise<SignedIn & { caller: Identity }> {
    const result = await logIn("admin", administratorPassword, headers);
    if (!result.ok) throw new Error(`The administrator was refused: ${result.problem.detail}`);
    return { ...result.value, caller: await service.authenticate(result.value.accessToken) };
  }

  const db = database.inSchema<SecurityTables>(schemaName);
  const { delivery, queue } = surroundings;
  /** Stops the service and its environment; the database is left to the test. */
  async function stop(): Promise<void> {
    await service.stop();
    await queue.stop();
    await surroundings.egress.close();
  }
  return { service, clock, logged, connect, serviceToken, logIn, requireLogin, db, mail: delivery, queue, stop };
}

export type SecurityWorld = Awaited<ReturnType<typeof createSecurityWorld>>;
