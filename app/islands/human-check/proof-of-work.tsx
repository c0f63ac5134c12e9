import { quiet } from "./proof-of-work.css";

export interface ProofOfWorkProps {
  /** The challenge from security-service. */
  challenge: Record<string, unknown>;
  /** Value of the only button that waits for the check, if the form has others. */
  checkedIntent?: string;
}

/**
 * The static part of the check: an empty field and an empty line. Without script the form is sent as it is, and
 * security-service applies a tighter rate limit.
 */
export function ProofOfWork(_: ProofOfWorkProps) {
  return (
    <>
      <input type="hidden" name="recaptchaToken" />
      <p role="status" className={quiet} />
    </>
  );
}
