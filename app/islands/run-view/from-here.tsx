import type { RunMember } from "#contracts/test-executioner/runs.ts";
import { Button } from "~/ui/button/button";

/** Repeats a run from one of its members on; its setup runs in any case. */
export function FromHere({ form, member: { position, phase } }: { form: string; member: RunMember }) {
  if (phase !== "main" || position === 1) return null;
  return (
    <Button
      form={form}
      name="from"
      value={position}
      size="small"
      variant="quiet"
      icon="play"
      aria-label={`From here: rerun from no. ${position}`}
    >
      From here
    </Button>
  );
}
