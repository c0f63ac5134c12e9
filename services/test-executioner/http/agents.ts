import { createHash, randomInt } from "node:crypto";
import { uuidv7 } from "uuidv7";
import { notFound, Problem } from "#contracts/kit/problem.ts";
import type { Agent } from "#contracts/test-executioner/agents.ts";
import type { testExecutionerContract } from "#contracts/test-executioner/contract.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { Handlers } from "../../kit/service/service.ts";
import { explainVersion } from "../domain/agent-version.ts";
import {
  countAgents,
  findAgent,
  insertAgent,
  insertCode,
  listAgents,
  maxAgents,
  revokeAgent,
  spendCode,
} from "../store/agents.ts";
import { findLocation } from "../store/locations.ts";
import type { ExecutionDatabase } from "../store/tables.ts";

type AgentHandlers = Pick<
  Handlers<typeof testExecutionerContract>,
  "createAgentCode" | "listAgents" | "getAgent" | "revokeAgent" | "registerAgent"
>;

/** Secret scanners know it by this. */
const codePrefix = "aac_";
/** Without characters that are read as each other. 32 of them have 160 bits. */
const alphabet = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const codeCharacters = 32;
const validMilliseconds = 3_600_000;

const createCode = () =>
  codePrefix + Array.from({ length: codeCharacters }, () => alphabet[randomInt(alphabet.length)]).join("");
const hash = (code: string) => createHash("sha256").update(code.trim()).digest("base64url");

export function createAgentHandlers({
  db,
  clock,
  version,
}: {
  db: ExecutionDatabase;
  clock: Clock;
  version: string;
}): AgentHandlers {
  async function requireLocation(organizationId: string, locationId: string) {
    const location = await findLocation(db, organizationId, locationId, { now: clock.now() });
    if (!location) throw notFound("location");
    return location;
  }

  function withSupport(agent: Agent): Agent {
    const versionProblem = agent.revokedAt ? undefined : explainVersion(agent.version, version);
    return versionProblem ? { ...agent, versionProblem } : agent;
  }

  async function require(organizationId: string, agentId: string): Promise<Agent> {
    const agent = await findAgent(db, organizationId, agentId, clock.now());
    if (!agent) throw notFound("agent");
    return withSupport(agent);
  }

  return {
    async createAgentCode({ caller, params, record }) {
      const { organizationId } = caller;
      const { id, name } = await requireLocation(organizationId, params.locationId);
      const code = createCode();
      const now = clock.now();
      const expiresAt = new Date(now.getTime() + validMilliseconds);
      await db.transaction().execute(async (transaction) => {
        await insertCode(transaction, {
          ...{ organization_id: organizationId, location_id: id, code_hash: hash(code) },
          ...{ created_at: now, expires_at: expiresAt },
        });
        await record(transaction, { id, after: { location: name, expiresAt: expiresAt.toISOString() } });
      });
      return { code, expiresAt: expiresAt.toISOString() };
    },

    async listAgents({ caller, params }) {
      const { id } = await requireLocation(caller.organizationId, params.locationId);
      const agents = await listAgents(db, caller.organizationId, id, clock.now());
      return { items: agents.map(withSupport), nextCursor: null };
    },

    async getAgent({ caller, params }) {
      return await require(caller.organizationId, params.agentId);
    },

    async revokeAgent({ caller, params, record }) {
      const { organizationId } = caller;
      const { id, name, locationId } = await require(organizationId, params.agentId);
      await db.transaction().execute(async (transaction) => {
        const revoked = await revokeAgent(transaction, organizationId, id, clock.now());
        if (revoked)
          await record(transaction, { id, before: { name, locationId }, after: { name, locationId, revoked: true } });
        else await record(transaction);
      });
      return await require(organizationId, id);
    },

    async registerAgent({ body, record }) {
      const refusal = explainVersion(body.version, version);
      if (refusal) throw new Problem("conflict", refusal);
      const now = clock.now();
      const id = uuidv7();
      const { locationId, locationName } = await db.transaction().execute(async (transaction) => {
        const location = await spendCode(transaction, hash(body.code), now);
        if (!location) {
          throw new Problem(
            "unauthenticated",
            "The code is unknown, used up or older than an hour. Create another one.",
          );
        }
        const { organizationId, locationId } = location;
        if ((await countAgents(transaction, organizationId, locationId)) >= maxAgents) {
          throw new Problem("conflict", `A location has at most ${maxAgents} agents. Revoke one that is not used.`);
        }
        await insertAgent(transaction, {
          ...{ organization_id: organizationId, location_id: locationId, id, name: body.name, version: body.version },
          ...{ signing_key: body.signingKey, sealing_key: body.sealingKey, registered_at: now },
        });
        const after = { name: body.name, version: body.version, locationId };
        await record(transaction, { id, organizationId, after });
        return location;
      });
      return { agentId: id, locationId, locationName };
    },
  };
}
