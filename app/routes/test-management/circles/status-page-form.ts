import { z } from "zod";
import { type StatusPage, type StatusPageInput, statusPageInput } from "#contracts/test-analyzer/status-pages.ts";
import { shorten } from "#libraries/text/shorten.ts";

const { title, text, message, name, components } = statusPageInput.shape;

export const statusPageForm = z
  .object({
    title,
    text: z.string().optional().pipe(text),
    message: z.string().optional().pipe(message),
    kind: z.enum(["unguessable", "named"]).default("unguessable"),
    name: z.string().optional(),
    newAddress: z.boolean().default(false),
    showsIncidents: z.boolean().default(false),
    components,
  })
  .superRefine((form, context) => {
    if (form.kind !== "named") return;
    const message = form.name ? name.safeParse(form.name).error?.issues[0]?.message : "Choose a name";
    if (message) context.addIssue({ code: "custom", path: ["name"], message });
  });

/** The request to the service: a name only where the form has chosen one. */
export function toInput({ kind, name, ...rest }: z.output<typeof statusPageForm>): StatusPageInput {
  return { ...rest, name: kind === "named" ? name : undefined };
}

/** The form's values for a page; for a new one, the circle's name. */
export function toForm(page: StatusPage | null, circleName: string) {
  return {
    title: page?.title ?? shorten(circleName, 120),
    text: page?.text ?? "",
    message: page?.message ?? "",
    kind: page?.name ? "named" : "unguessable",
    name: page?.name ?? "",
    newAddress: undefined as string | undefined,
    showsIncidents: page?.showsIncidents ? "on" : undefined,
    components: page?.components ?? [],
  };
}
