import type { Tone } from "~/ui/tone";
import * as styles from "./plot.css";
import { PlotFrame, type PlotFrameProps } from "./plot-frame";
import { percent } from "./scale";
import { seriesColour } from "./series-colour";

export interface LimitPlotBar {
  key: string;
  label: string;
  used: number;
  /** null: unlimited, so there is a figure and no bar. */
  limit: number | null;
  tone?: Tone;
}

export interface LimitPlotProps extends Omit<PlotFrameProps, "legend" | "numbers" | "children" | "height"> {
  bars: readonly LimitPlotBar[];
  /** Header of the first column of the numbers. */
  barsAre: string;
  formatValue?: (value: number) => string;
}

const rowHeight = 46;
const barHeight = 10;

/** The usage of each limit: a bar on a track whose length is the limit. */
export function LimitPlot({ bars, barsAre, formatValue = String, ...frame }: LimitPlotProps) {
  const figures = bars.map(({ used, limit }) =>
    limit === null ? `${formatValue(used)}, no limit` : `${formatValue(used)} of ${formatValue(limit)}`,
  );
  return (
    <PlotFrame
      {...frame}
      legend={[]}
      height={bars.length * rowHeight - rowHeight / 4}
      numbers={{
        headers: [barsAre, "Used", "Limit", "Left"],
        rows: bars.map(({ key, label, used, limit }) => ({
          key,
          cells: [
            label,
            formatValue(used),
            limit === null ? "none" : formatValue(limit),
            limit === null ? "–" : formatValue(Math.max(limit - used, 0)),
          ],
        })),
      }}
    >
      {bars.map(({ key, label, used, limit, tone }, index) => {
        const top = index * rowHeight;
        return (
          <g key={key}>
            <text y={top + 14} className={styles.stepLabel}>
              {label}
            </text>
            <text x="100%" y={top + 14} textAnchor="end" className={styles.figureLabel}>
              {figures[index]}
            </text>
            {limit !== null && (
              <>
                <rect y={top + 22} width="100%" height={barHeight} rx="3" className={styles.track} />
                {used > 0 && (
                  <rect
                    y={top + 22}
                    // A minimum width keeps tiny usage of a large limit visible.
                    width={percent(limit === 0 ? 1 : Math.min(1, Math.max(0.006, used / limit)))}
                    height={barHeight}
                    rx="3"
                    className={`${styles.shape} ${styles.seriesColour[seriesColour(0, tone)]}`}
                  />
                )}
              </>
            )}
          </g>
        );
      })}
    </PlotFrame>
  );
}
