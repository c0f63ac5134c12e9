import type { Resolver } from "./connector.ts";
import { EgressError, errorCode } from "./failure.ts";
import { parseTarget } from "./outbound-request.ts";
import { type ExplainingGate, type Ruling, type RulingReason, toDestination } from "./policy.ts";

/** The expected outcome of a request, reported to an operator without sending one. */
export interface TargetCheck {
  isAllowed: boolean;
  /** Reason of the deciding address, or of the URL when nothing was resolved. */
  reason: RulingReason | "invalid_url" | "unknown_name";
  /** Why requests can't be sent to the URL. */
  detail: string | undefined;
  host: string;
  port: number;
  /** Addresses that the host resolves to now; empty when nothing had to be resolved. */
  addresses: (Ruling & { address: string })[];
}

/** Takes the same decisions as a connection, in the same order, and stops before connecting. */
export async function checkTarget(
  { gate, resolve }: { gate: ExplainingGate; resolve: Resolver },
  text: string,
): Promise<TargetCheck> {
  let url: URL;
  try {
    url = parseTarget(text);
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return { isAllowed: false, reason: "invalid_url", detail: error.message, host: "", port: 0, addresses: [] };
  }
  const destination = toDestination(url);
  const { host, port, literal } = destination;
  const toCheck = (ruling: Pick<TargetCheck, "isAllowed" | "reason">, addresses: TargetCheck["addresses"] = []) =>
    ({ ...ruling, detail: undefined, host, port, addresses }) satisfies TargetCheck;

  const refusal = gate.findRefusal(destination);
  if (refusal) return toCheck({ isAllowed: false, reason: refusal });
  if (literal) return toCheck(gate.judge(destination, host), [{ address: host, ...gate.judge(destination, host) }]);
  const found = await resolve(host).catch((error: unknown) => {
    if (errorCode(error) === "") throw error;
    return [];
  });
  const addresses = found.map(({ address }) => ({ address, ...gate.judge(destination, address) }));
  // One blocked address refuses them all, as when connecting.
  const deciding = addresses.find(({ isAllowed }) => !isAllowed) ?? addresses[0];
  return deciding
    ? toCheck({ isAllowed: deciding.isAllowed, reason: deciding.reason }, addresses)
    : toCheck({ isAllowed: false, reason: "unknown_name" });
}
