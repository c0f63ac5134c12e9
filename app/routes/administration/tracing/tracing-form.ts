import { z } from "zod";
import { type Tracing, type TracingInput, tracingInput } from "#contracts/security-service/tracing.ts";

/** The raw input: hosts one per line. */
export const tracingForm = z.object({
  verifiedDomains: z.literal("on").optional(),
  hosts: z.string().default(""),
  linkTemplate: tracingInput.shape.linkTemplate.default(""),
});
export type TracingForm = z.input<typeof tracingForm>;

export const listHosts = (text: string) => text.split(/[\s,;]+/).filter(Boolean);

export function toInput(form: z.output<typeof tracingForm>): TracingInput {
  const { hosts, linkTemplate } = form;
  return { verifiedDomains: form.verifiedDomains === "on", hosts: listHosts(hosts), linkTemplate };
}

export function toFormValues({ verifiedDomains, hosts, linkTemplate }: Tracing): TracingForm {
  return { verifiedDomains: verifiedDomains ? "on" : undefined, hosts: hosts.join("\n"), linkTemplate };
}

/** The service's errors at the form's fields, with the host that each is about. */
export function toFieldErrors(hosts: string, errors: readonly { path: string; message: string }[]) {
  return errors.map(({ path, message }) => {
    const index = /^hosts\[(\d+)\]/.exec(path)?.[1];
    return index ? { path: "hosts", message: `${listHosts(hosts)[Number(index)]}: ${message}` } : { path, message };
  });
}
