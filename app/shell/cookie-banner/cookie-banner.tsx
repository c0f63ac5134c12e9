import { href } from "~/href";
import { Button } from "~/ui/button/button";
import * as styles from "./cookie-banner.css";

/** Shown until a choice is stored; a form, so that it works without script. */
export function CookieBanner({ returnTo }: { returnTo: string }) {
  return (
    <aside id="cookie-banner" className={styles.banner} aria-label="Cookies">
      <form method="post" action={href("/cookie-consent")} className={styles.content}>
        <p className={styles.words}>
          We use cookies for essential functionality, including authentication information. Read our{" "}
          <a href={href("/privacy-policy")}>privacy policy</a>.
        </p>
        <input type="hidden" name="returnTo" value={returnTo} />
        <div className={styles.choices}>
          <Button name="choice" value="accept" variant="primary" size="small" data-accepts-cookies>
            Accept essential cookies
          </Button>
          <Button name="choice" value="decline" size="small">
            Decline cookies
          </Button>
        </div>
      </form>
    </aside>
  );
}
