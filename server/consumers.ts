import type { Connect } from "../services/kit/client/client.ts";
import { type Consumer, createConsumer, type ReceivingContract } from "../services/kit/events/consumer.ts";
import type { ServiceName } from "./configuration.ts";
import { contracts } from "./contracts.ts";

type ConnectService = (
  name: ServiceName,
  contract: ReceivingContract,
  deadlineMilliseconds: number,
) => Connect<ReceivingContract>;

/** All possible consumers of a service's events; each contract defines which events a consumer receives. */
export function createConsumers(
  names: readonly ServiceName[],
  deadlineMilliseconds: number,
  connect: ConnectService,
): Consumer[] {
  const open = (name: ServiceName, contract: ReceivingContract) => connect(name, contract, deadlineMilliseconds);
  return names.map((name) => createConsumer(name, contracts[name], open, deadlineMilliseconds));
}
