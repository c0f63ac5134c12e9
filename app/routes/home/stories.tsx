import * as styles from "./home.css";
import { ProductPicture, type ProductPictureProps } from "./product-picture";

const stories: (Pick<ProductPictureProps, "name" | "alt"> & { title: string; words: string[] })[] = [
  {
    name: "incident",
    title: "One incident per cause",
    words: [
      "However many tests a cause breaks, it is one incident: since when, how often, and what changed just before it, be it a deployment, a new version of the document or an edited test.",
      "It is acknowledged, discussed and resolved in one place, and alerts follow it from there.",
    ],
    alt: "An incident: why it fails and since when, the two tests that it affects, and its timeline.",
  },
  {
    name: "schedule",
    title: "Runs on schedule, and shows when",
    words: [
      "Circles of tests run every half minute or every Monday at nine, in your time zone, across daylight saving and around maintenance windows.",
      "The week ahead is on one page. A run that could not start is shown as such, and never as a pass.",
    ],
    alt: "The schedules of an organization: the coming week with each run at its time, and the next runs of every circle.",
  },
];

/** What the product does over time, beside its own pages. */
export function Stories() {
  return stories.map(({ title, words, ...picture }) => (
    <section key={title} aria-label={title} className={styles.story}>
      <div className={styles.storyWords}>
        <h2 className={styles.sectionTitle}>{title}</h2>
        {words.map((sentence) => (
          <p key={sentence} className={styles.sentence}>
            {sentence}
          </p>
        ))}
      </div>
      <ProductPicture later {...picture} />
    </section>
  ));
}
