import { Icon, type IconName } from "~/ui/icon/icon";
import * as styles from "./home.css";

const proofs: { icon: IconName; title: string; words: string }[] = [
  {
    icon: "upload",
    title: "Tests from your document",
    words:
      "OpenAPI 2.0 to 3.2. Whole lives of resources, requests that must be refused, and explorations that look for more: generated, readable, yours to change.",
  },
  {
    icon: "search",
    title: "Every response is checked",
    words:
      "Against its documented schema, without a script. A failure names the value, its place and the line that it breaks.",
  },
  {
    icon: "check",
    title: "Proof that a test can fail",
    words: "Each passed response is spoiled on purpose, and you see which faults your test would not notice.",
  },
  {
    icon: "lock",
    title: "Careful with your data",
    words:
      "A run changes only what it created. Credentials go to their own host, and are masked in all that is stored or shown.",
  },
  {
    icon: "refresh",
    title: "New versions are reviewed",
    words: "What a new document breaks for callers, and which tests and schedules that affects, before it is in use.",
  },
  {
    icon: "download",
    title: "Yours to keep",
    words:
      "Tests, circles and schedules as files in your repository, both ways, and one command that runs the whole product.",
  },
];

/** What sets the product apart from test runners and monitors, as in the README's table. */
export function Proofs() {
  return (
    <ul className={styles.proofs}>
      {proofs.map(({ icon, title, words }) => (
        <li key={title} className={styles.proof}>
          <Icon name={icon} className={styles.proofIcon} />
          <div>
            <h2 className={styles.proofTitle}>{title}</h2>
            <p className={styles.proofWords}>{words}</p>
          </div>
        </li>
      ))}
    </ul>
  );
}
