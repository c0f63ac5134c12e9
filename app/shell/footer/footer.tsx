import * as styles from "./footer.css";

export const contactAddress = "contact@api-assurance.example";

export function Footer() {
  return (
    <footer className={styles.footer}>
      <div className={styles.content}>
        <p>© {new Date().getFullYear()} API Assurance</p>
        <nav aria-label="Legal" className={styles.links}>
          <a href={`mailto:${contactAddress}`}>{contactAddress}</a>
          <a href="/terms-and-conditions">Terms &amp; Conditions</a>
          <a href="/privacy-policy">Privacy Policy</a>
          <a href="/legal">Legal</a>
        </nav>
      </div>
    </footer>
  );
}
