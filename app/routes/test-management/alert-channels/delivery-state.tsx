import type { DeliveryState as State } from "#contracts/test-analyzer/alert-deliveries.ts";
import { Badge } from "~/ui/badge/badge";
import { stateWords } from "./channel-words";

/** State of a delivery, by icon and word. */
export function DeliveryState({ state }: { state: State }) {
  const { word, tone, icon } = stateWords[state];
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}
