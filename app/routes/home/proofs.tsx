import { Icon, type IconName } from "~/ui/icon/icon";
import * as styles from "./home.css";

const proofs: { icon: IconName; title: string; words: string }[] = [
  {
    icon: "upload",
    title: "Starts from what you have",
    words:
      "OpenAPI 2.0 to 3.2, JSON or YAML, by address, file or text. Each operation gets a valid call with its documented answers as checks.",
  },
  {
    icon: "search",
    title: "Says why, not only that",
    words:
      "Expected, actual and the exact place of every verification, the documented schema beside it, and where the time went.",
  },
  {
    icon: "lock",
    title: "Keeps secrets secret",
    words:
      "Credentials are encrypted, sent to their own host only, and removed from everything that is stored or shown.",
  },
  {
    icon: "clock",
    title: "Keeps what happened",
    words:
      "Every attempt with its request, its response and each phase of its time, from the name look-up to the last byte.",
  },
  {
    icon: "refresh",
    title: "Follows your document",
    words: "A new version is reviewed first: which operations came, changed or went, and which tests they touch.",
  },
  {
    icon: "user",
    title: "Usable by everyone",
    words: "By keyboard, with a screen reader, on a small screen and a slow line. Every form works without JavaScript.",
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
