import { href } from "~/href";
import * as styles from "./key-table.css";
import { keyList } from "./keys";

/** The keys of every page, and how to switch off those that are a single character. */
export function KeyTable() {
  return (
    <>
      <dl className={styles.list}>
        {keyList.map(({ keys, what }) => (
          <div key={keys.join()} className={styles.row}>
            <dt>
              {keys.map((key, index) => (
                <span key={key}>
                  {index > 0 && " or "}
                  {key.split(" ").map((part, position) => (
                    <span key={part}>
                      {position > 0 && " "}
                      <kbd className={styles.key}>{part}</kbd>
                    </span>
                  ))}
                </span>
              ))}
            </dt>
            <dd className={styles.what}>{what}</dd>
          </div>
        ))}
      </dl>
      <p>
        Keys without Ctrl or ⌘ can be switched off under <a href={href("/profile/display")}>Display</a> in your profile.
      </p>
    </>
  );
}
