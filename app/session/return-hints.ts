import { z } from "zod";

/** Parameters that PayPal appends to the return address: untrusted, to be verified. */
export const returnHints = z.object({
  subscriptionId: z.string().optional(),
  approvalToken: z.string().optional(),
  token: z.string().optional(),
  cancelled: z.boolean(),
});
export type ReturnHints = z.infer<typeof returnHints>;
