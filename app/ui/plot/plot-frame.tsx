import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { joinClasses } from "~/ui/join-classes";
import { scrollable } from "~/ui/scrollable";
import { patternOver } from "./patterns";
import * as styles from "./plot.css";
import { PointMark } from "./point-mark";
import type { SeriesColour } from "./series-colour";

export interface LegendItem {
  name: string;
  colour: SeriesColour;
  /** The pattern over its bars. */
  patterned?: boolean;
  /** Number of its line, which decides its dashes. */
  line?: number;
}

/** The same numbers for readers who can't see the drawing or want exact values. */
export interface PlotNumbers {
  /** Headers: of the rows, then the name of each series. */
  headers: readonly string[];
  /** The name of a row may lead to details. */
  rows: readonly { key: string; cells: readonly string[]; href?: string }[];
}

export interface PlotFrameProps extends Omit<ComponentPropsWithoutRef<"figure">, "title"> {
  id: string;
  title: string;
  /** The content of the drawing, in a sentence. */
  description?: string;
  titleHidden?: boolean;
  legend: readonly LegendItem[];
  height: number;
  numbers: PlotNumbers;
  /** Has a margin for the labels of a value axis. */
  hasAxis?: boolean;
  /** Has a line that says the description, or the values of the step that is chosen. */
  isRead?: boolean;
  children: ReactNode;
}

/** The frame of every plot: name, legend, drawing and numbers. */
export function PlotFrame(props: PlotFrameProps) {
  const { id, title, titleHidden, description, legend, height, numbers, hasAxis, isRead, className, ...others } = props;
  const { children, ...rest } = others;
  return (
    <figure {...rest} id={id} className={joinClasses(styles.figure, className)}>
      {(!titleHidden || legend.length > 1) && (
        <figcaption className={styles.caption}>
          {!titleHidden && <strong>{title}</strong>}
          {legend.length > 1 && <Legend id={id} items={legend} />}
        </figcaption>
      )}
      <div className={hasAxis ? styles.ground : undefined} data-ground={isRead ? title : undefined}>
        <svg
          role="img"
          aria-labelledby={`${id}-name`}
          aria-describedby={description && `${id}-says`}
          width="100%"
          height={height}
          className={styles.drawing}
        >
          <title id={`${id}-name`}>{title}</title>
          {description && !isRead && <desc id={`${id}-says`}>{description}</desc>}
          {children}
        </svg>
      </div>
      {isRead && (
        <p id={`${id}-says`} className={styles.readout} data-readout="">
          {description}
        </p>
      )}
      <Disclosure summary={<small>Numbers</small>}>
        <div className={styles.numbersFrame} {...scrollable(`${title}, numbers`)}>
          <table className={styles.numbers}>
            <thead>
              <tr>
                {numbers.headers.map((header) => (
                  <th key={header} scope="col" className={styles.numberCell}>
                    {header}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {numbers.rows.map(({ key, href, cells: [name, ...values] }) => (
                <tr key={key}>
                  <th scope="row" className={styles.numberCell}>
                    {href ? <a href={href}>{name}</a> : name}
                  </th>
                  {values.map((value, index) => (
                    <td key={numbers.headers[index + 1]} className={styles.numberCell}>
                      {value}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Disclosure>
    </figure>
  );
}

function Legend({ id, items }: { id: string; items: readonly LegendItem[] }) {
  return (
    <ul className={styles.legend}>
      {items.map(({ name, colour, patterned, line }) => (
        <li key={name} className={styles.legendItem}>
          <svg
            className={joinClasses(line === undefined ? styles.swatch : styles.lineSwatch, styles.seriesColour[colour])}
            aria-hidden="true"
          >
            {line === undefined ? (
              <>
                <rect width="12" height="12" className={styles.shape} />
                {patterned && <rect width="12" height="12" fill={patternOver(id, colour) ?? "none"} />}
              </>
            ) : (
              <>
                <line x2="22" y1="6" y2="6" className={joinClasses(styles.line, dashOf(line))} />
                <PointMark kind={line} x="11" y={6} />
              </>
            )}
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}

const dashOf = (line: number) => styles.dash[(line % 4) as keyof typeof styles.dash];
