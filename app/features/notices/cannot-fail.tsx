import { Badge } from "~/ui/badge/badge";

/** Marks a test that passes whatever the response is. */
export function CannotFail() {
  return (
    <Badge tone="warning" icon="warning" title="It would have passed with every change of its response that was tried">
      Can't fail
    </Badge>
  );
}
