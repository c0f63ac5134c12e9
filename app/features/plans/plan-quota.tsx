import type { UsageSubject } from "#contracts/portal-service/usage.ts";
import { formatCount } from "~/ui/count/format-count";
import { Notice } from "~/ui/notice/notice";
import { PlanLink } from "./plan-link";

export interface Quota {
  subject: UsageSubject;
  /** Name of the plan. */
  plan: string;
  used: number;
  limit: number;
  /** The viewer may choose another plan. */
  managesBilling: boolean;
}

const words: Record<UsageSubject, string> = {
  apis: "APIs",
  tests: "tests",
  members: "members",
  executionsPerMonth: "executions this month",
};

/** Warns of a limit before it is reached; renders nothing while it is far. */
export function PlanQuota({ quota }: { quota: Quota | undefined }) {
  if (!quota || quota.used < quota.limit * 0.8) return null;
  const { subject, plan, used, limit, managesBilling } = quota;
  const what = `${formatCount(used)} of ${formatCount(limit)} ${words[subject]} used`;
  if (used < limit) return <Notice tone="info">{`${what} on the ${plan} plan.`}</Notice>;
  return (
    <Notice tone="warning" title={`The ${plan} plan allows no more ${words[subject]}`}>
      {`${what}. `}
      <PlanLink managesBilling={managesBilling} />
      {subject === "executionsPerMonth" ? " The count starts again next month." : " Or remove what you no longer need."}
    </Notice>
  );
}

/** Several limits on one page. */
export function PlanQuotas({ quotas }: { quotas: readonly Quota[] }) {
  return quotas.map((quota) => <PlanQuota key={quota.subject} quota={quota} />);
}
