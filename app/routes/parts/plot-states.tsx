import { ArcPlot } from "~/ui/plot/arc-plot";
import { BarPlot } from "~/ui/plot/bar-plot";
import { LimitPlot } from "~/ui/plot/limit-plot";
import { LinePlot } from "~/ui/plot/line-plot";
import { Timeline } from "~/ui/plot/timeline";
import { Waterfall } from "~/ui/plot/waterfall";
import type { PartStates } from "./part-states";

const days = ["Mon", "Tue", "Wed", "Thu", "Fri"];
const numbers = { headers: ["Gives", "Needs"], rows: [{ key: "token", cells: ["Login", "Order"] }] };
const spans = [
  { key: "login", label: "Login", tone: "success" as const, startMilliseconds: 0, endMilliseconds: 80, details: [] },
  { key: "order", label: "Order", tone: "danger" as const, startMilliseconds: 90, endMilliseconds: 400, details: [] },
  {
    key: "later",
    label: "Waits",
    tone: "neutral" as const,
    startMilliseconds: null,
    endMilliseconds: null,
    details: [],
  },
];

export const plotStates: PartStates = (id) => ({
  plot: {
    bars: (
      <BarPlot
        id={id("bars")}
        title="Verdicts a day"
        series={[
          { name: "Passed", tone: "success" },
          { name: "Failed", tone: "danger" },
        ]}
        bars={days.map((day, index) => ({ key: day, label: day, values: [20 - index, index] }))}
        bands={[{ key: "w", from: 0.3, to: 0.5, label: "A", name: "Weekly deployment" }]}
        marks={[{ index: 3, label: "1", names: ["Deployment: Bookshop 2.4.0"] }]}
      />
    ),
    lines: (
      <LinePlot
        id={id("lines")}
        title="Response times"
        filled
        steps={days.map((day) => ({ key: day, label: day }))}
        series={["p50", "p95"].map((name, series) => ({
          name,
          values: days.map((_day, index) => (index === 2 ? null : 80 * (series + 1) + 10 * index)),
        }))}
        bands={[{ key: "w", from: 0.3, to: 0.5, label: "A", name: "Weekly deployment" }]}
        marks={[{ index: 3, label: "1", names: ["Deployment: Bookshop 2.4.0"] }]}
        named
        isRead
        description="Of responses, by their last byte."
      />
    ),
    limits: (
      <LimitPlot
        id={id("limits")}
        title="Usage"
        barsAre="Plan"
        bars={[
          { key: "apis", label: "APIs", used: 2, limit: 3 },
          { key: "tests", label: "Tests", used: 120, limit: 100, tone: "danger" },
          { key: "users", label: "Users", used: 7, limit: null },
        ]}
      />
    ),
    arcs: (
      <ArcPlot
        id={id("arcs")}
        title="Values passed between tests"
        steps={["login", "basket", "order"].map((key) => ({ key, label: key }))}
        arcs={[{ from: "login", to: "order", label: "token" }]}
        numbers={numbers}
      />
    ),
    timeline: <Timeline id={id("timeline")} title="A run" spansAre="Test" spans={spans} totalMilliseconds={400} />,
    waterfall: (
      <Waterfall
        caption="Phases"
        phases={[
          { name: "Connecting", startMilliseconds: 0, durationMilliseconds: 12 },
          { name: "Waiting", startMilliseconds: 12, durationMilliseconds: 60 },
        ]}
      />
    ),
  },
});
