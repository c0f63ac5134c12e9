import type { Schedule } from "#contracts/test-registry/schedules.ts";
import { PlanLink } from "~/features/plans/plan-link";
import { Badge } from "~/ui/badge/badge";
import { plural } from "~/ui/count/plural";
import { Notice } from "~/ui/notice/notice";

/** Replaces the next run of a schedule that the plan does not allow. */
export function HeldBack() {
  return (
    <Badge tone="warning" icon="pause">
      Held back
    </Badge>
  );
}

export interface HeldBackNoticeProps {
  schedules: readonly Pick<Schedule, "heldBack">[];
  managesBilling: boolean;
}

/** Why schedules do not run, and the remedy; nothing if all of them run. */
export function HeldBackNotice({ schedules, managesBilling }: HeldBackNoticeProps) {
  const held = schedules.filter(({ heldBack }) => heldBack);
  const reasons = [...new Set(held.map(({ heldBack }) => heldBack))];
  if (held.length === 0) return null;
  return (
    <Notice tone="warning" icon="pause" title={`Your plan holds back ${plural(held.length, "schedule")}`}>
      {reasons.map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
      <p>
        <PlanLink managesBilling={managesBilling} /> They resume automatically once the plan allows them.
      </p>
    </Notice>
  );
}
