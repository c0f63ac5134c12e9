import { renderSVG } from "uqr";

/** The secret for an app, as a picture and as text. */
export interface SetUp {
  uri: string;
  secret: string;
  svg: string;
}

export function toSetUp(uri: string): SetUp {
  const secret = new URL(uri).searchParams.get("secret") ?? "";
  return { uri, secret, svg: renderSVG(uri, { border: 2 }) };
}

/** From the form that carries it; undefined where it is not authentic. */
export function readSetUp(form: FormData): SetUp | undefined {
  const uri = String(form.get("setUp") ?? "");
  const isOurs = uri.length < 500 && uri.startsWith("otpauth://totp/") && URL.canParse(uri);
  return isOurs ? toSetUp(uri) : undefined;
}
