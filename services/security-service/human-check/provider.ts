/** A service like reCAPTCHA, hCaptcha or Turnstile: all three take `siteverify` calls of one form. */
export interface HumanCheckProvider {
  /** Public, for the widget. */
  siteKey: string;
  secret: string;
  verifyUrl: string;
  /** The widget's script. */
  scriptUrl: string;
}
