import { z } from "@hono/zod-openapi";

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const controlCharacters = /[\u0000-\u001f\u007f]/;

export const isOneLine = (text: string) => !controlCharacters.test(text);

/** Every one may be left out, also where there are none. */
export type FieldsOf<Shape extends z.ZodRawShape> = { [Field in keyof Shape]?: z.output<Shape[Field]> };

interface Rules<Shape extends z.ZodRawShape> {
  /** Reports what has to be corrected beside each field; `certificates` are read by the service that stores them. */
  check?(settings: FieldsOf<Shape>, report: (field: keyof Shape & string, message: string) => void): void;
  /** Stored where the field is left out. */
  defaults?: FieldsOf<Shape>;
  /** Fields that hold certificates in PEM. */
  certificates?: (keyof Shape & string)[];
  /** What the secret is. Default: one line of text. */
  secret?: "line" | "privateKey";
}

/**
 * One kind of credential: what it is set up with beside its secret.
 * @param shape each field may be left out here, since a form sends those of all types; `check` says what the type needs
 */
export function credentialType<Shape extends z.ZodRawShape>(shape: Shape, rules: Rules<Shape> = {}) {
  const { check = () => {}, defaults = {}, certificates = [], secret = "line" } = rules;
  return { settings: z.object(shape), check, defaults, certificates: certificates as readonly string[], secret };
}
