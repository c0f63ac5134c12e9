import type { Answer, Caller, Connect } from "../client/client.ts";
import type { Contract } from "../contract/endpoint.ts";
import { type Event, eventTypesOf, type receiveEventEndpoint } from "../contract/event.ts";

/** A service that is told of events. */
export interface Consumer {
  name: string;
  /** What it takes, by its contract. */
  types: readonly string[];
  receive(event: Event, caller: Caller): Promise<Answer<unknown>>;
}

type ReceiveEvent = ReturnType<typeof receiveEventEndpoint>;
type ReceivingContract = { receiveEvent: ReceiveEvent };

/** @param connect finds the service by its name */
export function consumerOf<Name extends string, C extends Contract & { receiveEvent: ReceiveEvent }>(
  name: Name,
  contract: C,
  connect: (name: Name, contract: C) => Connect<C>,
): Consumer {
  const open = connect(name, contract) as unknown as Connect<ReceivingContract>;
  return {
    name,
    types: eventTypesOf(contract.receiveEvent),
    receive: (event, caller) => open(caller).receiveEvent({ body: event }),
  };
}
