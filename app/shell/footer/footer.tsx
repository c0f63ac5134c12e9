import { href } from "~/href";
import * as styles from "./footer.css";

/** @param contactAddress as the operator configured it; unknown only where the page itself could not be made. */
export function Footer({ contactAddress }: { contactAddress: string | undefined }) {
  return (
    <footer className={styles.footer}>
      <div className={styles.content}>
        <p>© {new Date().getFullYear()} API Assurance</p>
        <nav aria-label="Legal" className={styles.links}>
          {contactAddress && <a href={`mailto:${contactAddress}`}>{contactAddress}</a>}
          <a href={href("/terms-and-conditions")}>Terms &amp; Conditions</a>
          <a href={href("/privacy-policy")}>Privacy Policy</a>
          <a href={href("/legal")}>Legal</a>
        </nav>
      </div>
    </footer>
  );
}
