import { screen } from "~/styles/tokens.css";
import * as styles from "./home.css";

export interface ProductPictureProps {
  name: "failure" | "schedule" | "incident";
  /** What a reader sees in it. */
  alt: string;
  /** Below the first screen: loaded when it comes near. */
  later?: boolean;
}

/** A page of the product itself, in the reader's own theme and at a readable size. Made by `npm run screenshots`. */
export function ProductPicture({ name, alt, later }: ProductPictureProps) {
  const at = (kind: string) => `/pictures/${name}-${kind}.webp`;
  return (
    <picture className={styles.picture}>
      <source
        srcSet={at("small-dark")}
        media={`${screen.narrow} and (prefers-color-scheme: dark)`}
        width={780}
        height={960}
      />
      <source srcSet={at("small-light")} media={screen.narrow} width={780} height={960} />
      <source srcSet={at("dark")} media="(prefers-color-scheme: dark)" />
      <img
        src={at("light")}
        width={1280}
        height={800}
        className={styles.image}
        loading={later ? "lazy" : undefined}
        decoding={later ? "async" : undefined}
        alt={alt}
      />
    </picture>
  );
}
