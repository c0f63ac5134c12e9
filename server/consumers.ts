import { type Consumer, consumerOf } from "../services/kit/events/consumer.ts";
import type { ServiceName } from "./configuration.ts";
import { contracts } from "./contracts.ts";

type ConnectService = Parameters<typeof consumerOf<ServiceName>>[2];

/** Everybody that may be told of a service's events: which of them a consumer takes is said by its contract alone. */
export function consumersOf(
  names: readonly ServiceName[],
  connect: ConnectService,
  deadlineMilliseconds: number,
): Consumer[] {
  return names.map((name) => consumerOf(name, contracts[name], connect, deadlineMilliseconds));
}
