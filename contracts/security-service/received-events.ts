import { receiveEventEndpoint } from "../kit/event.ts";
import { planChanged } from "../portal-service/events.ts";

export const receiveEvent = receiveEventEndpoint([planChanged], {
  nothingBecause: "A plan is recorded where it is subscribed to",
});
