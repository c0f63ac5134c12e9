import { receiveEventEndpoint } from "../kit/event.ts";
import { planChanged } from "../portal-service/events.ts";

export const receiveEvent = receiveEventEndpoint([planChanged], {
  nothingBecause: "Subscriptions are recorded where they are requested",
});
