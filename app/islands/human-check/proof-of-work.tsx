import { quiet } from "./proof-of-work.css";

export interface ProofOfWorkProps {
  /** As security-service made it. */
  challenge: Record<string, unknown>;
}

/**
 * The ground of the check: a field that stays empty and a line that says nothing. Without script the form goes as it is,
 * and security-service counts it against a tighter limit.
 */
export function ProofOfWork(_: ProofOfWorkProps) {
  return (
    <>
      <input type="hidden" name="recaptchaToken" />
      <p role="status" className={quiet} />
    </>
  );
}
