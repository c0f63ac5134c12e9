import { Card } from "~/ui/card/card";
import { ArcPlot } from "~/ui/plot/arc-plot";
import type { DescribedDraft } from "./circle-form.server";

/** Which tests capture values, and which tests use them. */
export function CaptureFlow({ inspection }: Pick<DescribedDraft, "inspection">) {
  const { members } = inspection;
  const flows = members.flatMap(({ position, gives }) =>
    gives.flatMap((value) => {
      const users = members.filter(({ uses }) =>
        uses.some((used) => used.name === value && used.givenBy === "member" && used.position === position),
      );
      return users.length > 0 ? [{ value, position, users: users.map((user) => user.position) }] : [];
    }),
  );
  if (flows.length === 0) return null;
  const involved = new Set(flows.flatMap(({ position, users }) => [position, ...users]));
  const labels = new Map(members.map(({ position, name }) => [position, `${position} ${name}`]));
  return (
    <Card>
      <ArcPlot
        id="captured"
        title="Captured values, from the capturing test to the tests that use them"
        steps={[...involved]
          .sort((a, b) => a - b)
          .map((position) => ({ key: String(position), label: labels.get(position)! }))}
        arcs={flows.flatMap(({ value, position, users }) =>
          users.map((user) => ({ from: String(position), to: String(user), label: value })),
        )}
        numbers={{
          headers: ["Value", "Captured by", "Used by"],
          rows: flows.map(({ value, position, users }) => ({
            key: `${value} ${position}`,
            cells: [value, labels.get(position)!, users.map((user) => labels.get(user)!).join(", ")],
          })),
        }}
      />
    </Card>
  );
}
