import type { BodyComparison, ComparedMember } from "#contracts/test-executioner/comparisons.ts";
import { memberName } from "~/features/runs/run-words";
import { Card } from "~/ui/card/card";
import { plural } from "~/ui/count/plural";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { Stack } from "~/ui/layout/layout";
import { Table } from "~/ui/table/table";

/** Address of the body comparison of an execution. */
export function toBodyElementId({ executionId }: Pick<ComparedMember, "executionId">): string {
  return `body-${executionId}`;
}

/** Differing values of a body; values that always differ are named, and displayed on request. */
export function BodyDifferences({ member }: { member: ComparedMember }) {
  const { body, position } = member;
  if (!body) return null;
  const { differences, differenceCount, masked, hidden } = body;
  const name = `${position}. ${memberName(member)}`;
  return (
    <Card id={toBodyElementId(member)} tabIndex={-1} title={name} description={shownWords(body)}>
      <Stack gap="medium">
        {differenceCount > 0 && <Differences caption={`Values of ${name} that differ`} differences={differences} />}
        {masked.length > 0 && (
          <Disclosure
            summary={
              <>
                {plural(masked.length, "value")} left out, since {masked.length === 1 ? "it differs" : "they differ"}{" "}
                from run to run although the test passes: {masked.map(shownPointer).join(", ")}
              </>
            }
          >
            <Differences caption={`Values of ${name} that always differ`} differences={hidden} />
          </Disclosure>
        )}
      </Stack>
    </Card>
  );
}

function shownWords({ differences, differenceCount }: BodyComparison): string {
  if (differenceCount === 0) return "Only values that change on every run.";
  if (differenceCount > differences.length) {
    return `The first ${differences.length} of ${differenceCount.toLocaleString("en")} values that differ.`;
  }
  return `${plural(differenceCount, "value")} of the body ${differenceCount === 1 ? "differs" : "differ"}.`;
}

const shownPointer = (pointer: string) => pointer || "the whole body";

function Differences({ caption, differences }: { caption: string; differences: BodyComparison["differences"] }) {
  return (
    <Table
      bare
      caption={caption}
      captionHidden
      rows={differences}
      rowKey={({ pointer }) => pointer}
      columns={[
        {
          key: "pointer",
          header: "Where",
          rowHeader: true,
          cell: ({ pointer }) => <code>{shownPointer(pointer)}</code>,
        },
        { key: "before", header: "Was", cell: ({ before }) => <Value json={before} /> },
        { key: "after", header: "Is", cell: ({ after }) => <Value json={after} /> },
      ]}
    />
  );
}

function Value({ json }: { json: string | null }) {
  return json === null ? "Missing" : <code>{json}</code>;
}
