import { receiveEventEndpoint } from "../../kit/contract/event.ts";
import { planChanged } from "../../portal-service/contract/events.ts";

export const receiveEvent = receiveEventEndpoint([planChanged], {
  nothingBecause: "A plan is recorded where it is subscribed to",
});
