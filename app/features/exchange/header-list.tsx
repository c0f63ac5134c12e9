import { Disclosure } from "~/ui/disclosure/disclosure";
import { Icon } from "~/ui/icon/icon";
import * as styles from "./header-list.css";

/** A server may send thousands, too many to read; the page would exceed the size of all bodies. */
const maxDisplayed = 300;

export interface HeaderListProps {
  caption: string;
  headers: [string, string][];
  /** Errors by header, in lower-case names. */
  marks?: ReadonlyMap<string, string>;
}

/** Headers in the order received; a name may occur several times. */
export function HeaderList({ caption, headers, marks }: HeaderListProps) {
  const isMarked = headers.some(([name]) => marks?.has(name.toLowerCase()));
  const rows = headers.slice(0, maxDisplayed).map(([name, value], index) => ({ key: `${index} ${name}`, name, value }));
  return (
    <Disclosure summary={`${caption} (${headers.length})`} open={isMarked}>
      <dl className={styles.list}>
        {rows.map(({ key, name, value }) => (
          <div key={key} className={styles.header}>
            <dt className={styles.name}>{name}</dt>
            <dd className={styles.value}>
              {value}
              <WrongHeader problem={marks?.get(name.toLowerCase())} />
            </dd>
          </div>
        ))}
      </dl>
      {headers.length > maxDisplayed && (
        <p>{(headers.length - maxDisplayed).toLocaleString("en")} more are not shown; the run's HAR report has them.</p>
      )}
    </Disclosure>
  );
}

function WrongHeader({ problem }: { problem: string | undefined }) {
  return (
    problem && (
      <div className={styles.wrong}>
        <Icon name="cross" />
        {problem}
      </div>
    )
  );
}
