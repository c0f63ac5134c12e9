import { z } from "zod";

/** What PayPal appends to the address a buyer comes back to: hints of a stranger, to be asked about. */
export const returnHints = z.object({
  subscriptionId: z.string().optional(),
  approvalToken: z.string().optional(),
  token: z.string().optional(),
  cancelled: z.boolean(),
});
export type ReturnHints = z.infer<typeof returnHints>;
