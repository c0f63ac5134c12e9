import { getMethodEffect } from "#libraries/openapi/safe-methods.ts";
import { islandAttributes } from "~/islands/island-attributes";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import { FieldErrors } from "~/ui/field/field";
import { writeMember } from "./circle-draft";
import type { DescribedDraft } from "./circle-form.server";
import { type MemberRow, MemberRows } from "./member-rows";

interface MemberListProps {
  described: DescribedDraft;
  /** By field. */
  errors: Record<string, string[]>;
}

/** The members of the circle, in order. */
export function MemberList({ described, errors }: MemberListProps) {
  const rows = toRows(described).map((row, index) => ({ ...row, effectErrors: errors[`members[${index}].effect`] }));
  const { members } = described.inspection;
  const executions = members.reduce((sum, member) => sum + member.executions, 0);
  return (
    <Card
      id="members"
      tabIndex={-1}
      title="Tests"
      description={
        rows.length > 0
          ? `${plural(members.length, "test")}, ${plural(executions, "execution")} in a run, as things are now.`
          : "None yet. Find tests below and add them."
      }
      flush={rows.length > 0}
    >
      <FieldErrors id="members" errors={errors.members} />
      {rows.length > 0 && (
        <div {...islandAttributes("circle-members")}>
          <MemberRows rows={rows} />
        </div>
      )}
    </Card>
  );
}

function toRows({ draft, inspection, apis }: DescribedDraft): MemberRow[] {
  const apiName = (apiId: string) => apis.find(({ id }) => id === apiId)?.name ?? "an API that is not there";
  return draft.members.map((member, index) => {
    const inspected = inspection.members.filter(({ memberIndex }) => memberIndex === index);
    const notRun = inspection.notRun.filter(({ memberIndex }) => memberIndex === index);
    const [test] = [...inspected, ...notRun];
    const value = writeMember(member, index);
    const shared = { key: String(index), value, phase: member.phase, isAbsent: inspection.absent.includes(index) };
    const flow = {
      gives: [...new Set(inspected.flatMap(({ gives }) => gives))],
      uses: inspected.flatMap(({ uses }) => uses).filter(({ givenBy }) => givenBy === "member" || givenBy === "nobody"),
    };
    if (member.kind === "selection") {
      const { apiId, tag, include } = member;
      const tests = include === "safe" ? "All safe tests" : "All tests";
      const unsafe = notRun.filter(({ reason }) => reason === "unsafe").length;
      return {
        ...shared,
        ...flow,
        name: `${tests} of ${apiName(apiId)}${tag ? ` with the tag ${tag}` : ""}`,
        notSent: describeNotSent(inspected),
        detail: `${plural(inspected.length, "test")} now${unsafe > 0 ? `, ${unsafe.toLocaleString("en")} left out because they may change data` : ""}`,
      };
    }
    return {
      ...shared,
      ...flow,
      name: test?.name ?? "A test that was deleted",
      operation: test && { method: test.method, path: test.path },
      detail: test ? apiName(test.apiId) : undefined,
      effect: test && mayChange(test.method) ? (member.effect ?? "") : undefined,
      canMake: test && canMake(test.method),
      notSent: inspected[0]?.notSent ?? undefined,
      isDisabled: notRun.some(({ reason }) => reason === "disabled"),
    };
  });
}

const mayChange = (method: string) => getMethodEffect(method) !== "safe";
const canMake = (method: string) => /^(post|put)$/i.test(method);

/** Of a selection: how many of its tests would not be sent, and why the first. */
function describeNotSent(tests: DescribedDraft["inspection"]["members"]): string | undefined {
  const [first, ...others] = tests.flatMap(({ notSent }) => notSent ?? []);
  return first && others.length > 0 ? `${first} And ${plural(others.length, "other")} of its tests.` : first;
}
