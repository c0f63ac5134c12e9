import type { ExecutionHistory } from "#contracts/portal-service/usage.ts";
import { formatCount } from "~/ui/count/format-count";
import { Grid } from "~/ui/layout/layout";
import { BarPlot } from "~/ui/plot/bar-plot";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const monthName = (date: string) => months[Number(date.slice(5, 7)) - 1]!;

/** Executions that count against the plan: by day of this month, if known, and by earlier month. */
export function ExecutionPlots({ history }: { history: ExecutionHistory }) {
  const shared = { series: [{ name: "Executions" }], height: 120, formatValue: formatCount };
  return (
    <Grid gap="huge" cell="large">
      {history.days && (
        <BarPlot
          {...shared}
          id="executions-by-day"
          title="Executions by day of this month (UTC)"
          barsAre="Day"
          bars={history.days.map(({ day, executions }) => ({
            key: day,
            label: `${Number(day.slice(8))} ${monthName(day)}`,
            tick: String(Number(day.slice(8))),
            values: [executions],
          }))}
        />
      )}
      <BarPlot
        {...shared}
        id="executions-by-month"
        title="Executions by month"
        barsAre="Month"
        bars={history.months.map(({ month, executions }) => ({
          key: month,
          label: `${monthName(month)} ${month.slice(0, 4)}`,
          tick: monthName(month),
          values: [executions],
        }))}
      />
    </Grid>
  );
}
