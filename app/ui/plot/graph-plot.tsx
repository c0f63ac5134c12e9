import { shorten } from "#libraries/text/shorten.ts";
import { scrollable } from "~/ui/scrollable";
import * as styles from "./graph-plot.css";
import { layOut, type Point } from "./layered-layout";

export interface GraphNode {
  key: string;
  name: string;
  /** A second line; its end is kept where it is too long. */
  detail: string;
  href: string;
  /** For readers who can't see the lines, after its name: "needs book". */
  says: string;
}

export interface GraphEdge {
  from: string;
  to: string;
  /** Drawn with dashes. */
  isSoft?: boolean;
}

export interface GraphPlotProps {
  id: string;
  title: string;
  nodes: readonly GraphNode[];
  edges: readonly GraphEdge[];
  /** What the two kinds of line mean; an arrow points to what is needed. */
  legend: { line: string; soft: string };
}

const box = { width: 168, height: 46 };
const gap = { x: 56, y: 16 };
const margin = 2;
const longest = { name: 21, detail: 25 };

/** Boxes and arrows in layers, what needs nothing at the left. Links, and each says its lines in words. */
export function GraphPlot({ id, title, nodes, edges, legend }: GraphPlotProps) {
  const layout = layOut({ nodes: nodes.map(({ key }) => key), edges }, { box, gap });
  const { width, height } = { width: layout.width + 2 * margin, height: layout.height + 2 * margin };
  const arrow = `${id}-arrow`;
  return (
    <>
      <div className={styles.frame} {...scrollable(title)}>
        <svg
          // No image, whose links would not be read; the frame has the name.
          role="presentation"
          width={width}
          height={height}
          viewBox={`${-margin} ${-margin} ${width} ${height}`}
          className={styles.drawing}
        >
          <defs>
            <marker id={arrow} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
              <path d="M0 0 8 4 0 8z" className={styles.arrow} />
            </marker>
          </defs>
          <g>
            {edges.map(({ from, to, isSoft }, index) => (
              <path
                key={`${from} ${to}`}
                d={toPath(layout.lines[index]!)}
                markerEnd={`url(#${arrow})`}
                className={isSoft ? styles.softLine : styles.line}
              />
            ))}
          </g>
          {nodes.map(({ key, href, says, ...node }) => {
            const { x, y } = layout.boxes.get(key)!;
            const name = shorten(node.name, longest.name);
            const detail = keepEnd(node.detail);
            return (
              <a key={key} href={href} aria-label={`${name} ${detail} ${says}`} className={styles.node}>
                <rect x={x} y={y} width={box.width} height={box.height} rx="6" className={styles.box} />
                <text x={x + 12} y={y + 20} className={styles.name}>
                  {name}
                </text>{" "}
                <text x={x + 12} y={y + 36} className={styles.detail}>
                  {detail}
                </text>
              </a>
            );
          })}
        </svg>
      </div>
      <div className={styles.legend}>
        {edges.some(({ isSoft }) => !isSoft) && <LegendItem words={legend.line} className={styles.line} />}
        {edges.some(({ isSoft }) => isSoft) && <LegendItem words={legend.soft} className={styles.softLine} />}
      </div>
    </>
  );
}

function LegendItem({ words, className }: { words: string; className: string }) {
  return (
    <span className={styles.legendItem}>
      <svg width="28" height="8" aria-hidden="true">
        <path d="M0 4H28" className={className} />
      </svg>
      {words}
    </span>
  );
}

/** The last parts of a path that is too long: "…/books/{bookId}". */
function keepEnd(text: string): string {
  if (text.length <= longest.detail) return text;
  const end = text.slice(1 - longest.detail);
  return `…${end.slice(Math.max(0, end.indexOf("/")))}`;
}

/** A curve between layers, straight along boxes. */
function toPath([start, ...points]: readonly Point[]): string {
  if (!start) return "";
  let { x, y } = start;
  const parts = points.map((point) => {
    const middle = Math.round((x + point.x) / 2);
    const part = y === point.y ? `H${point.x}` : `C${middle} ${y} ${middle} ${point.y} ${point.x} ${point.y}`;
    ({ x, y } = point);
    return part;
  });
  return `M${start.x} ${start.y}${parts.join("")}`;
}
