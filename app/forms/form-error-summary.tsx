import { ErrorSummary } from "~/ui/error-summary/error-summary";

/** All errors of a form, each linked to its field by conform's ids. */
export function FormErrorSummary({ form }: { form: { id: string; allErrors: Record<string, string[]> } }) {
  const errors = Object.entries(form.allErrors ?? {}).flatMap(([name, messages]) =>
    messages.map((message) => ({ message, ...(name ? { fieldId: `${form.id}-${name}` } : {}) })),
  );
  return <ErrorSummary errors={errors} />;
}
