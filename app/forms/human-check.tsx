import type { HumanCheck as Check } from "#contracts/security-service/human-check.ts";
import { ProofOfWork } from "~/islands/human-check/proof-of-work";
import { Island } from "~/islands/island";
import { useNonce } from "~/shell/entry-script";
import { FieldErrors } from "~/ui/field/field";

export interface HumanCheckProps {
  /** Undefined when security-service is unavailable; the form works without. */
  check: Check | undefined;
  /** Errors of the field `recaptchaToken`. */
  id: string;
  errors: readonly string[] | undefined;
  /** Value of the only button that needs the check, if the form has others. */
  checkedIntent?: string;
}

/**
 * Protects a public form from bots: the configured provider's widget, or a proof of work that the browser solves in the
 * background. Goes below the form's button; invisible without script.
 */
export function HumanCheck({ check, id, errors, checkedIntent }: HumanCheckProps) {
  return (
    <div id={id} tabIndex={-1}>
      {check?.kind === "provider" && <Widget siteKey={check.siteKey} scriptUrl={check.scriptUrl} />}
      {check?.kind === "proofOfWork" && (
        <Island name="human-check" component={ProofOfWork} props={{ challenge: check.challenge, checkedIntent }} />
      )}
      <FieldErrors id={id} errors={errors} />
    </div>
  );
}

/** reCAPTCHA's markup, which hCaptcha and Turnstile also support; its field is named `g-recaptcha-response`. */
function Widget({ siteKey, scriptUrl }: { siteKey: string; scriptUrl: string }) {
  const nonce = useNonce();
  return (
    <>
      <div className="g-recaptcha" data-sitekey={siteKey} />
      <script src={scriptUrl} nonce={nonce} async defer />
    </>
  );
}
