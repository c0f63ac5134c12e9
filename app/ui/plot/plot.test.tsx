import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { BarPlot, stackBars } from "./bar-plot";
import { LimitPlot } from "./limit-plot";
import { LinePlot, lonePoints } from "./line-plot";
import { anchorAt, areFarApart, percent, spreadTicks, valueScale } from "./scale";
import { Timeline, type TimelineSpan } from "./timeline";
import { formatMilliseconds, Waterfall } from "./waterfall";

const stepsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ key: String(index), label: `Jan ${index + 1}` }));

test("the value axis starts at zero and includes the greatest value", () => {
  const scale = valueScale([3, 97], { height: 160 });
  expect(scale.ticks[0]).toBe(0);
  expect(scale.y(97)).toBeGreaterThanOrEqual(8);
  expect(scale.y(0)).toBe(scale.bottom);
});

test("an empty plot is rendered without NaN", () => {
  const nothing = [
    <LinePlot key="line" id="line" title="Times" steps={[]} series={[{ name: "Median", values: [] }]} />,
    <BarPlot key="bar" id="bar" title="Runs" series={[{ name: "Runs" }]} bars={[]} />,
    <LimitPlot key="limits" id="limits" title="Usage" barsAre="Limit" bars={[]} />,
    <Timeline key="timeline" id="timeline" title="Runs" spansAre="Run" spans={[]} totalMilliseconds={0} />,
    <Waterfall key="phases" caption="Phases" phases={[]} />,
    <Waterfall
      key="instant"
      caption="Phases"
      phases={[{ name: "dns", startMilliseconds: 0, durationMilliseconds: 0 }]}
    />,
  ];
  for (const plot of nothing) expect(renderToStaticMarkup(plot)).not.toMatch(/NaN|Infinity|undefined/);
});

test("a gap is left where nothing was measured, and a lone point gets a dot", () => {
  const values = [1, null, 3, null, 5, 6];
  expect(lonePoints(values)).toEqual([0, 2]);
  const series = [
    { name: "Median", values },
    { name: "95 %", values: [null, null, 4, null, 8, 9] },
  ];
  const markup = renderToStaticMarkup(<LinePlot id="line" title="Times" steps={stepsOf(6)} series={series} />);
  const [drawing] = markup.split("<details");
  // One in the legend of each series, and the lone ones: a circle twice, a square once.
  expect(drawing!.match(/a4,4 0 1,0 8,0/g)).toHaveLength(1 + 2);
  expect(drawing!.match(/M-3.5,-3.5h7/g)).toHaveLength(1 + 1);
  expect(markup).toContain(">–</td>");
});

test("a limit is a track with its usage as a bar, never longer, and an unlimited one is a figure", () => {
  const bars = [
    { key: "apis", label: "APIs", used: 3, limit: 2 },
    { key: "tests", label: "Tests", used: 5, limit: 50 },
    { key: "none", label: "Members", used: 0, limit: 0 },
    { key: "free", label: "Executions", used: 7, limit: null },
  ];
  const markup = renderToStaticMarkup(<LimitPlot id="limits" title="Usage" barsAre="Limit" bars={bars} />);
  expect([...markup.matchAll(/width="([\d.]+%)" height="10"/g)].map(([, width]) => width)).toEqual([
    ...["100%", "100%", "100%", "10%", "100%"],
  ]);
  expect(markup).toContain(">7, no limit</text>");
  expect(markup).toMatch(/>APIs<\/th><td[^>]*>3<\/td><td[^>]*>2<\/td><td[^>]*>0<\/td>/);
});

test("an axis with explicit bounds displays its start", () => {
  const scale = valueScale([0.95, 1], { height: 160, bounds: [0.9, 1] });
  expect(scale.ticks).toEqual([0.9, 0.95, 1]);
  expect(scale.y(0.9)).toBe(scale.bottom);
  const series = [{ name: "Rate", values: [0.95, 0.95] }];
  const markup = renderToStaticMarkup(
    <LinePlot id="line" title="Rates" steps={stepsOf(2)} series={series} bounds={[0.9, 1]} />,
  );
  expect(markup).toMatch(/>0\.9<\/text>/);
});

test("values far apart are drawn by powers of ten, so that the low ones leave the base", () => {
  const values = [2, 8, 2_000];
  expect(areFarApart(values)).toBe(true);
  expect(areFarApart([100, null, 900])).toBe(false);
  const scale = valueScale(values, { height: 208, logarithmic: true });
  expect(scale.ticks).toEqual([1, 10, 100, 1_000, 10_000]);
  expect(scale.bottom - scale.y(8)).toBeGreaterThan(30);
});

test("a step with details leads there from the numbers, and has its own sentence", () => {
  const bars = [{ key: "1", label: "13:00–14:00", values: [4], href: "/runs?from=1", said: "13:00–14:00: 4 passed" }];
  const markup = renderToStaticMarkup(
    <BarPlot id="bar" title="Runs" series={[{ name: "Passed" }]} bars={bars} isRead />,
  );
  expect(markup).toMatch(/data-step="leads"><title>13:00–14:00: 4 passed<\/title>/);
  expect(markup).toMatch(/<th scope="row"[^>]*><a href="\/runs\?from=1">13:00–14:00<\/a><\/th>/);
});

test("a band covers its part of the axis with its name, and is never too narrow to see", () => {
  const bars = [1, 2].map((number) => ({ key: String(number), label: `Jan ${number}`, values: [number] }));
  const bands = [
    { key: "a", from: 0.25, to: 0.5, label: "A", name: "Weekly deployment" },
    { key: "b", from: 0.9, to: 0.9, name: "Weekly deployment" },
  ];
  const markup = renderToStaticMarkup(
    <BarPlot id="bar" title="Runs" series={[{ name: "Runs" }]} bars={bars} bands={bands} named />,
  );
  const drawn = [...markup.matchAll(/<rect x="([^"]*)" width="([^"]*)" height="\d+" fill="url\(#bar-band\)"/g)];
  expect(drawn.map(([, x, width]) => [x, width])).toEqual([
    ["25%", "25%"],
    ["90%", "0.4%"],
  ]);
  expect(markup.match(/>Weekly deployment</g)).toHaveLength(1);
});

test("a mark has a number in the plot, and a name in the tooltip and in the numbers", () => {
  const marks = [{ index: 1, label: "1", names: ["Deployment of 2.4"] }];
  const bars = [1, 2].map((number) => ({ key: String(number), label: `Jan ${number}`, values: [number] }));
  const series = [{ name: "Times", values: [1, 2] }];
  for (const plot of [
    <BarPlot key="bar" id="bar" title="Runs" series={[{ name: "Runs" }]} bars={bars} marks={marks} />,
    <LinePlot key="line" id="line" title="Times" steps={stepsOf(2)} series={series} marks={marks} />,
  ]) {
    const markup = renderToStaticMarkup(plot);
    expect(markup).toMatch(/<title>Jan 2\n.*\nDeployment of 2\.4<\/title>/);
    expect(markup).toMatch(/Jan 2<\/th><td[^>]*>2<\/td><td[^>]*>Deployment of 2\.4<\/td>/);
  }
});

test("a single point is in the middle", () => {
  const series = [{ name: "Median", values: [4] }];
  const markup = renderToStaticMarkup(<LinePlot id="line" title="Times" steps={stepsOf(1)} series={series} />);
  expect(markup).toContain('<svg x="50%"');
});

test("every plot has a name and its numbers as a table", () => {
  const bars = [{ key: "1", label: "Jan 1", values: [4, 1] }];
  const markup = renderToStaticMarkup(
    <BarPlot
      id="runs"
      title="Runs"
      description="Five runs."
      series={[{ name: "Passed" }, { name: "Failed" }]}
      bars={bars}
    />,
  );
  expect(markup).toMatch(/role="img" aria-labelledby="runs-name" aria-describedby="runs-says"/);
  expect(markup).toMatch(/<th scope="row"[^>]*>Jan 1<\/th><td[^>]*>4<\/td><td[^>]*>1<\/td>/);
});

test("the parts of a bar are stacked", () => {
  expect(stackBars([2, 0, 3])).toEqual([
    { from: 0, to: 2 },
    { from: 2, to: 2 },
    { from: 2, to: 5 },
  ]);
});

test("at most four moments are labelled under a plot, the first and the last among them", () => {
  expect(spreadTicks([1, 2, 3])).toEqual([1, 2, 3]);
  expect(spreadTicks(Array.from({ length: 31 }, (_, index) => index))).toEqual([0, 10, 20, 30]);
});

test("labels at the edges turn inwards", () => {
  expect([0, 0.5, 1].map(anchorAt)).toEqual(["start", "middle", "end"]);
});

test("shares are written with two decimals", () => {
  expect(percent(1 / 3)).toBe("33.33%");
});

test.each([
  [0.42, "0.42 ms"],
  [9.999, "10.0 ms"],
  [18.26, "18.3 ms"],
  [182.4, "182 ms"],
  [999.6, "1.00 s"],
  [1240, "1.24 s"],
  [31_250, "31.3 s"],
  [59_499, "59.5 s"],
  [125_400, "2 min 5 s"],
  [5_400_000, "1 h 30 min"],
])("%d milliseconds read %s", (milliseconds, words) => {
  expect(formatMilliseconds(milliseconds)).toBe(words);
});

test("a plot carries no inline style, which the content security policy would refuse", () => {
  const series = [{ name: "Median", values: [1, 2] }];
  expect(
    renderToStaticMarkup(<LinePlot id="line" title="Times" filled steps={stepsOf(2)} series={series} />),
  ).not.toContain("style=");
});

test("a timeline draws the started spans, up to their end or to now, and has all of them as numbers", () => {
  const span = { tone: "success", details: [] } as const;
  const spans: TimelineSpan[] = [
    { ...span, key: "1", label: "Ended", startMilliseconds: 0, endMilliseconds: 500 },
    { ...span, key: "2", label: "Goes on", startMilliseconds: 500, endMilliseconds: null },
    { ...span, key: "3", label: "Waits", startMilliseconds: null, endMilliseconds: null },
  ];
  const markup = renderToStaticMarkup(
    <Timeline id="timeline" title="Runs" spansAre="Run" spans={spans} totalMilliseconds={1_000} />,
  );
  const drawn = [...markup.matchAll(/<rect x="([^"]*)" width="([^"]*)"/g)].map(([, x, width]) => [x, width]);
  expect(drawn).toEqual([
    ["0%", "50%"],
    ["50%", "50%"],
  ]);
  expect(markup.match(/<th scope="row"/g)).toHaveLength(3);
});

test("a timeline names its spans where there is room, and cuts what does not fit", () => {
  const draw = (labels: string[]) => {
    const spans = labels.map((label, index) => ({
      ...{ key: String(index), label, tone: "success" as const, details: [] },
      ...{ startMilliseconds: 0, endMilliseconds: 1 },
    }));
    return renderToStaticMarkup(<Timeline id="t" title="Runs" spansAre="Run" spans={spans} totalMilliseconds={1} />);
  };
  expect(draw(["1. Log in", "n".repeat(80)])).toMatch(/<text x="0"[^>]*>1\. Log in<\/text>.*>n{59}…<\/text>/s);
  expect(draw(Array.from({ length: 31 }, (_, index) => `Test ${index}`))).not.toMatch(/<text[^>]*>Test/);
});
