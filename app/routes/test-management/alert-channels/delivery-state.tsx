import type { DeliveryState as State } from "#contracts/test-analyzer/alert-deliveries.ts";
import { stateWords } from "~/features/alerts/channel-words";
import { Badge } from "~/ui/badge/badge";

/** State of a delivery, as an icon and a word. */
export function DeliveryState({ state }: { state: State }) {
  const { word, tone, icon } = stateWords[state];
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}
