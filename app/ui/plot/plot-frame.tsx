import type { ComponentPropsWithoutRef, ReactNode } from "react";
import { Disclosure } from "~/ui/disclosure/disclosure";
import { joinClasses } from "~/ui/join-classes";
import { scrollable } from "~/ui/scrollable";
import * as styles from "./plot.css";
import type { SeriesColour } from "./series-colour";

export interface LegendItem {
  name: string;
  colour: SeriesColour;
}

/** The same numbers for readers who can't see the drawing or want exact values. */
export interface PlotNumbers {
  /** Headers: of the rows, then the name of each series. */
  headers: readonly string[];
  rows: readonly { key: string; cells: readonly string[] }[];
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
  children: ReactNode;
}

/** The frame of every plot: name, legend, drawing and numbers. */
export function PlotFrame(props: PlotFrameProps) {
  const { id, title, titleHidden, description, legend, height, numbers, className, children, ...rest } = props;
  return (
    <figure {...rest} id={id} className={joinClasses(styles.figure, className)}>
      {(!titleHidden || legend.length > 1) && (
        <figcaption className={styles.caption}>
          {!titleHidden && <strong>{title}</strong>}
          {legend.length > 1 && <Legend items={legend} />}
        </figcaption>
      )}
      <svg
        role="img"
        aria-labelledby={`${id}-name`}
        aria-describedby={description && `${id}-says`}
        width="100%"
        height={height}
        className={styles.drawing}
      >
        <title id={`${id}-name`}>{title}</title>
        {description && <desc id={`${id}-says`}>{description}</desc>}
        {children}
      </svg>
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
              {numbers.rows.map(({ key, cells: [name, ...values] }) => (
                <tr key={key}>
                  <th scope="row" className={styles.numberCell}>
                    {name}
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

function Legend({ items }: { items: readonly LegendItem[] }) {
  return (
    <ul className={styles.legend}>
      {items.map(({ name, colour }) => (
        <li key={name} className={styles.legendItem}>
          <svg className={joinClasses(styles.swatch, styles.seriesColour[colour])} aria-hidden="true">
            <rect width="10" height="10" className={styles.shape} />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}
