import { href } from "~/href";
import * as styles from "./footer.css";

export interface FooterProps {
  /** As configured by the operator; unknown only if the page itself failed. */
  contactAddress: string | undefined;
  /** The time zone of the page's times and the page's address, for signed-in viewers. */
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
          <a href={href("/docs")}>Documentation</a>
          <a href={href("/terms-and-conditions")}>Terms &amp; Conditions</a>
          <a href={href("/privacy-policy")}>Privacy Policy</a>
          <a href={href("/legal")}>Legal</a>
        </nav>
      </div>
    </footer>
  );
}
