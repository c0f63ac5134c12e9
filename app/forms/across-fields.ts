import type { z } from "zod";

/**
 * Validates fields of a form against each other, also while some are invalid on their own, so that all errors are
 * reported at once. A field that is invalid already gets no second error.
 */
export function acrossFields<Form extends z.ZodObject>(
  form: Form,
  judge: (value: z.output<Form>, error: (field: keyof z.output<Form> & string, message: string) => void) => void,
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
