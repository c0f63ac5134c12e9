import { decodeJwt, errors } from "jose";
import { z } from "zod";
import { Problem } from "#contracts/kit/problem.ts";
import { type VerifiedCall, verifyCall, WrongCall } from "#libraries/agent-keys/signed-call.ts";
import type { Clock } from "../../kit/clock/clock.ts";
import type { IdentifyAgent, Identity } from "../../kit/identity/identity.ts";
import { findAgentByKey, spendCall } from "../store/agents.ts";
import type { ExecutionDatabase } from "../store/tables.ts";
import { createAgentGate } from "./agent-gate.ts";

const maxCharacters = 4_000;
const agentId = z.uuid();

export function notAnAgent(): Problem {
  return new Problem("unauthenticated", "The call is not signed by an agent of this portal, or the agent was revoked.");
}

/** Who has signed a call. Which organization and location it acts for is what is stored with its key, and nothing else. */
export function createIdentifyAgent({ db, clock }: { db: ExecutionDatabase; clock: Clock }): IdentifyAgent {
  const enter = createAgentGate();
  return async (request) => {
    const assertion = /^Bearer ([\w.-]+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    if (!assertion || assertion.length > maxCharacters) throw notAnAgent();
    const id = agentId.safeParse(readSubject(assertion));
    const agent = id.success ? await findAgentByKey(db, id.data) : undefined;
    if (!agent) throw notAnAgent();
    const call = await verify(assertion, {
      ...{ agentId: agent.id, signingKey: agent.signing_key, now: clock.now() },
      ...{ method: request.method, path: new URL(request.url).pathname },
    });
    if (!(await spendCall(db, agent, { id: call.callId, expiresAt: call.expiresAt }, clock.now()))) throw notAnAgent();
    const caller: Identity = {
      kind: "agent",
      ...{ userId: agent.id, username: agent.name, name: agent.name, organizationId: agent.organization_id },
      ...{ roles: [], scopes: [], token: "" },
      agent: { locationId: agent.location_id, sealingKey: agent.sealing_key },
      onOutdated: () => () => {},
    };
    return {
      caller,
      end: enter(agent.id, request),
      requireBody(text) {
        if (!call.isOfBody(text)) throw notAnAgent();
      },
    };
  };
}

function readSubject(assertion: string): unknown {
  try {
    return decodeJwt(assertion).sub;
  } catch {
    return undefined;
  }
}

async function verify(assertion: string, expected: Parameters<typeof verifyCall>[1]): Promise<VerifiedCall> {
  try {
    return await verifyCall(assertion, expected);
  } catch (error) {
    if (error instanceof errors.JWTExpired || isOfAnotherTime(error)) {
      throw new Problem(
        "unauthenticated",
        "The call was signed at another time. Set the clock of the agent's machine.",
      );
    }
    if (error instanceof errors.JOSEError || error instanceof WrongCall) throw notAnAgent();
    throw error;
  }
}

function isOfAnotherTime(error: unknown): boolean {
  return error instanceof errors.JWTClaimValidationFailed && ["iat", "exp", "nbf"].includes(error.claim);
}
