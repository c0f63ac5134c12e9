import type { Endpoint } from "#contracts/kit/endpoint.ts";
import type { Problem } from "#contracts/kit/problem.ts";
import { listProblemCodes } from "#contracts/kit/problems.ts";
import { isRecord } from "#libraries/json/json-value.ts";

/**
 * Whether responses are validated against their contract: in development and tests. In production it would double the
 * cost.
 */
export const validatesResponses = process.env.NODE_ENV !== "production" || process.env.CHECK_ANSWERS === "true";

/** Thrown when a service breaks its own contract. */
export class ContractViolation extends Error {
  override readonly name = "PromiseBroken";
}

/** @throws PromiseBroken when JSON has unknown or missing members, or invalid values */
export async function requireDocumentedResponse(name: string, endpoint: Endpoint, result: unknown): Promise<void> {
  const json = await readJson(endpoint, result);
  if (json === undefined) return;
  const { response = endpoint.otherResponses?.["application/json"] } = endpoint;
  const parsed = response && "safeParse" in response ? response.safeParse(json) : undefined;
  if (!parsed) throw new ContractViolation(`${name} returns JSON without documenting it`);
  if (!parsed.success) throw new ContractViolation(`${name} returns an invalid response: ${parsed.error.message}`);
  const undocumented = listUndocumentedMembers(json, parsed.data, "");
  if (undocumented.length > 0)
    throw new ContractViolation(`${name} returns undocumented members: ${undocumented.join(", ")}`);
}

/** The response as its receiver parses it; undefined when it is not JSON. */
async function readJson({ status }: Endpoint, result: unknown): Promise<unknown> {
  if (!(result instanceof Response)) return status === 204 ? undefined : JSON.parse(JSON.stringify(result));
  const isJson = result.headers.get("content-type")?.startsWith("application/json");
  return isJson ? await result.clone().json() : undefined;
}

/** The breach, when the contract does not document that the endpoint may be refused with this code. */
export function findUndocumentedProblem(
  name: string,
  endpoint: Endpoint,
  problem: Problem,
): ContractViolation | undefined {
  if (endpoint.access === "internal" || listProblemCodes(endpoint).includes(problem.code)) return undefined;
  return new ContractViolation(`${name} is refused with ${problem.code}, which it does not document`);
}

/** Lists members that parsing dropped because the schema does not know them. */
function listUndocumentedMembers(sent: unknown, known: unknown, path: string): string[] {
  if (Array.isArray(sent)) {
    return sent.flatMap((item, at) =>
      listUndocumentedMembers(item, Array.isArray(known) ? known[at] : undefined, `${path}[${at}]`),
    );
  }
  if (!isRecord(sent)) return [];
  if (!isRecord(known)) return [path];
  return Object.entries(sent).flatMap(([name, value]) =>
    Object.hasOwn(known, name) ? listUndocumentedMembers(value, known[name], `${path}.${name}`) : [`${path}.${name}`],
  );
}
