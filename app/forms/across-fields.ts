import type { z } from "zod";

/**
 * Judges fields of a form by each other, also while some are wrong by themselves: all faults are told at once. A field
 * that is wrong already is not told so twice.
 */
export function acrossFields<Form extends z.ZodObject>(
  form: Form,
  judge: (value: z.output<Form>, fault: (field: keyof z.output<Form> & string, message: string) => void) => void,
): Form {
  return form.superRefine(
    (value, context) => {
      const wrong = new Set(context.issues.map(({ path }) => path?.[0]));
      judge(value, (field, message) => {
        if (!wrong.has(field)) context.addIssue({ code: "custom", path: [field], message });
      });
    },
    { when: () => true },
  );
}
