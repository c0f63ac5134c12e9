import type { Contract } from "#contracts/kit/endpoint.ts";
import { type Event, getEventTypes, type receiveEventEndpoint } from "#contracts/kit/event.ts";
import type { Caller, CallResult, Connect } from "../client/client.ts";

/** A service that receives events. */
export interface Consumer {
  name: string;
  /** Event types that its contract accepts. */
  types: readonly string[];
  /** Timeout of one delivery. */
  deadlineMilliseconds: number;
  receive(event: Event, caller: Caller): Promise<CallResult<unknown>>;
}

type ReceiveEvent = ReturnType<typeof receiveEventEndpoint>;
/** Any service's contract. */
export type ReceivingContract = Contract & { receiveEvent: ReceiveEvent };

/** @param connect finds the service by its name, for calls within that deadline */
export function createConsumer<Name extends string>(
  name: Name,
  contract: ReceivingContract,
  connect: (name: Name, contract: ReceivingContract) => Connect<ReceivingContract>,
  deadlineMilliseconds: number,
): Consumer {
  const open = connect(name, contract);
  return {
    name,
    types: getEventTypes(contract.receiveEvent),
    deadlineMilliseconds,
    receive: (event, caller) => open(caller).receiveEvent({ body: event }),
  };
}
