import type { RunMember } from "#contracts/test-executioner/runs.ts";
import { memberName } from "~/features/runs/run-words";
import { getStatus, statusWords } from "~/features/verdict/verdict-words";
import { Strip } from "~/ui/strip/strip";

/** Maximum that fits a narrow screen. */
const max = 80;

/** Every member of a run at a glance, in order. */
export function RunStrip({ members, total }: { members: readonly RunMember[]; total: number }) {
  if (total < 2 || total > max || members.length < total) return null;
  const items = members.map((member) => {
    const { word, tone } = statusWords[getStatus(member)];
    return { key: member.executionId, tone, label: `${member.position}. ${memberName(member)}: ${word.toLowerCase()}` };
  });
  return <Strip label="Executions, in the order of the run" items={items} />;
}
