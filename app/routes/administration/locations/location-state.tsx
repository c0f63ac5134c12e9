import type { Location } from "#contracts/test-executioner/locations.ts";
import { getLocationState, locationStateWords } from "~/features/locations/location-words";
import { Badge } from "~/ui/badge/badge";

export function LocationState({ location }: { location: Pick<Location, "agents" | "lastSeenAt"> }) {
  const { word, tone } = locationStateWords[getLocationState(location)];
  return <Badge tone={tone}>{word}</Badge>;
}
