import { screen } from "~/styles/tokens.css";
import * as styles from "./home.css";

/** The product itself: one failed execution, in the reader's own theme and at a readable size. Made by `scripts/screenshots`. */
export function ProductPicture() {
  return (
    <picture className={styles.picture}>
      <source
        srcSet="/pictures/verifications-small-dark.png"
        media={`${screen.narrow} and (prefers-color-scheme: dark)`}
        width={780}
        height={960}
      />
      <source srcSet="/pictures/verifications-small-light.png" media={screen.narrow} width={780} height={960} />
      <source srcSet="/pictures/verifications-dark.png" media="(prefers-color-scheme: dark)" />
      <img
        src="/pictures/verifications-light.png"
        width={1280}
        height={800}
        className={styles.image}
        alt="The verifications of a failed test: a price documented as a number was returned as text, with what was expected, what was returned, and where."
      />
    </picture>
  );
}
