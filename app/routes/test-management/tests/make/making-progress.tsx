import { RunKey } from "~/features/runs/run-key";
import { islandAttributes } from "~/islands/island-attributes";
import { Button } from "~/ui/button/button";
import { formatCount } from "~/ui/count/format-count";
import { plural } from "~/ui/count/plural";
import { Stack } from "~/ui/layout/layout";
import { PageHeading } from "~/ui/page-heading/page-heading";
import { Progress } from "~/ui/progress/progress";
import { invalidField, type Making } from "./making";

/** Displayed between two steps. The island submits the form at once; without script the user presses its button. */
export function MakingProgress({ making, runKey }: { making: Making; runKey: string }) {
  const { intent, cursor, looked, made, lacking, total, invalid } = making;
  return (
    <>
      <PageHeading
        title="Generating tests"
        description={`${plural(made, "circle")} so far. What is created stays, also if you leave.`}
      />
      <form method="post" {...islandAttributes("ticked-circles")} data-goes-on>
        <RunKey value={runKey} />
        <input type="hidden" name="from" value={cursor} />
        {invalid && <input type="hidden" name={invalidField} value="yes" />}
        {Object.entries({ looked, made, lacking, total }).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Stack gap="large">
          <Progress
            id="made"
            label="Operations"
            value={looked}
            max={total}
            valueText={`${formatCount(looked)} of ${formatCount(total)}`}
          />
          <div>
            <Button name="intent" value={intent} variant="primary">
              Continue
            </Button>
          </div>
        </Stack>
      </form>
    </>
  );
}
