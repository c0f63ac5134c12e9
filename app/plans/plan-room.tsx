import { href } from "~/href";
import { formatCount } from "~/ui/count/format-count";
import { Notice } from "~/ui/notice/notice";
import type { UsageSubject } from "../../services/portal-service/contract/usage.ts";

export interface Room {
  subject: UsageSubject;
  /** Its name. */
  plan: string;
  used: number;
  limit: number;
}

const words: Record<UsageSubject, string> = {
  apis: "APIs",
  tests: "tests",
  members: "members",
  executionsPerMonth: "executions this month",
};

/** Tells of a limit before somebody runs into it: nothing while it is far. */
export function PlanRoom({ room }: { room: Room | undefined }) {
  if (!room || room.used < room.limit * 0.8) return null;
  const { subject, plan, used, limit } = room;
  const what = `${formatCount(used)} of ${formatCount(limit)} ${words[subject]}`;
  if (used < limit) return <Notice tone="info">{`${what} of the ${plan} plan are used.`}</Notice>;
  return (
    <Notice tone="warning" title={`The ${plan} plan allows no more ${words[subject]}`}>
      {`${what} are used. `}
      <a href={href("/billing")}>Take a larger plan</a>, or remove what is not needed any more.
    </Notice>
  );
}
