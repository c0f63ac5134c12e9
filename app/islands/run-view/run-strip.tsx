import type { RunMember } from "#contracts/test-executioner/runs.ts";
import { memberName } from "~/features/runs/run-words";
import { getStatus, statusWords } from "~/features/verdict/verdict-words";
import { Strip } from "~/ui/strip/strip";

/** "Executions in the order of the run: 19 passed, 2 failed" */
function stripText(members: readonly RunMember[]): string {
  const counts = new Map<string, number>();
  for (const member of members) {
    const word = statusWords[getStatus(member)].word.toLowerCase();
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return `Executions in the order of the run: ${[...counts].map(([word, count]) => `${count} ${word}`).join(", ")}`;
}

/** Maximum that fits a narrow screen. */
const max = 80;

/** Every member of a run at a glance, in order. */
export function RunStrip({ members, total }: { members: readonly RunMember[]; total: number }) {
  if (total < 2 || total > max || members.length < total) return null;
  const items = members.map((member) => {
    const { word, tone } = statusWords[getStatus(member)];
    return { key: member.executionId, tone, label: `${member.position}. ${memberName(member)}: ${word.toLowerCase()}` };
  });
  return <Strip text={stripText(members)} items={items} />;
}
