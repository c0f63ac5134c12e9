import type { Endpoint } from "#contracts/kit/endpoint.ts";
import type { Problem } from "#contracts/kit/problem.ts";
import { problemsOf } from "#contracts/kit/problems.ts";
import { isRecord } from "#libraries/json/json-value.ts";

/**
 * Whether responses are validated against their contract: in development and tests. In production it would double the
 * cost.
 */
export const checksAnswers = process.env.NODE_ENV !== "production" || process.env.CHECK_ANSWERS === "true";

/** Thrown when a service breaks its own contract. */
export class PromiseBroken extends Error {
  override readonly name = "PromiseBroken";
}

/** @throws PromiseBroken when JSON has unknown or missing members, or invalid values */
export async function requirePromised(name: string, endpoint: Endpoint, answered: unknown): Promise<void> {
  const json = await jsonOf(endpoint, answered);
  if (json === undefined) return;
  const { answer = endpoint.otherAnswers?.["application/json"] } = endpoint;
  const parsed = answer && "safeParse" in answer ? answer.safeParse(json) : undefined;
  if (!parsed) throw new PromiseBroken(`${name} answers JSON and promises none`);
  if (!parsed.success) throw new PromiseBroken(`${name} answers otherwise than promised: ${parsed.error.message}`);
  const more = unnamedMembers(json, parsed.data, "");
  if (more.length > 0) throw new PromiseBroken(`${name} answers members it does not name: ${more.join(", ")}`);
}

/** The response as its receiver parses it; undefined when it is not JSON. */
async function jsonOf({ status }: Endpoint, answered: unknown): Promise<unknown> {
  if (!(answered instanceof Response)) return status === 204 ? undefined : JSON.parse(JSON.stringify(answered));
  const isJson = answered.headers.get("content-type")?.startsWith("application/json");
  return isJson ? await answered.clone().json() : undefined;
}

/** The breach, when the contract does not document that the endpoint may be refused with this code. */
export function findUnnamedProblem(name: string, endpoint: Endpoint, problem: Problem): PromiseBroken | undefined {
  if (endpoint.access === "internal" || problemsOf(endpoint).includes(problem.code)) return undefined;
  return new PromiseBroken(`${name} is refused with ${problem.code}, which it does not name`);
}

/** Lists members that parsing dropped because the schema does not know them. */
function unnamedMembers(sent: unknown, known: unknown, path: string): string[] {
  if (Array.isArray(sent)) {
    return sent.flatMap((item, at) =>
      unnamedMembers(item, Array.isArray(known) ? known[at] : undefined, `${path}[${at}]`),
    );
  }
  if (!isRecord(sent)) return [];
  if (!isRecord(known)) return [path];
  return Object.entries(sent).flatMap(([name, value]) =>
    Object.hasOwn(known, name) ? unnamedMembers(value, known[name], `${path}.${name}`) : [`${path}.${name}`],
  );
}
