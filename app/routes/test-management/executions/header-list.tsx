import { Disclosure } from "~/ui/disclosure/disclosure";
import * as styles from "./header-list.css";

/** A server may send thousands; nobody reads so many, and the page would be larger than all bodies. */
const mostShown = 300;

/** Headers in the order they were on the wire; one name may come several times. */
export function HeaderList({ caption, headers }: { caption: string; headers: [string, string][] }) {
  const rows = headers.slice(0, mostShown).map(([name, value], index) => ({ key: `${index} ${name}`, name, value }));
  return (
    <Disclosure summary={`${caption} (${headers.length})`} open={headers.length <= 12}>
      <dl className={styles.list}>
        {rows.map(({ key, name, value }) => (
          <div key={key} className={styles.header}>
            <dt className={styles.name}>{name}</dt>
            <dd className={styles.value}>{value}</dd>
          </div>
        ))}
      </dl>
      {headers.length > mostShown && (
        <p>{(headers.length - mostShown).toLocaleString("en")} more are not shown; the run's HAR report has them.</p>
      )}
    </Disclosure>
  );
}
