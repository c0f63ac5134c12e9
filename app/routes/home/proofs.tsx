import { Icon, type IconName } from "~/ui/icon/icon";
import * as styles from "./home.css";

const proofs: { icon: IconName; title: string; words: string }[] = [
  {
    icon: "upload",
    title: "Start from your OpenAPI document",
    words:
      "OpenAPI 2.0 to 3.2, JSON or YAML, from a URL, file or pasted text. We generate a valid request for each operation and check the response against the document.",
  },
  {
    icon: "search",
    title: "See why it failed",
    words:
      "Expected and actual values with the exact location of each failure, the documented schema next to it, and timing.",
  },
  {
    icon: "lock",
    title: "Protects secrets",
    words: "Credentials are encrypted, sent only to their own host, and masked in everything that is stored or shown.",
  },
  {
    icon: "clock",
    title: "Full run history",
    words: "Every attempt with its request, response and timing for every phase, from DNS lookup to the last byte.",
  },
  {
    icon: "refresh",
    title: "Conforms to your document",
    words:
      "New versions are reviewed first: which operations were added, changed or removed, and which tests are affected.",
  },
  {
    icon: "user",
    title: "Usable by everyone",
    words: "Works with a keyboard or screen reader, on small screens and slow connections, and without JavaScript.",
  },
];

/** Six pieces of evidence for the headline. */
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
