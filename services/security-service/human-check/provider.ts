/** A service such as reCAPTCHA, hCaptcha or Turnstile: all three share the format of `siteverify` calls. */
export interface HumanCheckProvider {
  /** Public, for the widget. */
  siteKey: string;
  secret: string;
  verifyUrl: string;
  /** The widget's script. */
  scriptUrl: string;
}
