import { quiet } from "./proof-of-work.css";

export interface ProofOfWorkProps {
  /** As security-service made it. */
  challenge: Record<string, unknown>;
  /** Value of the one button that waits for the check, where the form has others. */
  checkedIntent?: string;
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
