import { href } from "~/href";
import * as styles from "./footer.css";

export interface FooterProps {
  /** As the operator configured it; unknown only where the page itself could not be made. */
  contactAddress: string | undefined;
  /** By whose clocks the page tells times, and the page itself; of who is signed in. */
  zone?: { name: string; page: string };
}

export function Footer({ contactAddress, zone }: FooterProps) {
  return (
    <footer className={styles.footer}>
      <div className={styles.content}>
        <p>© {new Date().getFullYear()} API Assurance</p>
        <nav aria-label="Legal" className={styles.links}>
          {contactAddress && <a href={`mailto:${contactAddress}`}>{contactAddress}</a>}
          {zone && <a href={href("/time-zone", { returnTo: zone.page })}>Time zone: {zone.name}</a>}
          <a href={href("/terms-and-conditions")}>Terms &amp; Conditions</a>
          <a href={href("/privacy-policy")}>Privacy Policy</a>
          <a href={href("/legal")}>Legal</a>
        </nav>
      </div>
    </footer>
  );
}
